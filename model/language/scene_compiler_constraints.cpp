// Contacts, frictions and joints of a scene.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "model/equations/joint_rows.hpp"
#include "model/geometry/narrow_phase.hpp"
#include "model/language/scene_compiler.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

std::string text(NormalLaw law) {
  return law == NormalLaw::bilateral ? "bilateral" : "rigid";
}

std::string text(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::point:
      return "a point";
    case ShapeKind::plane:
      return "a plane";
    case ShapeKind::sphere:
      return "a sphere";
    case ShapeKind::capsule:
      return "a capsule";
    case ShapeKind::box:
      return "a box";
  }
  return "?";
}

using Attributes = std::initializer_list<std::string_view>;

// `instead` is what to write for the attribute to have a meaning.
void refuse_attributes(ElementReader const& element, Attributes attributes, std::string const& reason,
                       std::string const& instead = "") {
  for (std::string_view const attribute : attributes) {
    if (element.has(attribute))
      element.fail(reason + ": " + (instead.empty() ? "" : "write " + instead + ", or ") + "leave out " +
                   quoted(attribute));
  }
}

}  // namespace

// The law of the contact or group `name`. Only the numbers that it uses become parameters.
ContactParameters SceneCompiler::add_law(ElementReader const& element, std::string const& name,
                                         int body_index) {
  ContactParameters law;
  law.normal = static_cast<NormalLaw>(element.choice("law"));
  law.friction = static_cast<FrictionLaw>(element.choice("friction"));
  Owner const owner{ParameterRole::law, body_index};
  auto const exposed = [&](std::string_view attribute) {
    return expose(name + "." + std::string(attribute), element, attribute, owner);
  };
  std::string const what = "contact " + quoted(name);
  auto const refuse = [&](Attributes attributes, std::string const& reason, std::string const& instead = "") {
    refuse_attributes(element, attributes, what + " " + reason, instead);
  };
  if (element.has("mu")) {
    law.mu.kinetic = exposed("mu");
    if (element.has("mu_static")) {
      law.mu.static_ = exposed("mu_static");
      law.mu.stribeck_velocity = exposed("stribeck_velocity");
    } else {
      refuse({"stribeck_velocity"}, "has no 'mu_static'", "that as well");
    }
    if (element.has("weakening")) law.mu.weakening = exposed("weakening");
  } else {
    if (element.has("mu_static")) {
      element.fail(what + " has 'mu_static', but no 'mu', which is the friction of sliding: write mu=\"" +
                   element.text("mu_static") + "\" if both are equal, or both numbers");
    }
    refuse(
        {"stribeck_velocity", "weakening", "friction", "gamma", "tangential_stiffness", "tangential_damping"},
        "is frictionless (it has no 'mu')", "mu=\"0.3\"");
  }
  if (law.friction == FrictionLaw::smooth) {
    if (law.normal == NormalLaw::bilateral)
      element.fail(what +
                   " is bilateral, for which smooth friction is not defined; use friction=\"coulomb\"");
    law.gamma = exposed("gamma");
  } else {
    refuse({"gamma"}, "has no smooth friction", "friction=\"smooth\"");
  }
  if (law.friction == FrictionLaw::compliant) {
    if (!law.compliant())
      element.fail(
          what +
          " has compliant friction and a rigid normal law; use law=\"hunt_crossley\" or \"kelvin_voigt\"");
    law.tangential_stiffness = exposed("tangential_stiffness");
    law.tangential_damping = exposed("tangential_damping");
  } else {
    refuse({"tangential_stiffness", "tangential_damping"}, "has no compliant friction",
           "friction=\"compliant\"");
  }
  if (law.compliant()) {
    refuse({"zeta", "restitution", "impact_law", "tangential_zeta", "tangential_delta"},
           "is compliant and bounces by its damping", "law=\"rigid\"");
    law.stiffness = exposed("stiffness");
    law.damping = exposed("damping");
    if (law.normal == NormalLaw::hunt_crossley) {
      law.exponent = exposed("exponent");
      // The unit is N/m^exponent, which FMI cannot express for every exponent.
      parameter_at(law.stiffness).unit = UnitId::one;
    } else {
      refuse({"exponent"}, "is linear", "law=\"hunt_crossley\"");
      parameter_at(law.damping).unit = UnitId::newton_second_per_metre;
    }
    // Coulomb friction with a known bound is relaxed with this delta.
    if (law.frictional() && law.friction == FrictionLaw::coulomb) law.delta = exposed("delta");
    return law;
  }
  std::string const rigid = "has the law " + text(law.normal);
  refuse({"stiffness", "damping"}, rigid, "law=\"kelvin_voigt\" or law=\"hunt_crossley\"");
  refuse({"exponent"}, rigid, "law=\"hunt_crossley\"");
  if (law.normal == NormalLaw::bilateral)
    refuse({"restitution", "impact_law"}, "is bilateral and cannot bounce", "law=\"rigid\"");
  if (element.has("zeta") && element.has("restitution"))
    element.fail(what +
                 " has both 'zeta' and 'restitution', which are two impact laws: zeta that of the relaxed "
                 "contact, restitution that of a jump; write one of them");
  if (element.has("restitution")) {
    law.restitution = exposed("restitution");
    law.restitution_law = static_cast<RestitutionLaw>(element.choice("impact_law"));
  } else {
    refuse({"impact_law"}, "has no 'restitution'", "that as well");
    law.zeta = exposed("zeta");
  }
  law.delta = exposed("delta");
  if (!law.frictional())
    refuse({"tangential_zeta", "tangential_delta"}, "is frictionless (it has no 'mu')", "mu=\"0.3\"");
  if (element.has("tangential_zeta")) law.tangential_zeta = exposed("tangential_zeta");
  if (element.has("tangential_delta")) law.tangential_delta = exposed("tangential_delta");
  return law;
}

void SceneCompiler::add_contact(ElementReader const& element) {
  Contact contact;
  contact.name = unique_name(element);
  std::string const what = "contact " + quoted(contact.name);
  contact.b = resolve_side(element, "point");
  contact.a = resolve_side(element, "with");
  if (!moves(contact.b.point.body) && moves(contact.a.point.body)) std::swap(contact.a, contact.b);
  check_pair(element, what, contact.a.point.body, contact.b.point.body);
  ShapeKind const kind_a = kind_of(contact.a), kind_b = kind_of(contact.b);
  if (!can_collide(kind_a, kind_b)) {
    element.fail(what + " is between " + text(kind_b) + " (" + name_of(contact.b) + ") and " + text(kind_a) +
                 " (" + name_of(contact.a) + "), which is not supported; give one of them a shape");
  }
  Body const& on = body(contact.b.point.body);
  bool const on_ground = contact.a.point.body == ground_body;
  if (on_ground && on.type == BodyType::slider && on.axis != scene_.normal_axis()) {
    element.fail(what + ": slider " + quoted(on.name) + " moves along the ground and never meets it");
  }
  if (on_ground && on.type == BodyType::slider && element.has("mu")) {
    element.fail(what + ": slider " + quoted(on.name) + " has no tangential motion: leave out 'mu'");
  }
  contact.law = add_law(element, contact.name, contact.b.point.body);
  if (contact.law.normal == NormalLaw::bilateral) {
    // A shape with several contact points would be pulled to the plane with all of them.
    for (ShapeKind const kind : {kind_a, kind_b}) {
      if (kind == ShapeKind::box || kind == ShapeKind::capsule) {
        element.fail(what + " is bilateral, which is possible for a point or a sphere only, not for " +
                     text(kind) + "; use a contact for each <point>");
      }
    }
  }
  if (contact.law.friction == FrictionLaw::compliant) {
    // Where the features are known beforehand, each can have its own deflection.
    contact.deflections = kind_a == ShapeKind::plane ? points_on_plane(kind_b, scene_.dimension) : 0;
    if (contact.deflections == 0)
      element.fail(what +
                   " has compliant friction, which is possible with a plane only; use friction=\"smooth\"");
  }
  if (on_ground) {
    contact.height =
        expose(contact.name + ".height", element, "height", {ParameterRole::law, contact.b.point.body});
  } else if (element.has("height")) {
    element.fail(what + " is not with the ground: leave out 'height'");
  }
  check_is_new(element, contact);
  scene_.contacts.push_back(contact);
}

void SceneCompiler::add_group(ElementReader const& element) {
  ContactGroup group;
  group.name = unique_name(element);
  if (scene_.groups.size() >= 255) element.fail("a scene can have at most 255 <contacts>");
  std::set<int> bodies;
  if (element.has("between")) {
    std::istringstream words(element.text("between"));
    for (std::string word; words >> word;) {
      if (word == "ground") {
        group.with_ground = true;
        continue;
      }
      for (int const index : bodies_matching(element, word)) bodies.insert(index);
    }
  } else {
    group.with_ground = true;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) bodies.insert(static_cast<int>(i));
  }
  bool anything_moves = false;
  for (std::size_t i = 0; i < scene_.shapes.size(); ++i) {
    if (!bodies.contains(scene_.shapes[i].body)) continue;
    group.shapes.push_back(static_cast<int>(i));
    anything_moves |= moves(scene_.shapes[i].body);
    // Who draws the ground means it instead of the one that every scene has.
    if (!element.has("between") && draws_ground(static_cast<int>(i), element.number("height")))
      group.with_ground = false;
  }
  if (!anything_moves || group.shapes.size() + (group.with_ground ? 1U : 0U) < 2) {
    bool const rods = std::any_of(scene_.bodies.begin(), scene_.bodies.end(),
                                  [](Body const& each) { return each.half_length >= 0 && each.shapes == 0; });
    element.fail(
        "contacts " + quoted(group.name) +
        " need at least two shapes, one of them on a body that can move; bodies without shapes do not "
        "touch" +
        (group.with_ground ? "" : "; the ground counts where 'between' names it") +
        (rods ? ": give a <rod> a <capsule> as well, or use a <contact> for each <point> of it" : ""));
  }
  if (group.shapes.size() >= (1U << 20U))
    element.fail("contacts " + quoted(group.name) + " have too many shapes");
  int const owner = scene_.shapes[static_cast<std::size_t>(group.shapes.front())].body;
  group.law = add_law(element, group.name, owner);
  if (group.law.friction == FrictionLaw::compliant || group.law.normal == NormalLaw::bilateral) {
    element.fail("contacts " + quoted(group.name) + ": pairs of a group come and go, " +
                 (group.law.normal == NormalLaw::bilateral
                      ? "they cannot be bilateral"
                      : "they cannot have compliant friction; use friction=\"smooth\""));
  }
  if (group.with_ground) {
    group.height = expose(group.name + ".height", element, "height", {ParameterRole::law, owner});
  } else if (element.has("height") && element.has("between")) {
    element.fail("contacts " + quoted(group.name) + " are not with the ground: leave out 'height'");
  }
  scene_.groups.push_back(group);
}

void SceneCompiler::add_friction(ElementReader const& element) {
  Friction friction;
  friction.name = unique_name(element);
  std::string const what = "friction " + quoted(friction.name);
  friction.point = resolve_point(element, "point");
  if (element.has("with")) friction.relative_to = resolve_body(element, "with");
  check_pair(element, what, friction.point.body, friction.relative_to);
  bool const on_slider =
      friction.point.body != ground_body && body(friction.point.body).type == BodyType::slider;
  int const slider_axis = on_slider ? body(friction.point.body).axis : 0;
  if (element.has("axes")) {
    std::istringstream words(element.text("axes"));
    for (std::string word; words >> word;) {
      int const axis = word == "x" ? 0 : word == "y" ? 1 : word == "z" ? 2 : -1;
      if (axis < 0 || axis >= scene_.dimension ||
          std::count(friction.axes.begin(), friction.axes.end(), axis) > 0 ||
          (on_slider && axis != slider_axis)) {
        element.fail(what + " cannot act along " + quoted(word) +
                     ": name directions in which its body moves, each once");
      }
      friction.axes.push_back(axis);
    }
    if (friction.axes.empty() || friction.axes.size() > 2) element.fail(what + " needs one or two axes");
  } else if (on_slider) {
    friction.axes = {slider_axis};
  } else {
    friction.axes = {0, 1};
  }
  Owner const owner{ParameterRole::law, friction.point.body};
  auto const exposed = [&](std::string_view attribute) {
    return expose(friction.name + "." + std::string(attribute), element, attribute, owner);
  };
  friction.bound.kinetic = exposed("bound");
  if (element.has("bound_static")) {
    friction.bound.static_ = exposed("bound_static");
    friction.bound.stribeck_velocity = exposed("stribeck_velocity");
  } else if (element.has("stribeck_velocity")) {
    element.fail(what + " has no 'bound_static': leave out 'stribeck_velocity'");
  }
  if (element.has("weakening")) friction.bound.weakening = exposed("weakening");
  friction.zeta = exposed("zeta");
  friction.delta = exposed("delta");
  scene_.frictions.push_back(friction);
}

void SceneCompiler::add_joint(ElementReader const& element) {
  Joint joint;
  joint.name = unique_name(element);
  std::string const what = "joint " + quoted(joint.name);
  joint.type = static_cast<JointType>(element.choice("type") - 1);
  bool const plane = scene_.dimension == 2;
  if (plane && (joint.type == JointType::spherical || joint.type == JointType::cylindrical))
    element.fail(what + " is for space; in the plane use revolute or prismatic");
  joint.a = resolve_point(element, "a");
  joint.b = element.has("b") ? resolve_point(element, "b") : PointReference{ground_body, -1};
  check_pair(element, what, joint.a.body, joint.b.body);
  joint.meets_at_start = joint.b.point < 0 && joint.type != JointType::distance;
  if (joint.type == JointType::distance && joint.b.body == ground_body) {
    element.fail(
        what +
        " needs a point to keep its distance from: name one with 'b', such as a <point> of a fixed body");
  }
  bool const turns = rotations_of(joint.type, scene_.dimension) > 0 ||
                     (has_free_angle(joint.type) && (element.has("drive") || element.has("friction") ||
                                                     element.has("lower") || element.has("upper")));
  for (int const end : {joint.a.body, joint.b.body}) {
    if (turns && moves(end) && !body(end).turns()) {
      element.fail(what + " acts on the turning of body " + quoted(body(end).name) +
                   ", which does not turn; make it planar or rigid");
    }
  }
  Owner const owner{ParameterRole::law, moves(joint.a.body) ? joint.a.body : joint.b.body};
  auto const exposed = [&](std::string_view attribute) {
    return expose(joint.name + "." + std::string(attribute), element, attribute, owner);
  };
  auto const refuse = [&](Attributes attributes, std::string const& reason) {
    refuse_attributes(element, attributes, what + " " + reason);
  };
  bool const takes_axis = has_free_coordinate(joint.type) || joint.type == JointType::point_on_line;
  if (takes_axis && !(plane && joint.type == JointType::revolute)) {
    int const default_axis = joint.type == JointType::revolute ? 2 : 0;
    joint.axis = expose_direction(joint.name + ".axis", element, "axis", owner, default_axis);
  } else {
    refuse({"axis"}, "has no axis to choose");
  }
  if (joint.type == JointType::distance) {
    joint.length = expose_if_given(joint.name + ".length", element, "length", owner);
  } else {
    refuse({"length"}, "keeps no distance");
  }
  joint.zeta = exposed("zeta");
  joint.delta = exposed("delta");
  if (!has_free_coordinate(joint.type)) {
    refuse({"lower", "upper", "friction", "drive"}, "has no single free coordinate");
    scene_.joints.push_back(joint);
    return;
  }
  bool const angle = has_free_angle(joint.type);
  auto const with_unit = [&](std::string_view attribute, UnitId unit) {
    int const index = expose_if_given(joint.name + "." + std::string(attribute), element, attribute, owner);
    if (index >= 0) scene_.parameters.back().unit = unit;
    return index;
  };
  for (std::string_view const limit : {"lower", "upper"}) {
    if (!angle && element.text(limit).find("deg") != std::string::npos)
      element.fail(what + " moves along its axis: its limits are lengths, not degrees");
  }
  joint.lower = with_unit("lower", angle ? UnitId::radian : UnitId::metre);
  joint.upper = with_unit("upper", angle ? UnitId::radian : UnitId::metre);
  if (joint.lower >= 0 && joint.upper >= 0 && element.number("lower") > element.number("upper"))
    element.fail(what + " has a lower limit above its upper one: lower=\"" + element.text("lower") +
                 "\" and upper=\"" + element.text("upper") + "\"; exchange them");
  for (std::string_view const limit : {"lower", "upper"}) {
    if (!plane && angle && element.has(limit) && !(std::abs(element.number(limit)) < std::numbers::pi))
      element.fail(what + " measures its angle within half a turn; " + quoted(limit) +
                   " must lie within it, from -180deg to 180deg, and is " +
                   format_number(element.number(limit)) + " rad");
  }
  joint.friction = with_unit("friction", angle ? UnitId::newton_metre : UnitId::newton);
  if (element.has("drive")) {
    joint.drive_name = element.name("drive");
    claim_name(element, joint.drive_name);
    joint.drive = add_input(1);
  }
  scene_.joints.push_back(joint);
}

void SceneCompiler::add_rolling(ElementReader const& element) {
  Rolling rolling;
  rolling.name = unique_name(element);
  std::string const what = "rolling " + quoted(rolling.name);
  rolling.b = resolve_side(element, "point");
  rolling.a = resolve_side(element, "with");
  if (!moves(rolling.b.point.body)) std::swap(rolling.a, rolling.b);
  check_pair(element, what, rolling.a.point.body, rolling.b.point.body);
  ShapeKind const kind_a = kind_of(rolling.a), kind_b = kind_of(rolling.b);
  bool const round_b = kind_b == ShapeKind::sphere || kind_b == ShapeKind::point;
  if (!can_collide(kind_a, kind_b) || !round_b || kind_a == ShapeKind::box || kind_a == ShapeKind::capsule) {
    element.fail(what + " is between " + text(kind_b) + " and " + text(kind_a) +
                 "; a sphere can roll on a plane or on a sphere");
  }
  Owner const owner{ParameterRole::law, rolling.b.point.body};
  rolling.zeta = expose(rolling.name + ".zeta", element, "zeta", owner);
  rolling.delta = expose(rolling.name + ".delta", element, "delta", owner);
  if (rolling.a.point.body == ground_body) {
    rolling.height = expose(rolling.name + ".height", element, "height", owner);
  } else if (element.has("height")) {
    element.fail(what + " is not with the ground: leave out 'height'");
  }
  scene_.rollings.push_back(rolling);
}

void SceneCompiler::add_knife_edge(ElementReader const& element) {
  KnifeEdge edge;
  edge.name = unique_name(element);
  edge.point = resolve_point(element, "point");
  check_pair(element, "knife edge " + quoted(edge.name), edge.point.body, ground_body);
  Owner const owner{ParameterRole::law, edge.point.body};
  edge.direction = expose_direction(edge.name + ".direction", element, "direction", owner, 0);
  edge.zeta = expose(edge.name + ".zeta", element, "zeta", owner);
  edge.delta = expose(edge.name + ".delta", element, "delta", owner);
  scene_.knife_edges.push_back(edge);
}

}  // namespace delassus
