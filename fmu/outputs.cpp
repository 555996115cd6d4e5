#include "fmu/outputs.hpp"

#include <algorithm>
#include <numeric>

namespace delassus {
namespace {

using Out = std::span<double>;
using Indices = std::vector<int>;

void append(Indices& indices, Indices const& more) {
  for (int const index : more) {
    if (index >= 0) indices.push_back(index);
  }
}

Indices geometry(Scene const& scene, int point) {
  Indices indices;
  if (point < 0) return indices;
  BodyPoint const& p = scene.points[static_cast<std::size_t>(point)];
  if (p.fraction >= 0) return {p.fraction, scene.bodies[static_cast<std::size_t>(p.body)].half_length};
  return {p.position};
}

// A rod's inertia is calculated from its mass and half length; those are what a user can set.
Indices inertia(Body const& body) {
  Indices indices;
  append(indices, {body.mass, body.half_length >= 0 ? body.half_length : body.inertia});
  return indices;
}

// Where the initial state is given for a point, that of the centre follows from the arm to it and its angle.
Indices initial_position(Scene const& scene, Body const& body) {
  Indices indices{body.initial_position};
  if (body.initial_point >= 0) append(indices, {body.initial_angle});
  append(indices, geometry(scene, body.initial_point));
  return indices;
}

Indices initial_velocity(Scene const& scene, Body const& body) {
  Indices indices{body.initial_velocity};
  if (body.initial_point >= 0) append(indices, {body.initial_angle, body.initial_angular_velocity});
  append(indices, geometry(scene, body.initial_point));
  return indices;
}

// What the contact forces on a body follow through its initial state. Friction of known bound does not care
// where it is.
Indices initial_state_of_forces(Scene const& scene, int index) {
  Body const& body = scene.bodies[static_cast<std::size_t>(index)];
  Indices indices = initial_velocity(scene, body);
  append(indices, {body.initial_angle, body.initial_angular_velocity});
  bool const touches = std::any_of(scene.contacts.begin(), scene.contacts.end(),
                                   [&](Contact const& c) { return c.point.body == index; });
  if (touches) append(indices, initial_position(scene, body));
  return indices;
}

// The position of a point on a body.
Indices initial_point_position(Scene const& scene, PointReference const& point) {
  Body const& body = scene.bodies[static_cast<std::size_t>(point.body)];
  Indices indices = initial_position(scene, body);
  if (point.point >= 0) append(indices, {body.initial_angle});
  return indices;
}

Indices initial_point_velocity(Scene const& scene, PointReference const& point) {
  Body const& body = scene.bodies[static_cast<std::size_t>(point.body)];
  Indices indices = initial_velocity(scene, body);
  if (point.point >= 0) append(indices, {body.initial_angle, body.initial_angular_velocity});
  return indices;
}

// All that the contact forces on a body follow: its own inertia, all its constraints, and where forces act on
// it.
Indices contact_force_parameters(Scene const& scene, int index) {
  Indices indices = inertia(scene.bodies[static_cast<std::size_t>(index)]);
  append(indices, {scene.gravity});
  for (Contact const& contact : scene.contacts) {
    if (contact.point.body != index) continue;
    append(indices, {contact.mu, contact.restitution >= 0 ? contact.restitution : contact.zeta, contact.delta,
                     contact.height});
    append(indices, geometry(scene, contact.point.point));
  }
  for (Friction const& friction : scene.frictions) {
    if (friction.point.body != index) continue;
    append(indices, {friction.bound, friction.zeta, friction.delta});
    append(indices, geometry(scene, friction.point.point));
  }
  for (ForceInput const& force : scene.forces) {
    if (force.point.body == index) append(indices, geometry(scene, force.point.point));
  }
  return indices;
}

class OutputList {
 public:
  explicit OutputList(Scene const& scene) : scene_(scene) {
    for (Body const& body : scene.bodies) add_body(body);
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
  void add_motion(Body const& body, std::string const& name, std::string const& description, UnitId unit,
                  int first, int size, bool velocity, Indices initial_parameters) {
    add({.name = body.name + "." + name,
         .description = description,
         .unit = unit,
         .size = size,
         .initial_parameters = std::move(initial_parameters),
         .evaluate = [first = static_cast<std::size_t>(first), velocity](Observation const& o, Out out) {
           auto const from = velocity ? o.at.v : o.at.q;
           std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
         }});
  }

  void add_body(Body const& body) {
    std::string const of = body.type == BodyType::slider ? " along its axis" : " of the centre of mass";
    add_motion(body, "position", "position" + of, UnitId::metre, body.first, body.directions, false,
               initial_position(scene_, body));
    add_motion(body, "velocity", "velocity" + of, UnitId::metre_per_second, body.first, body.directions, true,
               initial_velocity(scene_, body));
    if (body.type != BodyType::planar) return;
    add_motion(body, "angle", "angle, counter-clockwise from x", UnitId::radian, body.first + 2, 1, false,
               {body.initial_angle});
    add_motion(body, "angular_velocity", "angular velocity", UnitId::radian_per_second, body.first + 2, 1,
               true, {body.initial_angular_velocity});
  }

  void add_contact(Contact const& contact, int block) {
    int const body = contact.point.body;
    std::size_t const normal = static_cast<std::size_t>(scene_.normal_axis());
    add({.name = contact.name + ".position",
         .description = "position of the contact point",
         .unit = UnitId::metre,
         .size = scene_.dimension,
         .initial_parameters = initial_point_position(scene_, contact.point),
         .parameters = geometry(scene_, contact.point.point),
         .evaluate = [point = contact.point](Observation const& o, Out out) {
           auto const motion = o.system.motion_of(point, o.at);
           std::copy_n(motion.position.begin(), out.size(), out.begin());
         }});
    add({.name = contact.name + ".velocity",
         .description = "velocity of the contact point",
         .unit = UnitId::metre_per_second,
         .size = scene_.dimension,
         .initial_parameters = initial_point_velocity(scene_, contact.point),
         .parameters = geometry(scene_, contact.point.point),
         .evaluate = [point = contact.point](Observation const& o, Out out) {
           auto const motion = o.system.motion_of(point, o.at);
           std::copy_n(motion.velocity.begin(), out.size(), out.begin());
         }});
    Indices gap_parameters = geometry(scene_, contact.point.point);
    append(gap_parameters, {contact.height});
    add({.name = contact.name + ".gap",
         .description =
             "height of the contact point above the ground; negative where the relaxation lets it penetrate",
         .unit = UnitId::metre,
         .initial_parameters = initial_point_position(scene_, contact.point),
         .parameters = gap_parameters,
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
         .range = not_negative,
         .initial_parameters = initial_state_of_forces(scene_, body),
         .parameters = contact_force_parameters(scene_, body),
         .feedthrough = {body},
         .evaluate = [block = static_cast<std::size_t>(block)](Observation const& o, Out out) {
           out[0] = o.dynamics.solution().solutions[block];
         }});
  }

  void add_force(std::string const& name, int body, int block, int size, std::string const& description) {
    add({.name = name + ".force",
         .description = description,
         .unit = UnitId::newton,
         .size = size,
         .initial_parameters = initial_state_of_forces(scene_, body),
         .parameters = contact_force_parameters(scene_, body),
         .feedthrough = {body},
         .evaluate = [block = static_cast<std::size_t>(block)](Observation const& o, Out out) {
           Eigen::Index const first = o.system.blocks()[block].first_row;
           for (std::size_t i = 0; i < out.size(); ++i)
             out[i] = o.dynamics.solution().lambda(first + static_cast<Eigen::Index>(i));
         }});
    add({.name = name + ".mode",
         .description = "detached, stick or slip",
         .type = VariableType::enumeration,
         .enumeration = &contact_mode_enumeration(),
         .initial_parameters = initial_state_of_forces(scene_, body),
         .parameters = contact_force_parameters(scene_, body),
         .feedthrough = {body},
         .evaluate = [block = static_cast<std::size_t>(block)](Observation const& o, Out out) {
           out[0] = static_cast<double>(o.dynamics.solution().modes[block]);
         }});
  }

  void add_totals() {
    std::vector<int> everything(scene_.bodies.size());
    std::iota(everything.begin(), everything.end(), 0);
    Indices all_initial_parameters, all_contact_parameters, masses, inertias, positions, velocities;
    for (int const index : everything) {
      Body const& body = scene_.bodies[static_cast<std::size_t>(index)];
      append(all_contact_parameters, contact_force_parameters(scene_, index));
      append(masses, {body.mass});
      append(inertias, inertia(body));
      append(all_initial_parameters, initial_state_of_forces(scene_, index));
      append(positions, initial_position(scene_, body));
      append(velocities, initial_velocity(scene_, body));
      append(velocities, {body.initial_angular_velocity});
    }
    if (!scene_.contacts.empty() || !scene_.frictions.empty()) {
      add({.name = "contact.residual",
           .description = "scale-free residual of the contact problem; 1e-12 is solved",
           .range = not_negative,
           .initial_parameters = all_initial_parameters,
           .parameters = all_contact_parameters,
           .feedthrough = everything,
           .evaluate = [](Observation const& o, Out out) { out[0] = o.dynamics.solution().residual; }});
    }
    auto const energy = [&](std::string const& name, std::string const& description, bool kinetic,
                            bool potential) {
      Indices parameters = kinetic ? inertias : masses, initial_parameters = kinetic ? velocities : positions;
      if (kinetic && potential) append(initial_parameters, positions);
      if (potential) append(parameters, {scene_.gravity});
      add({.name = "energy." + name,
           .description = description,
           .unit = UnitId::joule,
           .initial_parameters = initial_parameters,
           .parameters = parameters,
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
