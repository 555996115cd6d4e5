#include "tools/report/energy_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/equations/joint_rows.hpp"
#include "model/equations/scene_terms.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;

Vector3d omega_of(Scene const& scene, int body, Instant const& at) {
  return pose_of<double>(scene, body, at).twist.omega;
}

// The power of one thing that brings energy in. Inputs are held from a row on, so power before and after a row differ.
class PowerSources {
 public:
  explicit PowerSources(RecordedScene& recorded) : recorded_(recorded), scene_(recorded.scene()) {
    for (ForceInput const& force : scene_.forces) note(force.name, force.first);
    for (TorqueInput const& torque : scene_.torques) note(torque.name, torque.first);
    for (Joint const& joint : scene_.joints) {
      if (joint.drive >= 0) note(joint.drive_name, joint.drive);
    }
    for (std::size_t i = 0; i < scene_.contacts.size(); ++i) {
      Contact const& contact = scene_.contacts[i];
      int const components = contact.law.frictional() ? scene_.dimension : 1;
      if (note_prescribed(contact.name, contact.a.point.body, components)) driven_contacts_.push_back(i);
    }
    for (std::size_t i = 0; i < scene_.frictions.size(); ++i) {
      Friction const& friction = scene_.frictions[i];
      int const components = static_cast<int>(friction.axes.size());
      if (note_prescribed(friction.name, friction.relative_to, components)) driven_frictions_.push_back(i);
    }
    note_other_prescribed();
  }

  std::vector<std::string> counted, notes;

  // Power of the inputs `u` at the state `at`.
  double of_inputs(Instant at, std::span<const double> u) const {
    at.input = u;
    double power = 0;
    for (ForceInput const& force : scene_.forces) {
      power += force_of_input(scene_, force, at)
                   .dot(recorded_.model().system().motion_of<double>(force.point, at).velocity);
    }
    for (TorqueInput const& torque : scene_.torques) {
      Vector3d const value = scene_.dimension == 2 ? Vector3d(0, 0, u[static_cast<std::size_t>(torque.first)])
                                                   : vector_parameter<double>(u, torque.first, 3);
      power += value.dot(omega_of(scene_, torque.body, at));
    }
    for (Joint const& joint : scene_.joints) {
      if (joint.drive < 0) continue;
      power += u[static_cast<std::size_t>(joint.drive)] *
               recorded_.model().system().joint_rows<double>(joint, at).along.velocity;
    }
    return power;
  }

  // Power that bodies of prescribed motion bring in through contacts and frictions: the force on b times the velocity of a's
  // surface.
  double of_motions(Instant const& at, std::size_t row) {
    double power = 0;
    for (std::size_t const index : driven_contacts_) {
      Contact const& contact = scene_.contacts[index];
      std::size_t const dimension = static_cast<std::size_t>(scene_.dimension);
      std::size_t const components = contact.law.frictional() ? dimension : 1;
      auto const force = [&](std::size_t element) {
        return recorded_.table()
            .columns[*recorded_.output(contact.name + ".force", static_cast<int>(element))][row];
      };
      if (force(components - 1) == 0) continue;
      BodyPose const a = pose_of<double>(scene_, contact.a.point.body, at),
                     b = pose_of<double>(scene_, contact.b.point.body, at);
      PlacedShape const on_a = place<double>(scene_, contact.a, contact.height, a, recorded_.parameters()),
                        on_b = place<double>(scene_, contact.b, contact.height, b, recorded_.parameters());
      find_contacts<double>(on_a.geometry, on_a.pose, on_b.geometry, on_b.pose, scene_.dimension, INFINITY,
                            points_);
      if (points_.count == 0) continue;
      auto const nearest = std::min_element(points_.item.begin(), points_.item.begin() + points_.count,
                                            [](auto const& x, auto const& y) { return x.gap < y.gap; });
      Vector3d t1, t2;
      contact_tangents<double>(scene_.dimension, nearest->n, t1, t2);
      Vector3d tangential = Vector3d::Zero();
      for (std::size_t k = 0; k + 1 < components; ++k) tangential += force(k) * (k == 0 ? t1 : t2);
      // A belt's surface drags, and does not lift.
      power += tangential.dot(a.surface.at(nearest->p)) +
               force(components - 1) * nearest->n.dot(a.twist.at(nearest->p));
    }
    for (std::size_t const index : driven_frictions_) {
      Friction const& friction = scene_.frictions[index];
      Vector3d const p = recorded_.model().system().motion_of<double>(friction.point, at).position,
                     surface = pose_of<double>(scene_, friction.relative_to, at).surface.at(p);
      for (std::size_t k = 0; k < friction.axes.size(); ++k) {
        auto const column = *recorded_.output(friction.name + ".force", static_cast<int>(k));
        power += recorded_.table().columns[column][row] * surface[friction.axes[k]];
      }
    }
    return power;
  }

 private:
  void note(std::string const& name, int input) {
    if (recorded_.input(input)) {
      counted.push_back(name);
    } else {
      notes.push_back(
          fmt::format("The results have no column of the input {}: it is taken as it starts.", name));
    }
  }

  bool is_driven(int body) const {
    return body != ground_body && scene_.bodies[static_cast<std::size_t>(body)].type == BodyType::prescribed;
  }

  // Whether a prescribed body does work through a contact or friction, and the force of it is known.
  bool note_prescribed(std::string const& name, int body, int components) {
    if (!is_driven(body)) return false;
    for (int k = 0; k < components; ++k) {
      if (recorded_.output(name + ".force", k)) continue;
      notes.push_back(fmt::format("The work through {} is not known: its force is no column.", name));
      return false;
    }
    counted.push_back(fmt::format("{} through {}", scene_.bodies[static_cast<std::size_t>(body)].name, name));
    return true;
  }

  // What a prescribed body does through anything but declared contacts and frictions is in no output.
  void note_other_prescribed() {
    std::vector<std::string> through;
    for (Joint const& joint : scene_.joints) {
      if (is_driven(joint.a.body) || is_driven(joint.b.body)) through.push_back(joint.name);
    }
    for (Spring const& spring : scene_.springs) {
      if (is_driven(spring.a.body) || is_driven(spring.b.body)) through.push_back(spring.name);
    }
    for (Rolling const& rolling : scene_.rollings) {
      if (is_driven(rolling.a.point.body)) through.push_back(rolling.name);
    }
    for (ContactGroup const& group : scene_.groups) {
      if (std::ranges::any_of(group.shapes, [&](int shape) {
            return is_driven(scene_.shapes[static_cast<std::size_t>(shape)].body);
          }))
        through.push_back(group.name);
    }
    if (!through.empty())
      notes.push_back(
          fmt::format("The work of prescribed motions through these is not counted, and is a part of "
                      "what is shown as dissipated: {}.",
                      fmt::join(through, ", ")));
  }

  RecordedScene& recorded_;
  Scene const& scene_;
  std::vector<std::size_t> driven_contacts_, driven_frictions_;
  ContactPoints points_;
};

}  // namespace

std::optional<EnergyBalance> balance_energy(RecordedScene& recorded) {
  auto const kinetic = recorded.output("energy.kinetic"), potential = recorded.output("energy.potential"),
             total = recorded.output("energy.total");
  if (!kinetic || !potential || !total) return std::nullopt;
  TimeTable const& table = recorded.table();
  EnergyBalance balance{*kinetic, *potential, *total, {}, {}, {}, {}};
  PowerSources sources(recorded);
  balance.work.assign(table.rows(), 0);
  if (!sources.counted.empty()) {
    double work = 0, last_of_motions = 0, last_of_inputs = 0;
    std::vector<double> held;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      Instant const at = recorded.at(row);
      double const of_motions = sources.of_motions(at, row);
      if (row > 0) {
        double const step = table.time[row] - table.time[row - 1];
        work += step * 0.5 * (last_of_motions + of_motions + last_of_inputs + sources.of_inputs(at, held));
      }
      balance.work[row] = work;
      held.assign(at.input.begin(), at.input.end());
      last_of_inputs = sources.of_inputs(at, held);
      last_of_motions = of_motions;
    }
  }
  std::vector<double> const& energy = table.columns[*total];
  for (std::size_t row = 0; row < table.rows(); ++row)
    balance.dissipated.push_back(energy.front() + balance.work[row] - energy[row]);
  balance.counted = std::move(sources.counted);
  balance.notes = std::move(sources.notes);
  return balance;
}

}  // namespace delassus
