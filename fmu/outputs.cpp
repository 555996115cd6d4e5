#include "fmu/outputs.hpp"

#include <algorithm>
#include <numeric>

namespace delassus {
namespace {

using Out = std::span<double>;

class OutputList {
 public:
  explicit OutputList(Scene const& scene) : scene_(scene) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add_body(scene.bodies[i], static_cast<int>(i));
    int block = 0;
    for (Contact const& contact : scene.contacts) add_contact(contact, block++);
    for (Friction const& friction : scene.frictions) {
      add_force(friction.name, friction.point.body, block++, static_cast<int>(friction.axes.size()),
                "friction force along " + std::string(friction.axes.size() == 1 ? "its axis" : "its axes"));
    }
    add_totals();
  }

  std::vector<OutputDefinition> take() { return std::move(list_); }

 private:
  void add(OutputDefinition definition) {
    definition.array = definition.size > 1;
    list_.push_back(std::move(definition));
  }

  // A part of q or v as an output.
  void add_motion(Body const& body, int index, std::string const& name, std::string const& description,
                  UnitId unit, int first, int size, bool velocity) {
    add({.name = body.name + "." + name,
         .description = description,
         .unit = unit,
         .size = size,
         .bodies = {index},
         .evaluate = [first = static_cast<std::size_t>(first), velocity](Observation const& o, Out out) {
           auto const from = velocity ? o.at.v : o.at.q;
           std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
         }});
  }

  void add_body(Body const& body, int index) {
    bool const slider = body.type == BodyType::slider;
    std::string const of = slider ? " along its axis" : " of the centre of mass";
    add_motion(body, index, "position", "position" + of, UnitId::metre, body.first, body.directions, false);
    add_motion(body, index, "velocity", "velocity" + of, UnitId::metre_per_second, body.first,
               body.directions, true);
    if (body.type != BodyType::planar) return;
    add_motion(body, index, "angle", "angle, counter-clockwise from x", UnitId::radian, body.first + 2, 1,
               false);
    add_motion(body, index, "angular_velocity", "angular velocity", UnitId::radian_per_second, body.first + 2,
               1, true);
  }

  void add_contact(Contact const& contact, int block) {
    int const body = contact.point.body;
    std::size_t const normal = static_cast<std::size_t>(scene_.normal_axis());
    add({.name = contact.name + ".position",
         .description = "position of the contact point",
         .unit = UnitId::metre,
         .size = scene_.dimension,
         .bodies = {body},
         .evaluate = [point = contact.point](Observation const& o, Out out) {
           auto const motion = o.system.motion_of(point, o.at);
           std::copy_n(motion.position.begin(), out.size(), out.begin());
         }});
    add({.name = contact.name + ".velocity",
         .description = "velocity of the contact point",
         .unit = UnitId::metre_per_second,
         .size = scene_.dimension,
         .bodies = {body},
         .evaluate = [point = contact.point](Observation const& o, Out out) {
           auto const motion = o.system.motion_of(point, o.at);
           std::copy_n(motion.velocity.begin(), out.size(), out.begin());
         }});
    add({.name = contact.name + ".gap",
         .description =
             "height of the contact point above the ground; negative where the relaxation lets it penetrate",
         .unit = UnitId::metre,
         .bodies = {body},
         .element = contact.name,
         .evaluate = [contact, normal](Observation const& o, Out out) {
           out[0] = o.system.motion_of(contact.point, o.at).position[normal] -
                    o.at.parameter[static_cast<std::size_t>(contact.height)];
         }});
    add_force(contact.name, body, block, contact.mu >= 0 ? scene_.dimension : 1,
              contact.mu >= 0 ? "contact force on the body: tangential, then normal"
                              : "normal contact force on the body");
    add({.name = contact.name + ".solutions",
         .description = "number of solutions of this contact's problem: 0 where it has none, more than 1 in "
                        "a Painleve paradox",
         .type = VariableType::integer,
         .minimum = 0,
         .bodies = {body},
         .feedthrough = true,
         .element = contact.name,
         .evaluate = [block = static_cast<std::size_t>(block)](Observation const& o, Out out) {
           out[0] = o.dynamics.solution().solutions[block];
         }});
  }

  void add_force(std::string const& name, int body, int block, int size, std::string const& description) {
    add({.name = name + ".force",
         .description = description,
         .unit = UnitId::newton,
         .size = size,
         .bodies = {body},
         .feedthrough = true,
         .element = name,
         .evaluate = [block = static_cast<std::size_t>(block)](Observation const& o, Out out) {
           Eigen::Index const first = o.system.blocks()[block].first_row;
           for (std::size_t i = 0; i < out.size(); ++i)
             out[i] = o.dynamics.solution().lambda(first + static_cast<Eigen::Index>(i));
         }});
    add({.name = name + ".mode",
         .description = "detached, stick or slip",
         .type = VariableType::enumeration,
         .enumeration = &contact_mode_enumeration(),
         .bodies = {body},
         .feedthrough = true,
         .element = name,
         .evaluate = [block = static_cast<std::size_t>(block)](Observation const& o, Out out) {
           out[0] = static_cast<double>(o.dynamics.solution().modes[block]);
         }});
  }

  void add_totals() {
    std::vector<int> everything(scene_.bodies.size());
    std::iota(everything.begin(), everything.end(), 0);
    if (!scene_.contacts.empty() || !scene_.frictions.empty()) {
      add({.name = "contact.residual",
           .description = "scale-free residual of the contact problem; 1e-12 is solved",
           .minimum = 0,
           .bodies = everything,
           .feedthrough = true,
           .element = "*",
           .evaluate = [](Observation const& o, Out out) { out[0] = o.dynamics.solution().residual; }});
    }
    auto const energy = [&](std::string const& name, std::string const& description, bool kinetic,
                            bool potential) {
      add({.name = "energy." + name,
           .description = description,
           .unit = UnitId::joule,
           .bodies = everything,
           .evaluate = [kinetic, potential](Observation const& o, Out out) {
             out[0] = (kinetic ? kinetic_energy(o.dynamics.terms(), o.at.v) : 0) +
                      (potential ? o.system.potential_energy(o.at) : 0);
           }});
    };
    energy("kinetic", "kinetic energy", true, false);
    energy("potential", "potential energy of gravity, zero at the world's origin", false, true);
    energy("total", "kinetic and potential energy", true, true);
  }

  Scene const& scene_;
  std::vector<OutputDefinition> list_;
};

}  // namespace

std::vector<OutputDefinition> outputs_of(Scene const& scene) {
  return OutputList(scene).take();
}

}  // namespace delassus
