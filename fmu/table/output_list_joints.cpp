// Outputs of what holds bodies: joints, frictions of known bound, rolling, knife edges.
#include "fmu/table/output_list.hpp"
#include "fmu/table/wrench_observation.hpp"
#include "model/equations/joint_rows.hpp"

namespace delassus {

void OutputList::add_joint(Joint const& joint, std::size_t index) {
  int const body = joint.a.body != ground_body && scene_.bodies[index_of(joint.a.body)].moves_freely()
                       ? joint.a.body
                       : joint.b.body;
  auto const identity = [&](JointPart part) {
    return identity_of(BlockOwner::joint, index, static_cast<std::size_t>(part));
  };
  int const translations = translations_of(joint.type, scene_.dimension),
            rotations = rotations_of(joint.type, scene_.dimension);
  if (translations > 0) {
    add_force(joint.name + ".force", body, identity(JointPart::translations), translations, UnitId::newton,
              "force on " + name_of_body(joint.a.body) +
                  " along the directions that the joint holds, which are fixed in " +
                  name_of_body(joint.b.body));
  }
  if (rotations > 0) {
    add_force(joint.name + ".torque", body, identity(JointPart::rotations), rotations, UnitId::newton_metre,
              "torque on " + name_of_body(joint.a.body) + " about the directions that the joint holds");
  }
  add_joint_wrench(joint, index, body);
  if (!has_free_coordinate(joint.type)) return;
  bool const angle = has_free_angle(joint.type);
  Indices initial = dependencies_.initial_state_of_forces(body), parameters = dependencies_.forces(body);
  append(initial, parameters);
  std::vector<int> const ends = moving({joint.a.body, joint.b.body});
  add_motion(joint.name + (angle ? ".angle" : ".position"),
             angle ? "angle of " + name_of_body(joint.a.body) + " relative to " + name_of_body(joint.b.body) +
                         ", initially zero"
                   : "position of " + name_of_body(joint.a.body) + " along the axis, relative to " +
                         name_of_body(joint.b.body) + ", initially zero",
             angle ? UnitId::radian : UnitId::metre, 1, {ends, {}}, initial, parameters,
             [index](auto const& o, auto out) {
               out[0] = o.system.joint_rows(o.system.scene().joints[index], o.at).coordinate;
             });
  std::vector<int> prescribed;
  for (int const end : {joint.a.body, joint.b.body}) {
    if (end != ground_body && scene_.bodies[index_of(end)].motion_is_input) prescribed.push_back(end);
  }
  add({.name = joint.name + (angle ? ".angular_velocity" : ".velocity"),
       .description = angle ? "angular velocity of " + name_of_body(joint.a.body) + " relative to " +
                                  name_of_body(joint.b.body)
                            : "velocity of " + name_of_body(joint.a.body) + " along the axis, relative to " +
                                  name_of_body(joint.b.body),
       .unit = angle ? UnitId::radian_per_second : UnitId::metre_per_second,
       .initial_parameters = initial,
       .parameters = parameters,
       .position_of = ends,
       .velocity_of = ends,
       .feedthrough_motions = prescribed,
       .evaluate = [index](auto const& o, auto out) {
         out[0] = o.system.joint_rows(o.system.scene().joints[index], o.at).along.velocity;
       }});
  if (joint.friction < 0) return;
  add_force(joint.name + (angle ? ".friction_torque" : ".friction_force"), body,
            identity(JointPart::friction), 1, angle ? UnitId::newton_metre : UnitId::newton,
            (angle ? "dry friction torque on " : "dry friction force on ") + name_of_body(joint.a.body));
  add_mode(joint.name, body, identity(JointPart::friction));
}

// The wrench of a joint acts on a, at its point there; that on b is the opposite one at the same place.
void OutputList::add_joint_wrench(Joint const& joint, std::size_t index, int body) {
  std::string const on = " on " + name_of_body(joint.a.body), from = " from " + name_of_body(joint.b.body);
  bool const free = has_free_coordinate(joint.type), angle = has_free_angle(joint.type),
             stops = joint.lower >= 0 || joint.upper >= 0;
  auto const add_part = [&](std::string const& name, std::string const& description, bool torque, auto part) {
    add_forced({.name = joint.name + name,
                .description = description,
                .unit = torque ? UnitId::newton_metre : UnitId::newton,
                .size = torque ? scene_.rotations() : scene_.dimension,
                .on_request = true,
                .evaluate =
                    [index, torque, part](auto const& o, auto out) {
                      auto const wrench = part(observe_joint(o, index));
                      if (torque) {
                        put_torque(wrench.torque, out);
                      } else {
                        put(wrench.force, out);
                      }
                    }},
               body);
  };
  auto const whole = [](auto const& observed) { return observed.whole; };
  auto const of_stops = [](auto const& observed) { return observed.stops; };
  std::string const with = std::string(stops ? ", stops" : "") + (joint.friction >= 0 ? ", friction" : "") +
                           (joint.drive >= 0 ? ", drive" : "");
  std::string const all = with.empty() ? "" : "; with" + with.substr(1);
  add_part(".world_force",
           "force of the joint" + on + from + ", along the axes of the world" + (angle ? "" : all), false,
           whole);
  if (rotations_of(joint.type, scene_.dimension) > 0 || (angle && !with.empty())) {
    add_part(".world_torque",
             "torque of the joint" + on + from + " about the point where it holds " +
                 name_of_body(joint.a.body) + axes_of_torque() + (angle ? all : ""),
             true, whole);
  }
  if (!free || !stops) return;
  add_forced({.name = joint.name + (angle ? ".stop_torque" : ".stop_force"),
              .description = std::string(angle ? "torque" : "force") + " of the stops" + on +
                             (angle ? " about" : " along") +
                             " the axis: positive at the lower stop, negative at the upper one, else zero",
              .unit = angle ? UnitId::newton_metre : UnitId::newton,
              .evaluate = [index](auto const& o, auto out) { out[0] = stop_force(o, index); }},
             body);
  if (!angle) {
    add_part(".world_stop_force", "force of the stops" + on + ", along the axes of the world", false,
             of_stops);
  } else if (scene_.dimension == 3) {
    add_part(".world_stop_torque", "torque of the stops" + on + ", along the axes of the world", true,
             of_stops);
  }
}

void OutputList::add_friction(Friction const& friction, std::size_t index) {
  std::string axes;
  for (int const axis : friction.axes) axes += (axes.empty() ? "" : " and ") + std::string(1, "xyz"[axis]);
  BlockIdentity const identity = identity_of(BlockOwner::friction, index);
  add_force(friction.name + ".force", friction.point.body, identity, static_cast<int>(friction.axes.size()),
            UnitId::newton,
            "friction force on " + name_of_body(friction.point.body) + ", along " + axes + " of the world");
  add_mode(friction.name, friction.point.body, identity);
}

// Its force follows from the motion, without feedthrough of inputs.
void OutputList::add_spring(Spring const& spring, std::size_t index) {
  bool const torsional = spring.torsional;
  std::vector<int> const ends = moving({spring.a.body, spring.b.body});
  std::vector<int> prescribed;
  for (int const end : ends) {
    if (scene_.bodies[index_of(end)].motion_is_input) prescribed.push_back(end);
  }
  int const body = ends.front();
  Indices initial = dependencies_.initial_state_of_forces(body);
  append(initial, dependencies_.forces(body));
  auto const add_part = [&](std::string const& name, std::string const& description, int size,
                            bool on_request, OutputEvaluation evaluate) {
    add({.name = spring.name + name,
         .description = description,
         .unit = torsional ? UnitId::newton_metre : UnitId::newton,
         .size = size,
         .initial_parameters = initial,
         .parameters = dependencies_.forces(body),
         .position_of = ends,
         .velocity_of = ends,
         .feedthrough_motions = prescribed,
         .on_request = on_request,
         .evaluate = std::move(evaluate)});
  };
  std::string const on = " of the spring and its damper on " + name_of_body(spring.a.body);
  add_part(torsional ? ".torque" : ".force",
           torsional ? "torque" + on + " about the axis"
                     : "force" + on + ": positive pushes apart, negative pulls",
           1, false, [index](auto const& o, auto out) { out[0] = observe_spring(o, index).size; });
  if (torsional && scene_.dimension == 2) return;
  add_part(torsional ? ".world_torque" : ".world_force",
           (torsional ? "torque" : "force") + on + ", along the axes of the world", scene_.dimension, true,
           [index](auto const& o, auto out) { put(observe_spring(o, index).on_a, out); });
}

void OutputList::add_rolling(Rolling const& rolling, std::size_t index) {
  int const on = rolling.b.point.body;
  BlockIdentity const identity = identity_of(BlockOwner::rolling, index);
  add_force(rolling.name + ".force", on, identity, scene_.dimension - 1, UnitId::newton,
            "tangential force that prevents slip");
  add_world_force(rolling.name, on, rolling.a.point.body, identity);
}

void OutputList::add_knife_edge(KnifeEdge const& edge, std::size_t index) {
  BlockIdentity const identity = identity_of(BlockOwner::knife_edge, index);
  add_force(edge.name + ".force", edge.point.body, identity, 1, UnitId::newton,
            "force that prevents sideways motion, along the blocked direction");
  add_world_force(edge.name, edge.point.body, ground_body, identity);
}

void OutputList::add_world_force(std::string const& name, int on, int from, BlockIdentity identity) {
  auto const moves = [&](int body) {
    return body != ground_body && scene_.bodies[index_of(body)].degrees_of_freedom >= scene_.dimension;
  };
  if (!moves(on) && !moves(from)) return;
  bool const opposite = !moves(on);
  int const mass = scene_.bodies[index_of(opposite ? from : on)].mass_block;
  add_forced({.name = name + ".world_force",
              .description = "the force on " + name_of_body(on) + ", along the axes of the world",
              .unit = UnitId::newton,
              .size = scene_.dimension,
              .on_request = true,
              .evaluate =
                  [identity, mass, opposite](auto const& o, auto out) {
                    auto const force = force_on_mass(o, identity, mass);
                    for (std::size_t k = 0; k < out.size(); ++k) {
                      auto const component = force[static_cast<Eigen::Index>(k)];
                      out[k] = opposite ? -component : component;
                    }
                  }},
             opposite ? from : on);
}

}  // namespace delassus
