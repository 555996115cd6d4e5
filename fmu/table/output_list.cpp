#include "fmu/table/output_list.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "fmu/table/contact_observation.hpp"

namespace delassus {

OutputList::OutputList(Scene const& scene) : scene_(scene), dependencies_(scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) add_body(scene.bodies[i], static_cast<int>(i));
  for (std::size_t i = 0; i < scene.points.size(); ++i) add_point(scene.points[i], static_cast<int>(i));
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) add_contact(scene.contacts[i], static_cast<int>(i));
  for (std::size_t i = 0; i < scene.groups.size(); ++i) add_group(scene.groups[i], static_cast<int>(i));
  for (std::size_t i = 0; i < scene.frictions.size(); ++i) add_friction(scene.frictions[i], i);
  for (std::size_t i = 0; i < scene.joints.size(); ++i) add_joint(scene.joints[i], i);
  for (std::size_t i = 0; i < scene.springs.size(); ++i) add_spring(scene.springs[i], i);
  for (std::size_t i = 0; i < scene.rollings.size(); ++i) add_rolling(scene.rollings[i], i);
  for (std::size_t i = 0; i < scene.knife_edges.size(); ++i) add_knife_edge(scene.knife_edges[i], i);
  add_totals();
}

void OutputList::add(OutputDefinition definition) {
  definition.array = definition.size > 1;
  list_.push_back(std::move(definition));
}

std::vector<int> OutputList::moving(std::initializer_list<int> bodies) {
  std::vector<int> list;
  std::copy_if(bodies.begin(), bodies.end(), std::back_inserter(list),
               [](int body) { return body != ground_body; });
  return list;
}

void OutputList::add_motion(std::string const& name, std::string const& description, UnitId unit, int size,
                            Motion const& motion, Indices initial_parameters, Indices parameters,
                            OutputEvaluation evaluate) {
  add({.name = name,
       .description = description,
       .unit = unit,
       .size = size,
       .initial_parameters = std::move(initial_parameters),
       .parameters = std::move(parameters),
       .position_of = motion.position_of,
       .velocity_of = motion.velocity_of,
       .evaluate = std::move(evaluate)});
}

void OutputList::add_body(Body const& body, int index) {
  if (body.coordinates == 0) return;
  bool const slides = body.type == BodyType::slider, free = body.moves_freely();
  std::string const of = slides                            ? " along the axis of the slider"
                         : body.center_of_mass < 0 && free ? " of the centre of mass, in the world"
                                                           : " of the body's origin, in the world";
  int const directions = slides ? 1 : scene_.dimension;
  auto const pose = [index](auto const& o) { return pose_of(o.system.scene(), index, o.at); };
  int const axis = body.axis;
  // Besides the state, the position of the origin depends on the centre of mass in the body's frame.
  Indices const centre = body.center_of_mass < 0 ? Indices{} : dependencies_.inertia(body);
  add_motion(body.name + ".position", "position" + of, UnitId::metre, directions, {{index}, {}},
             dependencies_.initial_position(body), centre, [pose, slides, axis](auto const& o, auto out) {
               auto const at = pose(o);
               if (slides) {
                 out[0] = at.twist.origin[axis];
               } else {
                 put(at.point(decltype(at.center_of_mass)::Zero()), out);
               }
             });
  if (free) {
    add_motion(body.name + ".velocity", "velocity" + of, UnitId::metre_per_second, directions,
               {centre.empty() ? Indices{} : Indices{index}, {index}}, dependencies_.initial_velocity(body),
               centre, [pose, slides, axis](auto const& o, auto out) {
                 auto const at = pose(o);
                 if (slides) {
                   out[0] = at.twist.velocity[axis];
                 } else {
                   put(at.twist.at(at.point(decltype(at.center_of_mass)::Zero())), out);
                 }
               });
  }
  if (body.type == BodyType::point || slides) return;
  if (scene_.dimension == 2) {
    add_motion(body.name + ".angle", "angle in the plane, counter-clockwise from x", UnitId::radian, 1,
               {{index}, {}}, {body.initial_angle}, {},
               [pose](auto const& o, auto out) { out[0] = pose(o).angle; });
    if (free) {
      add_motion(body.name + ".angular_velocity", "angular velocity, counter-clockwise",
                 UnitId::radian_per_second, 1, {{}, {index}}, dependencies_.initial_spin(body), {},
                 [pose](auto const& o, auto out) { out[0] = pose(o).twist.omega[2]; });
    }
    return;
  }
  int const first = body.first_coordinate + 3;
  add_motion(body.name + ".orientation",
             "orientation as a unit quaternion w x y z, from the body's frame to the world", UnitId::one, 4,
             {{index}, {}}, {body.initial_angle}, {}, [first](auto const& o, auto out) {
               using Scalar = typename std::decay_t<decltype(o)>::Scalar;
               Eigen::Map<const QuaternionOf<Scalar>> const quaternion(o.at.q.data() + first);
               Scalar const norm = quaternion.norm();
               for (std::size_t k = 0; k < 4; ++k) out[k] = quaternion[static_cast<Eigen::Index>(k)] / norm;
             });
  if (free) {
    add_motion(body.name + ".angular_velocity", "angular velocity, along the axes of the world",
               UnitId::radian_per_second, 3, {{}, {index}}, dependencies_.initial_spin(body), {},
               [pose](auto const& o, auto out) { put(pose(o).twist.omega, out); });
  }
}

// Of bodies that move: the points of fixed ones stay where they are.
void OutputList::add_point(BodyPoint const& point, int index) {
  Body const& body = scene_.bodies[index_of(point.body)];
  if (body.coordinates == 0) return;
  PointReference const reference{point.body, index};
  // Besides the state, its place depends on that in the frame of the body, and on the centre of mass there.
  Indices geometry = dependencies_.geometry(reference);
  if (body.center_of_mass >= 0) append(geometry, dependencies_.inertia(body));
  add_motion(
      point.name + ".world_position", "position of the point, in the world", UnitId::metre, scene_.dimension,
      {{point.body}, {}}, dependencies_.initial_position(reference), geometry,
      [reference](auto const& o, auto out) { put(o.system.motion_of(reference, o.at).position, out); });
  Indices velocity = geometry;
  if (!body.motion_is_input) append(velocity, {body.motion_velocity, body.motion_angular_velocity});
  Indices initial_velocity = dependencies_.initial_velocity(reference);
  append(initial_velocity, {body.initial_angle});
  add({.name = point.name + ".world_velocity",
       .description = "velocity of the point, along the axes of the world",
       .unit = UnitId::metre_per_second,
       .size = scene_.dimension,
       .initial_parameters = initial_velocity,
       .parameters = velocity,
       .position_of = {point.body},
       .velocity_of = {point.body},
       .feedthrough_motions = body.motion_is_input ? std::vector<int>{point.body} : std::vector<int>{},
       .evaluate = [reference](auto const& o, auto out) {
         put(o.system.motion_of(reference, o.at).velocity, out);
       }});
}

void OutputList::add_forced(OutputDefinition definition, int body) {
  definition.initial_parameters = dependencies_.initial_state_of_forces(body);
  definition.parameters = dependencies_.forces(body);
  definition.feedthrough = definition.position_of = definition.velocity_of = dependencies_.cluster(body);
  add(std::move(definition));
}

void OutputList::add_force(std::string const& name, int body, BlockIdentity identity, int size, UnitId unit,
                           std::string const& description) {
  add_forced({.name = name,
              .description = description,
              .unit = unit,
              .size = size,
              .evaluate =
                  [identity](auto const& o, auto out) {
                    int const block = find_block(o.dynamics.terms(), identity);
                    Eigen::Index const first =
                        block < 0 ? 0 : o.dynamics.terms().blocks[index_of(block)].first_row;
                    for (std::size_t i = 0; i < out.size(); ++i)
                      out[i] = block < 0 ? 0.0 : o.lambda(first + static_cast<Eigen::Index>(i));
                  }},
             body);
}

void OutputList::add_mode(std::string const& name, int body, BlockIdentity identity) {
  add_forced({.name = name + ".mode",
              .description = "state of the friction",
              .type = VariableType::enumeration,
              .enumeration = &contact_mode_enumeration(),
              .evaluate =
                  [identity](Observation const& o, Out out) {
                    int const block = find_block(o.dynamics.terms(), identity);
                    out[0] = static_cast<double>(block < 0 ? ContactMode::detached
                                                           : o.dynamics.solution().modes[index_of(block)]);
                  }},
             body);
}

void OutputList::add_totals() {
  std::vector<int> all_bodies(scene_.bodies.size());
  std::iota(all_bodies.begin(), all_bodies.end(), 0);
  Indices const everything = Indices::shared(all_bodies);
  Indices all_initial_parameters, all_contact_parameters, masses, inertias, positions, velocities;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    int const index = static_cast<int>(i);
    Body const& body = scene_.bodies[i];
    if (dependencies_.is_first_of_cluster(index)) {
      append(all_contact_parameters, dependencies_.forces(index));
      append(all_initial_parameters, dependencies_.initial_state_of_forces(index));
    }
    if (!body.moves_freely()) continue;
    append(masses, body.from_shapes ? dependencies_.inertia(body) : Indices{body.mass});
    append(inertias, dependencies_.inertia(body));
    append(positions, dependencies_.initial_position(body));
    append(velocities, dependencies_.initial_velocity(body));
    append(velocities, {body.initial_angular_velocity});
    if (body.type == BodyType::rigid) append(velocities, {body.initial_angle});
  }
  bool const constrained = !scene_.contacts.empty() || !scene_.frictions.empty() || !scene_.groups.empty() ||
                           !scene_.joints.empty() || !scene_.rollings.empty() || !scene_.knife_edges.empty();
  if (constrained && scene_.interface.analysis) {
    add({.name = "contact.residual",
         .description = "residual of the contact problem, scaled: 1e-12 or less is solved to rounding errors",
         .range = not_negative,
         .initial_parameters = all_initial_parameters,
         .parameters = all_contact_parameters,
         .feedthrough = everything,
         .position_of = everything,
         .velocity_of = everything,
         // The accuracy of the solution does not depend on anything: its derivative is zero.
         .evaluate = [](auto const& o, auto out) {
           if constexpr (std::is_same_v<std::decay_t<decltype(out[0])>, double>) {
             out[0] = o.dynamics.solution().residual;
           } else {
             out[0] = {o.dynamics.solution().residual, 0};
           }
         }});
  }
  // The energy of springs and compliant contacts depends on more than masses and positions.
  auto const compliant = [](auto const& contact) { return contact.law.compliant(); };
  bool const stores = !scene_.springs.empty() ||
                      std::any_of(scene_.contacts.begin(), scene_.contacts.end(), compliant) ||
                      std::any_of(scene_.groups.begin(), scene_.groups.end(), compliant);
  auto const energy = [&](std::string const& name, std::string const& description, bool kinetic,
                          bool potential) {
    Indices parameters = kinetic ? inertias : masses, initial_parameters = kinetic ? velocities : positions;
    if (kinetic && potential) append(initial_parameters, positions);
    if (potential) append(parameters, {scene_.gravity});
    if (potential && stores) {
      append(parameters, all_contact_parameters);
      append(initial_parameters, all_initial_parameters);
    }
    add({.name = "energy." + name,
         .description = description,
         .unit = UnitId::joule,
         .initial_parameters = initial_parameters,
         .parameters = parameters,
         .position_of = everything,
         .velocity_of = kinetic ? everything : Indices{},
         .evaluate = [kinetic, potential](auto const& o, auto out) {
           out[0] = (kinetic ? kinetic_energy(o.terms(), o.at.v) : 0) +
                    (potential ? o.system.potential_energy(o.at) : 0);
         }});
  };
  energy("kinetic", "kinetic energy", true, false);
  energy("potential",
         stores
             ? "potential energy of gravity (zero at the origin of the world), springs and compliant contacts"
             : "potential energy of gravity, zero at the origin of the world",
         false, true);
  energy("total", "sum of kinetic and potential energy", true, true);
}

}  // namespace delassus
