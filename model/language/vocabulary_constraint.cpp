// The words for contacts, frictions and joints.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr Range coefficient_of_restitution{0, 1, true};
constexpr std::array<std::string_view, 4> normal_laws{"rigid", "bilateral", "kelvin_voigt", "hunt_crossley"};
constexpr std::array<std::string_view, 3> friction_laws{"coulomb", "smooth", "compliant"};
constexpr std::array<std::string_view, 7> joint_types{"fixed",       "revolute", "prismatic",    "spherical",
                                                      "cylindrical", "distance", "point_on_line"};

constexpr Attribute stribeck_velocity{
    .name = "stribeck_velocity",
    .description =
        "speed over which friction falls from static to kinetic: kinetic + (static - kinetic) "
        "exp(-(v/stribeck_velocity)^2)",
    .unit = UnitId::metre_per_second,
    .range = positive,
    .fallback = 1e-3,
    .exposure = Exposure::tunable};
constexpr Attribute weakening{
    .name = "weakening",
    .description = "friction falls with the speed of slip v by the factor 1/(1 + weakening v)",
    .unit = UnitId::second_per_metre,
    .range = not_negative,
    .fallback = 0,
    .exposure = Exposure::tunable};
constexpr Attribute height{.name = "height",
                           .description = "height of the ground, where the other side is the ground",
                           .unit = UnitId::metre,
                           .fallback = 0,
                           .exposure = Exposure::fixed};

// The law of a contact, the same for one pair and for a group.
constexpr std::array<Attribute, 16> law{{
    {.name = "law",
     .kind = choice,
     .description =
         "rigid: unilateral (65); bilateral: cannot lift either (double cone); kelvin_voigt, hunt_crossley: "
         "compliant, Song et al. 2001 (10), (11). Default rigid",
     .choices = normal_laws},
    {.name = "friction",
     .kind = choice,
     .description =
         "coulomb; smooth: mu tanh(v/gamma), Song et al. (42); compliant: a tangential spring and damper "
         "that slips, Song et al. (14)-(18). Default coulomb",
     .choices = friction_laws},
    {.name = "mu",
     .description = "coefficient of friction. Left out: frictionless",
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "mu_static",
     .description = "coefficient of friction at rest, where it is another; mu is then the kinetic one",
     .range = not_negative,
     .exposure = Exposure::tunable},
    stribeck_velocity,
    weakening,
    a_zeta(not_negative, 1),
    {.name = "restitution",
     .description = "coefficient of restitution, instead of zeta, which then follows from (104)",
     .range = coefficient_of_restitution,
     .exposure = Exposure::tunable},
    a_delta(1e-3),
    {.name = "stiffness",
     .description = "stiffness K of a compliant law: normal force K x^exponent",
     .unit = UnitId::newton_per_metre,
     .range = positive,
     .fallback = 1e5,
     .exposure = Exposure::tunable},
    {.name = "damping",
     .description = "kelvin_voigt: C in N.s/m of K x + C xdot; hunt_crossley: alpha in s/m of K x^exponent "
                    "(1 + 3/2 alpha "
                    "xdot)",
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "exponent",
     .description = "exponent of hunt_crossley",
     .range = {1, 5, false},
     .fallback = 1.5,
     .exposure = Exposure::fixed},
    {.name = "gamma",
     .description = "speed over which smooth friction turns",
     .unit = UnitId::metre_per_second,
     .range = positive,
     .fallback = 1e-3,
     .exposure = Exposure::tunable},
    {.name = "tangential_stiffness",
     .description = "stiffness of compliant friction",
     .unit = UnitId::newton_per_metre,
     .range = positive,
     .fallback = 1e5,
     .exposure = Exposure::tunable},
    {.name = "tangential_damping",
     .description = "damping of compliant friction",
     .unit = UnitId::newton_second_per_metre,
     .range = positive,
     .fallback = 1e2,
     .exposure = Exposure::tunable},
    height,
}};

constexpr Attribute a_with{
    .name = "with",
    .kind = reference,
    .description =
        "what it touches: a body or shape. Default: the ground, y >= height in the plane, "
        "z >= height in space"};

constexpr auto contact = joined(
    std::array<Attribute, 3>{
        a_name("name of the contact"),
        Attribute{.name = "point",
                  .kind = reference,
                  .required = true,
                  .description = "point or shape that touches; a body with one shape stands for it"},
        a_with},
    law);

constexpr auto contacts = joined(
    std::array<Attribute, 2>{
        a_name("name of the group"),
        Attribute{.name = "between",
                  .kind = text,
                  .description =
                      "bodies whose shapes touch each other, with blanks between; `*` in a name stands for "
                      "any letters, and `ground` is the ground. Default: all and the ground"}},
    law);

constexpr Attribute friction[]{
    a_name("name of the friction"),
    {.name = "point",
     .kind = reference,
     .required = true,
     .description = "point whose motion the friction opposes"},
    {.name = "with",
     .kind = reference,
     .description = "body that the motion is relative to. Default: the ground"},
    {.name = "bound",
     .required = true,
     .description = "largest friction force",
     .unit = UnitId::newton,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "bound_static",
     .description = "largest friction force at rest, where it is another; bound is then the kinetic one",
     .unit = UnitId::newton,
     .range = not_negative,
     .exposure = Exposure::tunable},
    stribeck_velocity,
    weakening,
    {.name = "axes",
     .kind = text,
     .description = "one or two directions, such as `x` or `x y`. Default: a slider's own, else `x y`"},
    a_zeta(positive, 0.5),
    a_delta(1e-3),
};

constexpr Attribute joint[]{
    a_name("name of the joint"),
    {.name = "type",
     .kind = choice,
     .required = true,
     .description = "what it holds together; spherical and cylindrical are for space",
     .choices = joint_types},
    {.name = "a", .kind = reference, .required = true, .description = "point of the first body"},
    {.name = "b",
     .kind = reference,
     .description = "second body, attached where the first point is at the start; or a point of it, which "
                    "must be there; a "
                    "distance joint needs a point. Default: the ground"},
    {.name = "axis",
     .kind = vector,
     .description = "axis of revolute, prismatic and cylindrical joints, direction of a line; in the frame "
                    "of b. Default: x, "
                    "for revolute joints in space z",
     .exposure = Exposure::fixed},
    {.name = "length",
     .description = "distance that a distance joint keeps. Default: that of the start",
     .unit = UnitId::metre,
     .range = positive,
     .exposure = Exposure::tunable},
    {.name = "lower",
     .description = "lower limit of the free coordinate (m or rad), which is zero at the start",
     .unit = UnitId::radian,
     .exposure = Exposure::tunable},
    {.name = "upper",
     .description = "upper limit of the free coordinate (m or rad)",
     .unit = UnitId::radian,
     .exposure = Exposure::tunable},
    {.name = "friction",
     .description = "largest dry friction force (N) or torque (N.m) along the free coordinate",
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "drive",
     .kind = name,
     .description = "name of an FMU input: drive force (N) or torque (N.m) on a along the free coordinate"},
    a_zeta(not_negative, 1),
    a_delta(1e-2),
};

constexpr Attribute rolling[]{
    a_name("name of the constraint"),
    {.name = "point", .kind = reference, .required = true, .description = "sphere or point that rolls"},
    a_with,
    a_zeta(positive, 0.5),
    a_delta(1e-3),
    height,
};

constexpr Attribute knife_edge[]{
    a_name("name of the constraint"),
    {.name = "point", .kind = reference, .required = true, .description = "point that cannot move sideways"},
    {.name = "direction",
     .kind = vector,
     .required = true,
     .description = "direction, fixed in the body, along which the point cannot move",
     .exposure = Exposure::fixed},
    a_zeta(positive, 0.5),
    a_delta(1e-3),
};

constexpr std::array<Element, 6> elements{{
    {"contact", "scene", true, "Contact of a point or shape with another, or with the ground.",
     R"(<contact name="tip_ground" point="rod.tip" mu="0.6" zeta="1" delta="1e-3"/>)", contact},
    {"contacts", "scene", true, "Contact of every shape of some bodies with every other.",
     R"(<contacts name="pile" between="ball_* ground" mu="0.3"/>)", contacts},
    {"friction", "scene", true, "Dry friction of known bound on the motion of a point.",
     R"(<friction name="table" point="block" bound="1" delta="1e-2"/>)", friction},
    {"joint", "scene", true, "A joint between two bodies, or a body and the ground.",
     R"(<joint name="hinge" type="revolute" a="arm.end"/>)", joint},
    {"rolling", "scene", true, "Rolling without slip.", R"(<rolling name="grip" point="wheel"/>)", rolling},
    {"knife_edge", "scene", true, "A point that cannot move sideways, as the blade of a skate.",
     R"(<knife_edge name="blade" point="skate.heel" direction="0 1"/>)", knife_edge},
}};

}  // namespace

std::span<const Element> constraint_elements() {
  return elements;
}

}  // namespace delassus
