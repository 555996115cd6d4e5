#include "fmu/table/outputs.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "fmu/table/cone_observation.hpp"
#include "fmu/table/contact_observation.hpp"
#include "fmu/table/dependencies.hpp"

namespace delassus {
namespace {

using Out = std::span<double>;  // of outputs without derivatives
using Indices = Dependencies::Indices;

std::size_t index_of(int index) {
  return static_cast<std::size_t>(index);
}

template <class Vector, class Scalar>
void put(Vector const& vector, std::span<Scalar> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = vector[static_cast<Eigen::Index>(i)];
}

// "x", "x and y".
std::string axes_of(Friction const& friction) {
  std::string text;
  for (int const axis : friction.axes) text += (text.empty() ? "" : " and ") + std::string(1, "xyz"[axis]);
  return text;
}

class OutputList {
 public:
  explicit OutputList(Scene const& scene) : scene_(scene), dependencies_(scene) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) add_body(scene.bodies[i], static_cast<int>(i));
    for (std::size_t i = 0; i < scene.contacts.size(); ++i)
      add_contact(scene.contacts[i], static_cast<int>(i));
    for (std::size_t i = 0; i < scene.groups.size(); ++i) add_group(scene.groups[i], static_cast<int>(i));
    for (std::size_t i = 0; i < scene.frictions.size(); ++i) {
      Friction const& friction = scene.frictions[i];
      BlockIdentity const identity = identity_of(BlockOwner::friction, i);
      add_force(friction.name + ".force", friction.point.body, identity,
                static_cast<int>(friction.axes.size()), UnitId::newton,
                "friction force on the point, along " + axes_of(friction));
      add_mode(friction.name, friction.point.body, identity);
    }
    for (std::size_t i = 0; i < scene.joints.size(); ++i) add_joint(scene.joints[i], i);
    for (std::size_t i = 0; i < scene.rollings.size(); ++i) {
      add_force(scene.rollings[i].name + ".force", scene.rollings[i].b.point.body,
                identity_of(BlockOwner::rolling, i), scene.dimension - 1, UnitId::newton,
                "tangential force that prevents slip");
    }
    for (std::size_t i = 0; i < scene.knife_edges.size(); ++i) {
      add_force(scene.knife_edges[i].name + ".force", scene.knife_edges[i].point.body,
                identity_of(BlockOwner::knife_edge, i), 1, UnitId::newton,
                "force that prevents sideways motion, along the blocked direction");
    }
    add_totals();
  }

  std::vector<OutputDefinition> take() { return std::move(list_); }

 private:
  void add(OutputDefinition definition) {
    definition.array = definition.size > 1;
    list_.push_back(std::move(definition));
  }

  // The bodies whose positions and velocities an output depends on.
  struct Motion {
    std::vector<int> position_of, velocity_of;
  };
  static std::vector<int> moving(std::initializer_list<int> bodies) {
    std::vector<int> list;
    std::copy_if(bodies.begin(), bodies.end(), std::back_inserter(list),
                 [](int body) { return body != ground_body; });
    return list;
  }

  void add_motion(std::string const& name, std::string const& description, UnitId unit, int size,
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

  void add_body(Body const& body, int index) {
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
                 {centre.empty() ? std::vector<int>{} : std::vector<int>{index}, {index}},
                 dependencies_.initial_velocity(body), centre, [pose, slides, axis](auto const& o, auto out) {
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

  void add_contact(Contact const& contact, int index) {
    int const body = contact.b.point.body;
    bool const shapes = contact.a.shape >= 0 || contact.b.shape >= 0 || contact.a.point.body != ground_body;
    Indices geometry = dependencies_.geometry(contact.b);
    append(geometry, dependencies_.geometry(contact.a));
    append(geometry,
           contact.a.point.body != ground_body ? dependencies_.initial_position(contact.a.point) : Indices{});
    Indices position =
                shapes ? dependencies_.initial_state(body) : dependencies_.initial_position(contact.b.point),
            velocity =
                shapes ? dependencies_.initial_state(body) : dependencies_.initial_velocity(contact.b.point);
    append(position, dependencies_.initial_state(contact.a.point.body));
    append(velocity, dependencies_.initial_state(contact.a.point.body));
    Indices with_height = geometry, velocity_parameters = geometry;
    append(with_height, {contact.height});
    if (shapes) velocity_parameters = with_height;
    Body const* const other =
        contact.a.point.body == ground_body ? nullptr : &scene_.bodies[index_of(contact.a.point.body)];
    bool const prescribed = other && other->type == BodyType::prescribed;
    if (prescribed && !other->motion_is_input)
      append(velocity_parameters, {other->motion_velocity, other->motion_angular_velocity});

    std::vector<int> const velocity_motions =
        prescribed && other->motion_is_input ? std::vector<int>{contact.a.point.body} : std::vector<int>{};
    std::vector<int> const sides = moving({contact.a.point.body, body});
    add_motion(contact.name + ".position", "position of the contact point, in the world", UnitId::metre,
               scene_.dimension, {sides, {}}, position, shapes ? with_height : geometry,
               [index](auto const& o, auto out) {
                 put(o.system.nearest(o.system.scene().contacts[index_of(index)], o.at).position, out);
               });
    add({.name = contact.name + ".velocity",
         .description =
             other ? "velocity of the contact point relative to the other side, along the axes of the world"
                   : "velocity of the contact point, along the axes of the world",
         .unit = UnitId::metre_per_second,
         .size = scene_.dimension,
         .initial_parameters = velocity,
         .parameters = velocity_parameters,
         .position_of = sides,
         .velocity_of = sides,
         .feedthrough_motions = velocity_motions,
         .evaluate = [index](auto const& o, auto out) {
           put(o.system.nearest(o.system.scene().contacts[index_of(index)], o.at).velocity, out);
         }});
    add_motion(contact.name + ".gap",
               "smallest gap between the two sides; negative if they penetrate each other", UnitId::metre, 1,
               {sides, {}}, position, with_height, [index](auto const& o, auto out) {
                 out[0] = o.system.nearest(o.system.scene().contacts[index_of(index)], o.at).gap;
               });
    bool const frictional = contact.law.frictional();
    int const size = frictional ? scene_.dimension : 1;
    add_forced({.name = contact.name + ".force",
                .description = frictional ? "contact force on the body: tangential, then normal"
                                          : "normal contact force on the body",
                .unit = UnitId::newton,
                .size = size,
                .evaluate =
                    [index, frictional](auto const& o, auto out) {
                      auto const force = observe_contact(o, index).force;
                      for (std::size_t k = 0; k + 1 < out.size(); ++k)
                        out[k] = force[static_cast<Eigen::Index>(k)];
                      out[out.size() - 1] = force[2];
                    }},
               body);
    add_forced(
        {.name = contact.name + ".mode",
         .description = "state of the contact",
         .type = VariableType::enumeration,
         .enumeration = &contact_mode_enumeration(),
         .evaluate = [index](Observation const& o,
                             Out out) { out[0] = static_cast<double>(observe_contact(o, index).mode); }},
        body);
    add_forced(
        {.name = contact.name + ".solutions",
         .description = "number of solutions of the contact problem at this contact: 1 as a rule, 0 if "
                        "there is none, more if the motion is not unique",
         .type = VariableType::integer,
         .range = not_negative,
         .evaluate = [index](Observation const& o,
                             Out out) { out[0] = observe_contact(o, index).solutions; }},
        body);
    if (frictional && contact.law.normal == NormalLaw::rigid) add_paradox(contact.name, body, index);
    if (frictional && contact.law.normal == NormalLaw::rigid) add_cone(contact, index, velocity_motions);
    auto const kind = [&](ContactSide const& side) {
      return side.shape >= 0 ? scene_.shapes[index_of(side.shape)].kind : ShapeKind::point;
    };
    bool const several = [&] {
      for (ContactSide const* side : {&contact.a, &contact.b}) {
        if (kind(*side) == ShapeKind::box || kind(*side) == ShapeKind::capsule) return true;
      }
      return false;
    }();
    if (!several) return;
    add_forced(
        {.name = contact.name + ".points",
         .description = "number of contact points that carry force",
         .type = VariableType::integer,
         .range = not_negative,
         .evaluate = [index](Observation const& o, Out out) { out[0] = observe_contact(o, index).points; }},
        body);
  }

  void add_paradox(std::string const& contact, int body, int index) {
    add_forced({.name = contact + ".paradox",
                .description = "whether the rigid sliding contact has one solution, several or none",
                .type = VariableType::enumeration,
                .enumeration = &paradox_enumeration(),
                .evaluate = [index](Observation const& o,
                                    Out out) { out[0] = static_cast<double>(observe_paradox(o, index)); }},
               body);
  }

  // How near the contact is to jamming. It depends on positions and masses, and through mu on slip speed, but
  // not on forces.
  void add_cone(Contact const& contact, int index, std::vector<int> const& motions) {
    int const body = contact.b.point.body;
    auto const add_number = [&](std::string const& name, std::string const& description, UnitId unit,
                                Range range, auto number) {
      add({.name = contact.name + "." + name,
           .description = description,
           .unit = unit,
           .range = range,
           .initial_parameters = dependencies_.initial_state_of_forces(body),
           .parameters = dependencies_.forces(body),
           .position_of = dependencies_.cluster(body),
           .velocity_of = dependencies_.cluster(body),
           .feedthrough_motions = motions,
           .on_request = true,
           .evaluate = [index, number](auto const& o, auto out) {
             out[0] = number(observe_cone(o, index));
           }});
    };
    add_number(
        "mu_crit",
        "critical friction coefficient: at or above it, a contact that stops sliding during an impact does "
        "not start sliding again; 0 if the contact is open",
        UnitId::one, not_negative, [](auto const& cone) { return cone.mu_crit; });
    add_number(
        "mu_jam",
        "jamming friction coefficient: at or above it, friction presses the contact together in some sliding "
        "directions; 1e6 if the contact is open or friction cannot press it together",
        UnitId::one, any_number, [](auto const& cone) { return cone.mu_jam; });
    add_number("margin",
               "margin to jamming, mu_jam - mu: negative if the contact jams in some sliding directions",
               UnitId::one, any_number, [](auto const& cone) { return cone.margin; });
    add_number("locking_angle", "angle of the cone of sliding directions that jam; 0 if none does",
               UnitId::radian, not_negative, [](auto const& cone) { return cone.locking_angle; });
  }

  void add_group(ContactGroup const& group, int index) {
    int const body = scene_.shapes[index_of(group.shapes.front())].body;
    add_forced(
        {.name = group.name + ".points",
         .description = "number of contact points that carry force",
         .type = VariableType::integer,
         .range = not_negative,
         .evaluate = [index](Observation const& o, Out out) { out[0] = observe_group(o, index).points; }},
        body);
    add_forced({.name = group.name + ".force",
                .description = "sum of the normal contact forces of the group",
                .unit = UnitId::newton,
                .evaluate = [index](auto const& o, auto out) { out[0] = observe_group(o, index).force[2]; }},
               body);
    add_forced(
        {.name = group.name + ".penetration",
         .description = "largest penetration in the group; 0 if there is none",
         .unit = UnitId::metre,
         .range = not_negative,
         .evaluate = [index](auto const& o, auto out) { out[0] = observe_group(o, index).penetration; }},
        body);
  }

  void add_joint(Joint const& joint, std::size_t index) {
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
                "force on body a along the directions that the joint holds, which are fixed in body b");
    }
    if (rotations > 0) {
      add_force(joint.name + ".torque", body, identity(JointPart::rotations), rotations, UnitId::newton_metre,
                "torque on body a about the directions that the joint holds");
    }
    if (!has_free_coordinate(joint.type)) return;
    bool const angle = has_free_angle(joint.type);
    Indices initial = dependencies_.initial_state_of_forces(body), parameters = dependencies_.forces(body);
    append(initial, parameters);
    std::vector<int> const ends = moving({joint.a.body, joint.b.body});
    add_motion(joint.name + (angle ? ".angle" : ".position"),
               angle ? "angle of body a relative to body b, initially zero"
                     : "position of body a along the axis, relative to body b, initially zero",
               angle ? UnitId::radian : UnitId::metre, 1, {ends, {}}, initial, parameters,
               [index](auto const& o, auto out) {
                 out[0] = o.system.joint_rows(o.system.scene().joints[index], o.at).coordinate;
               });
    std::vector<int> prescribed;
    for (int const end : {joint.a.body, joint.b.body}) {
      if (end != ground_body && scene_.bodies[index_of(end)].motion_is_input) prescribed.push_back(end);
    }
    add({.name = joint.name + (angle ? ".angular_velocity" : ".velocity"),
         .description = angle ? "angular velocity of body a relative to body b"
                              : "velocity of body a along the axis, relative to body b",
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
              angle ? "dry friction torque on body a" : "dry friction force on body a");
    add_mode(joint.name, body, identity(JointPart::friction));
  }

  // Adds an output that depends on the forces in the cluster of a body.
  void add_forced(OutputDefinition definition, int body) {
    definition.initial_parameters = dependencies_.initial_state_of_forces(body);
    definition.parameters = dependencies_.forces(body);
    definition.feedthrough = definition.position_of = definition.velocity_of = dependencies_.cluster(body);
    add(std::move(definition));
  }

  void add_force(std::string const& name, int body, BlockIdentity identity, int size, UnitId unit,
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

  void add_mode(std::string const& name, int body, BlockIdentity identity) {
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

  void add_totals() {
    std::vector<int> everything;
    Indices all_initial_parameters, all_contact_parameters, masses, inertias, positions, velocities;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      int const index = static_cast<int>(i);
      everything.push_back(index);
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
    bool const constrained = !scene_.contacts.empty() || !scene_.frictions.empty() ||
                             !scene_.groups.empty() || !scene_.joints.empty() || !scene_.rollings.empty() ||
                             !scene_.knife_edges.empty();
    if (constrained) {
      add({.name = "contact.residual",
           .description =
               "residual of the contact problem, scaled: 1e-12 or less is solved to rounding errors",
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
           .velocity_of = kinetic ? everything : std::vector<int>{},
           .evaluate = [kinetic, potential](auto const& o, auto out) {
             out[0] = (kinetic ? kinetic_energy(o.terms(), o.at.v) : 0) +
                      (potential ? o.system.potential_energy(o.at) : 0);
           }});
    };
    energy("kinetic", "kinetic energy", true, false);
    energy(
        "potential",
        stores
            ? "potential energy of gravity (zero at the origin of the world), springs and compliant contacts"
            : "potential energy of gravity, zero at the origin of the world",
        false, true);
    energy("total", "sum of kinetic and potential energy", true, true);
  }

  Scene const& scene_;
  Dependencies dependencies_;
  std::vector<OutputDefinition> list_;
};

}  // namespace

std::vector<OutputDefinition> outputs_of(Scene const& scene) {
  return OutputList(scene).take();
}

}  // namespace delassus
