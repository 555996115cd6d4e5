#include "tools/report/scene_track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/equations/contact_law.hpp"
#include "model/equations/scene_terms.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;

class Tracker {
 public:
  explicit Tracker(RecordedScene& recorded)
      : recorded_(recorded),
        scene_(recorded.scene()),
        dimension_(static_cast<std::size_t>(scene_.dimension)),
        dynamics_(recorded.model().system()) {}

  SceneTrack track(std::size_t most_values, std::size_t most_frames) {
    if (recorded_.prefix().size() > 1)
      track_.name = recorded_.prefix().substr(0, recorded_.prefix().size() - 1);
    track_.drawing = draw_scene(scene_, recorded_.parameters(), recorded_.at(0).input);
    choose_contacts();
    choose_frames(most_values, most_frames);
    for (std::size_t frame = 0; frame < track_.rows.size(); ++frame) add_frame(frame);
    add_notes();
    return std::move(track_);
  }

 private:
  std::size_t pose_components(DrawnBody const& body) const {
    return dimension_ + (!body.turns ? 0 : dimension_ == 2 ? 1 : 4);
  }

  // Contacts whose place and forces the table has; those that it has not are left out, and said so.
  void choose_contacts() {
    for (std::size_t i = 0; i < scene_.contacts.size(); ++i) {
      Contact const& contact = scene_.contacts[i];
      std::size_t const components = contact.law.frictional() ? dimension_ : 1;
      bool found = true;
      for (std::size_t k = 0; k < components; ++k)
        found = found && recorded_.output(contact.name + ".force", static_cast<int>(k)).has_value();
      if (!found) {
        lost_contacts_.push_back(contact.name);
        continue;
      }
      contact_indices_.push_back(i);
      ContactTrack& drawn = track_.contacts.emplace_back();
      drawn.name = contact.name;
      drawn.frictional = contact.law.frictional();
      drawn.bilateral = contact.law.normal == NormalLaw::bilateral;
      drawn.several = has_points_output(contact);
    }
    choose_frictions();
    for (std::size_t i = 0; i < scene_.forces.size(); ++i) {
      ForceInput const& force = scene_.forces[i];
      if (!recorded_.input(force.first)) continue;
      input_indices_.push_back(i);
      track_.inputs.push_back(
          {force.name,
           {force.point.body, point_in_body<double>(scene_, force.point, recorded_.parameters())},
           {}});
    }
    for (ContactGroup const& group : scene_.groups) track_.groups.push_back({group.name, {}, {}, {}});
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (scene_.bodies[i].motion_of_surface) track_.surfaces.push_back({static_cast<int>(i), {}});
    }
  }

  // They follow the contacts.
  void choose_frictions() {
    for (std::size_t i = 0; i < scene_.frictions.size(); ++i) {
      Friction const& friction = scene_.frictions[i];
      bool found = true;
      for (std::size_t k = 0; k < friction.axes.size(); ++k)
        found = found && recorded_.output(friction.name + ".force", static_cast<int>(k)).has_value();
      if (!found) {
        lost_contacts_.push_back(friction.name);
        continue;
      }
      friction_indices_.push_back(i);
      ContactTrack& drawn = track_.contacts.emplace_back();
      drawn.name = friction.name;
      drawn.frictional = true;
      drawn.bounded_axes = static_cast<int>(friction.axes.size());
    }
  }

  bool has_points_output(Contact const& contact) const {
    auto const& outputs = recorded_.model().outputs();
    return std::ranges::any_of(
        outputs, [&](OutputDefinition const& output) { return output.name == contact.name + ".points"; });
  }

  void choose_frames(std::size_t most_values, std::size_t most_frames) {
    std::size_t values = track_.contacts.size() * (3 * dimension_ + 1) +
                         (track_.inputs.size() + track_.surfaces.size()) * dimension_;
    for (DrawnBody const& body : track_.drawing.bodies) values += body.moves ? pose_components(body) : 0;
    // A body in a pile touches some three others.
    for (ContactGroup const& group : scene_.groups) values += 3 * group.shapes.size() * 2 * dimension_;
    std::size_t const rows = recorded_.table().rows();
    std::size_t const frames = std::clamp<std::size_t>(most_values / std::max<std::size_t>(values, 1), 2,
                                                       std::max<std::size_t>(most_frames, 2));
    if (rows <= frames) {
      for (std::size_t row = 0; row < rows; ++row) track_.rows.push_back(row);
    } else {
      for (std::size_t k = 0; k < frames; ++k) {
        track_.rows.push_back(static_cast<std::size_t>(std::llround(
            static_cast<double>(k) * static_cast<double>(rows - 1) / static_cast<double>(frames - 1))));
      }
    }
    std::size_t const count = track_.rows.size();
    std::size_t poses = 0;
    for (DrawnBody const& body : track_.drawing.bodies) poses += body.moves ? pose_components(body) : 0;
    track_.poses.resize(poses * count);
    for (ContactTrack& contact : track_.contacts) {
      for (auto* const vector : {&contact.place, &contact.force, &contact.lambda})
        vector->resize(dimension_ * count);
      contact.mu.resize(count);
    }
    for (InputForceTrack& input : track_.inputs) input.force.resize(dimension_ * count);
    for (SurfaceTrack& surface : track_.surfaces) surface.way.resize(dimension_ * count);
    surface_velocity_.resize(track_.surfaces.size(), Vector3d::Zero());
    surface_way_ = surface_velocity_;
  }

  void put(std::vector<double>& vector, std::size_t frame, Vector3d const& value) const {
    for (std::size_t k = 0; k < dimension_; ++k)
      vector[k * track_.rows.size() + frame] = value[static_cast<Eigen::Index>(k)];
  }

  void add_frame(std::size_t frame) {
    std::size_t const row = track_.rows[frame], frames = track_.rows.size();
    Instant const at = recorded_.at(row);
    std::size_t component = 0;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      DrawnBody const& body = track_.drawing.bodies[i];
      if (!body.moves) continue;
      BodyPose const pose = pose_of<double>(scene_, static_cast<int>(i), at);
      Vector3d const origin = pose.point(Vector3d::Zero());
      for (std::size_t k = 0; k < dimension_; ++k)
        track_.poses[component++ * frames + frame] = origin[static_cast<Eigen::Index>(k)];
      if (!body.turns) continue;
      if (dimension_ == 2) {
        track_.poses[component++ * frames + frame] = pose.angle;
      } else {
        for (Eigen::Index k = 0; k < 4; ++k)
          track_.poses[component++ * frames + frame] =
              at.q[static_cast<std::size_t>(scene_.bodies[i].first_coordinate + 3 + k)];
      }
    }
    for (std::size_t i = 0; i < contact_indices_.size(); ++i)
      add_contact(scene_.contacts[contact_indices_[i]], track_.contacts[i], at, row, frame);
    for (std::size_t i = 0; i < friction_indices_.size(); ++i) {
      add_friction(scene_.frictions[friction_indices_[i]], track_.contacts[contact_indices_.size() + i], at,
                   row, frame);
    }
    for (std::size_t i = 0; i < input_indices_.size(); ++i) {
      ForceInput const& force = scene_.forces[input_indices_[i]];
      put(track_.inputs[i].force, frame, force_of_input(scene_, force, at));
    }
    add_surfaces(at, frame);
    if (!scene_.groups.empty()) add_groups(at);
  }

  // The way of a belt: its velocity, taken as a straight line between frames.
  void add_surfaces(Instant const& at, std::size_t frame) {
    for (std::size_t i = 0; i < track_.surfaces.size(); ++i) {
      BodyPose const pose = pose_of<double>(scene_, track_.surfaces[i].body, at);
      Vector3d const velocity = pose.surface.at(pose.point(Vector3d::Zero()));
      if (frame > 0) {
        auto const& time = recorded_.table().time;
        surface_way_[i] +=
            (time[track_.rows[frame]] - time[track_.rows[frame - 1]]) / 2 * (velocity + surface_velocity_[i]);
      }
      surface_velocity_[i] = velocity;
      put(track_.surfaces[i].way, frame, surface_way_[i]);
    }
  }

  void add_contact(Contact const& contact, ContactTrack& drawn, Instant const& at, std::size_t row,
                   std::size_t frame) {
    auto const placed = [&](ContactSide const& side) {
      return place<double>(scene_, side, contact.height, pose_of<double>(scene_, side.point.body, at),
                           recorded_.parameters());
    };
    PlacedShape const a = placed(contact.a), b = placed(contact.b);
    find_contacts<double>(a.geometry, a.pose, b.geometry, b.pose, scene_.dimension,
                          std::numeric_limits<double>::infinity(), points_);
    ContactPoint const* nearest = nullptr;
    for (int i = 0; i < points_.count; ++i) {
      ContactPoint const& point = points_.item[static_cast<std::size_t>(i)];
      if (nearest == nullptr || point.gap < nearest->gap) nearest = &point;
    }
    auto const column = [&](std::string const& what, std::size_t element) {
      auto const found = recorded_.output(contact.name + what, static_cast<int>(element));
      return found ? recorded_.table().columns[*found][row] : std::nan("");
    };
    SceneSystem::Nearest const place_of = recorded_.model().system().nearest<double>(contact, at);
    Vector3d n = scene_.dimension == 2 ? Vector3d::UnitY() : Vector3d::UnitZ(), t1, t2;
    if (nearest != nullptr) n = nearest->n;
    contact_tangents<double>(scene_.dimension, n, t1, t2);
    std::size_t const components = drawn.frictional ? dimension_ : 1;
    Vector3d lambda = Vector3d::Zero();  // two tangential, normal
    lambda[2] = column(".force", components - 1);
    for (std::size_t k = 0; k + 1 < components; ++k)
      lambda[static_cast<Eigen::Index>(k)] = column(".force", k);
    put(drawn.place, frame, place_of.position);
    put(drawn.force, frame, lambda[0] * t1 + lambda[1] * t2 + lambda[2] * n);
    Vector3d written = lambda;  // in the plane: tangential, normal
    if (dimension_ == 2) written = {lambda[0], lambda[2], 0};
    put(drawn.lambda, frame, written);
    if (!drawn.frictional) return;
    Vector3d const velocity = place_of.velocity - place_of.velocity.dot(n) * n;
    drawn.mu[frame] = friction_bound<double>(contact.law.mu, recorded_.parameters(), velocity.norm());
  }

  void add_friction(Friction const& friction, ContactTrack& drawn, Instant const& at, std::size_t row,
                    std::size_t frame) {
    auto const motion = recorded_.model().system().motion_of<double>(friction.point, at);
    Vector3d const relative =
        motion.velocity - pose_of<double>(scene_, friction.relative_to, at).surface.at(motion.position);
    Vector3d force = Vector3d::Zero(), lambda = Vector3d::Zero(), slip = Vector3d::Zero();
    for (std::size_t k = 0; k < friction.axes.size(); ++k) {
      auto const column = *recorded_.output(friction.name + ".force", static_cast<int>(k));
      lambda[static_cast<Eigen::Index>(k)] = recorded_.table().columns[column][row];
      force[friction.axes[k]] = lambda[static_cast<Eigen::Index>(k)];
      slip[friction.axes[k]] = relative[friction.axes[k]];
    }
    put(drawn.place, frame, motion.position);
    put(drawn.force, frame, force);
    put(drawn.lambda, frame, lambda);
    drawn.mu[frame] = friction_bound<double>(friction.bound, recorded_.parameters(), slip.norm());
  }

  // The outputs of a group are sums: its single forces are solved for anew, from the state that the outputs tell.
  void add_groups(Instant const& at) {
    StepperSettings const& stepper = recorded_.settings();
    SolveSettings solve;
    solve.law = stepper.law;
    solve.rule = stepper.rule;
    dynamics_.evaluate(at, observed_relaxation(stepper), solve, forces_);
    dynamics_.copy_forces(forces_);
    std::vector<double> counts(scene_.groups.size());
    Terms const& terms = dynamics_.terms();
    for (ActivePoint const& point : SceneWorkspace::of(terms).active) {
      if (!point.grouped) continue;
      Vector3d lambda = point.force;
      if (point.block >= 0) {
        ConstraintBlock const& block = terms.blocks[static_cast<std::size_t>(point.block)];
        // Where the normal force follows from the motion, only friction is a block.
        bool const normal_too =
            block.set.kind != ForceSetKind::interval && block.set.kind != ForceSetKind::disc;
        int const rows = block.rows(), tangential = normal_too ? rows - 1 : rows;
        for (int k = 0; k < tangential; ++k) lambda[k] = dynamics_.solution().lambda[block.first_row + k];
        if (normal_too) lambda[2] = dynamics_.solution().lambda[block.first_row + rows - 1];
      }
      if (lambda.isZero(0)) continue;
      Vector3d t1, t2;
      contact_tangents<double>(scene_.dimension, point.n, t1, t2);
      Vector3d const force = lambda[0] * t1 + lambda[1] * t2 + lambda[2] * point.n;
      auto const group = static_cast<std::size_t>(point.element);
      for (Eigen::Index k = 0; k < scene_.dimension; ++k) {
        track_.groups[group].places.push_back(point.p[k]);
        track_.groups[group].forces.push_back(force[k]);
      }
      ++counts[group];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) track_.groups[i].count.push_back(counts[i]);
  }

  void add_notes() {
    if (!recorded_.lost_bodies().empty())
      track_.notes.push_back(
          fmt::format("The results do not tell where these bodies are; they are drawn where they start: {}.",
                      fmt::join(recorded_.lost_bodies(), ", ")));
    if (!lost_contacts_.empty())
      track_.notes.push_back(
          fmt::format("The results have no forces of these: {}.", fmt::join(lost_contacts_, ", ")));
    if (!scene_.groups.empty())
      track_.notes.push_back(
          "Forces at the single points of contact groups are no outputs: they were solved for again from the "
          "positions, velocities and inputs of each frame.");
  }

  RecordedScene& recorded_;
  Scene const& scene_;
  std::size_t dimension_;
  SceneTrack track_;
  std::vector<std::size_t> contact_indices_, friction_indices_, input_indices_;
  std::vector<std::string> lost_contacts_;
  std::vector<Vector3d> surface_velocity_, surface_way_;
  ContactPoints points_;
  Dynamics dynamics_;
  std::vector<BlockForce> forces_;
};

}  // namespace

std::size_t SceneTrack::values() const {
  std::size_t count = poses.size();
  for (auto const& contact : contacts)
    count += contact.place.size() + contact.force.size() + contact.lambda.size() + contact.mu.size();
  for (auto const& input : inputs) count += input.force.size();
  for (auto const& surface : surfaces) count += surface.way.size();
  for (auto const& group : groups) count += group.count.size() + group.places.size() + group.forces.size();
  return count;
}

SceneTrack track_scene(RecordedScene& scene, std::size_t most_values, std::size_t most_frames) {
  return Tracker(scene).track(most_values, most_frames);
}

}  // namespace delassus
