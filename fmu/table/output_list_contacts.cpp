// Outputs of contacts and groups of contacts.
#include <algorithm>

#include "fmu/table/cone_observation.hpp"
#include "fmu/table/contact_observation.hpp"
#include "fmu/table/output_list.hpp"
#include "fmu/table/wrench_observation.hpp"

namespace delassus {

void OutputList::add_contact(Contact const& contact, int index) {
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
  add_forced({.name = contact.name + ".mode",
              .description = "state of the contact",
              .type = VariableType::enumeration,
              .enumeration = &contact_mode_enumeration(),
              .evaluate = [index](Observation const& o,
                                  Out out) { out[0] = static_cast<double>(observe_contact(o, index).mode); }},
             body);
  add_contact_force(contact, index);
  if (scene_.interface.analysis) {
    add_solutions(contact.name, body, index);
    if (frictional && contact.law.normal == NormalLaw::rigid) {
      add_paradox(contact.name, body, index);
      add_cone(contact, index, velocity_motions);
    }
  }
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

void OutputList::add_contact_force(Contact const& contact, int index) {
  int const body = contact.b.point.body;
  std::string const on = " on " + name_of_body(body), from = " from " + name_of_body(contact.a.point.body);
  add_forced(
      {.name = contact.name + ".world_force",
       .description = "contact force" + on + from + ", along the axes of the world",
       .unit = UnitId::newton,
       .size = scene_.dimension,
       .on_request = true,
       .evaluate = [index](auto const& o, auto out) { put(observe_contact_wrench(o, index).force, out); }},
      body);
  if (!scene_.bodies[index_of(body)].turns()) return;
  add_forced({.name = contact.name + ".world_torque",
              .description = "torque of the contact force" + on + " about " + name_of_body(body) +
                             ".position" + axes_of_torque(),
              .unit = UnitId::newton_metre,
              .size = scene_.rotations(),
              .on_request = true,
              .evaluate = [index](auto const& o,
                                  auto out) { put_torque(observe_contact_wrench(o, index).torque, out); }},
             body);
}

void OutputList::add_solutions(std::string const& contact, int body, int index) {
  add_forced(
      {.name = contact + ".solutions",
       .description = "number of solutions of the contact problem at this contact: 1 as a rule, 0 if "
                      "there is none, more if the motion is not unique",
       .type = VariableType::integer,
       .range = not_negative,
       .evaluate = [index](Observation const& o, Out out) { out[0] = observe_contact(o, index).solutions; }},
      body);
}

void OutputList::add_paradox(std::string const& contact, int body, int index) {
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
void OutputList::add_cone(Contact const& contact, int index, std::vector<int> const& motions) {
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
         .evaluate = [index, number](auto const& o, auto out) { out[0] = number(observe_cone(o, index)); }});
  };
  add_number(
      "mu_crit",
      "critical friction coefficient: at or above it, a contact that stops sliding during an impact does "
      "not start sliding again; 0 if the contact is open, mu + 10 at most",
      UnitId::one, not_negative, [](auto const& cone) { return cone.mu_crit; });
  add_number(
      "mu_jam",
      "jamming friction coefficient: at or above it, friction presses the contact together in some sliding "
      "directions; mu + 10 at most, also if the contact is open or friction cannot press it together",
      UnitId::one, any_number, [](auto const& cone) { return cone.mu_jam; });
  add_number("margin",
             "margin to jamming, mu_jam - mu: negative if the contact jams in some sliding directions, 10 at "
             "most",
             UnitId::one, any_number, [](auto const& cone) { return cone.margin; });
  add_number("locking_angle", "angle of the cone of sliding directions that jam; 0 if none does",
             UnitId::radian, not_negative, [](auto const& cone) { return cone.locking_angle; });
}

void OutputList::add_group(ContactGroup const& group, int index) {
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
      {.name = group.name + ".world_force",
       .description = "sum of the contact forces of the group on the bodies that move, along the axes of "
                      "the world; what these exert on each other cancels",
       .unit = UnitId::newton,
       .size = scene_.dimension,
       .on_request = true,
       .evaluate = [index](auto const& o, auto out) { put(observe_group_wrench(o, index).force, out); }},
      body);
  add_forced({.name = group.name + ".world_torque",
              .description = "torque of world_force about the origin of the world" + axes_of_torque(),
              .unit = UnitId::newton_metre,
              .size = scene_.rotations(),
              .on_request = true,
              .evaluate = [index](auto const& o,
                                  auto out) { put_torque(observe_group_wrench(o, index).torque, out); }},
             body);
  add_forced({.name = group.name + ".penetration",
              .description = "largest penetration in the group; 0 if there is none",
              .unit = UnitId::metre,
              .range = not_negative,
              .evaluate = [index](auto const& o, auto out) { out[0] = observe_group(o, index).penetration; }},
             body);
}

}  // namespace delassus
