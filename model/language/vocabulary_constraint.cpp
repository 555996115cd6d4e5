// The words for contacts, frictions and joints.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr Range coefficient_of_restitution{0, 1, false};
constexpr std::array<EnumerationItem, 4> normal_laws{{
    {"rigid",
     "presses and never pulls. An impact bounces with restitution; without it, it stops the approach, or in "
     "the stepper relaxed and in Model Exchange has a response of damping ratio zeta and time scale delta"},
    {"bilateral", "presses and pulls: the contact cannot lift off. For points and spheres"},
    {"kelvin_voigt", "linear spring and damper: K x + C xdot, never pulling"},
    {"hunt_crossley", "nonlinear spring and damper: K x^exponent (1 + 3/2 alpha xdot), never pulling"},
}};
constexpr std::array<EnumerationItem, 3> friction_laws{{
    {"coulomb", "dry friction that sticks and slips"},
    {"smooth", "mu tanh(v/gamma): no true stick, the contact creeps below gamma"},
    {"compliant",
     "a tangential spring and damper that slips at the friction limit; for contacts with a plane that have a "
     "compliant law"},
}};
constexpr std::array<EnumerationItem, 2> restitution_laws{{
    {"newton", "a share of speed: the contact separates with restitution times the speed at which it closed"},
    {"poisson",
     "a share of impulse: the normal impulse that stops the approach acts again, restitution times as large, "
     "also on contacts that others press together"},
}};
constexpr std::array<EnumerationItem, 7> joint_types{{
    {"fixed", "holds the bodies together"},
    {"revolute", "leaves the rotation about the axis free"},
    {"prismatic", "leaves the motion along the axis free"},
    {"spherical", "leaves all rotations free; in space"},
    {"cylindrical", "leaves the motion along the axis and the rotation about it free; in space"},
    {"distance", "keeps the distance between two points"},
    {"point_on_line", "keeps the point of a on a line through b; leaves all rotations free"},
}};

constexpr Attribute stribeck_velocity{
    .name = "stribeck_velocity",
    .description =
        "slip speed over which friction falls from static to kinetic: kinetic + (static - kinetic) "
        "exp(-(v/stribeck_velocity)^2)",
    .unit = UnitId::metre_per_second,
    .range = sensible_slip,
    .fallback = 1e-3,
    .exposure = Exposure::tunable};
constexpr Attribute weakening{
    .name = "weakening",
    .description = "friction falls with the slip speed v by the factor 1/(1 + weakening v)",
    .unit = UnitId::second_per_metre,
    .range = {0, 1e12, false},
    .fallback = 0,
    .exposure = Exposure::tunable};
constexpr Attribute height{.name = "height",
                           .description = "height of the ground, for a contact with the ground",
                           .unit = UnitId::metre,
                           .fallback = 0,
                           .exposure = Exposure::fixed};

// In a velocity row, the velocity decays with the time constant delta/(2 zeta). All steppers but `relaxed` hold it at
// once.
constexpr std::string_view zeta_of_sliding =
    "damping ratio of the response: unwanted motion decays with the time constant delta/(2 zeta); only in "
    "the "
    "stepper relaxed and in Model Exchange";
constexpr std::string_view delta_of_sliding =
    "time scale of the response: unwanted motion decays with the time constant delta/(2 zeta); only in the "
    "stepper relaxed and in Model Exchange";

// The law of a contact, the same for one pair and for a group.
constexpr std::array<Attribute, 19> law{{
    {.name = "law",
     .kind = choice,
     .description = "law of the normal force, for penetration x",
     .left_out = "rigid",
     .choices = normal_laws},
    {.name = "friction",
     .kind = choice,
     .description = "law of the friction force, for slip speed v",
     .left_out = "coulomb",
     .choices = friction_laws},
    {.name = "mu",
     .description = "coefficient of friction",
     .range = sensible_friction,
     .left_out = "frictionless",
     .exposure = Exposure::tunable},
    {.name = "mu_static",
     .description = "coefficient of static friction; mu is then the kinetic one",
     .range = sensible_friction,
     .left_out = "the same as mu",
     .exposure = Exposure::tunable},
    stribeck_velocity,
    weakening,
    a_zeta("damping ratio of the response: at 0 an impact loses no speed, at 1 almost all of it; only in the "
           "stepper relaxed and in Model Exchange, the other steppers do not use it",
           sensible_zeta, 1),
    {.name = "restitution",
     .description =
         "coefficient of restitution of the impact law, Newton's unless impact_law says otherwise: after an "
         "impact the contact separates with this share of the speed at which it closed, exactly, in every "
         "stepper but implicit, which does not bounce",
     .range = coefficient_of_restitution,
     .left_out = "none: an impact stops the approach; in the stepper relaxed and in Model Exchange the "
                 "response with zeta and delta is the impact law",
     .exposure = Exposure::tunable},
    {.name = "impact_law",
     .kind = choice,
     .description = "what restitution is a share of; only together with restitution",
     .left_out = "newton",
     .choices = restitution_laws},
    a_delta("time scale of the response: penetration and unwanted slip decay within a few delta; a smaller "
            "delta is stiffer; only in the stepper relaxed and in Model Exchange, the other steppers do not "
            "use it",
            1e-3),
    {.name = "tangential_zeta",
     .description = "damping ratio of the response of friction: unwanted slip decays with the time constant "
                    "tangential_delta/(2 tangential_zeta); used where zeta is",
     .range = positive_zeta,
     .left_out = "zeta, and at least 0.5",
     .exposure = Exposure::tunable},
    {.name = "tangential_delta",
     .description = "time scale of the response of friction; used where delta is",
     .unit = UnitId::second,
     .range = sensible_delta,
     .left_out = "delta",
     .exposure = Exposure::tunable},
    {.name = "stiffness",
     .description = "stiffness K of a compliant law",
     .unit = UnitId::newton_per_metre,
     .unit_rule = "N/m, N/m^exponent for hunt_crossley",
     .range = sensible_stiffness,
     .fallback = 1e5,
     .exposure = Exposure::tunable},
    {.name = "damping",
     .description = "damping of a compliant law: C in N.s/m of kelvin_voigt, alpha in s/m of hunt_crossley",
     .unit_rule = "N.s/m or s/m",
     .range = sensible_coefficient,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "exponent",
     .description = "exponent of hunt_crossley; 1.5 is that of two spheres",
     .range = {1, 5, false},
     .fallback = 1.5,
     .exposure = Exposure::fixed},
    {.name = "gamma",
     .description = "slip speed over which smooth friction rises to its full value",
     .unit = UnitId::metre_per_second,
     .range = sensible_slip,
     .fallback = 1e-3,
     .exposure = Exposure::tunable},
    {.name = "tangential_stiffness",
     .description = "stiffness of compliant friction",
     .unit = UnitId::newton_per_metre,
     .range = sensible_stiffness,
     .fallback = 1e5,
     .exposure = Exposure::tunable},
    {.name = "tangential_damping",
     .description = "damping of compliant friction",
     .unit = UnitId::newton_second_per_metre,
     .range = sensible_stiffness,
     .fallback = 1e2,
     .exposure = Exposure::tunable},
    height,
}};

constexpr Attribute a_with(std::string_view description) {
  return {.name = "with", .kind = reference, .description = description, .left_out = "the ground"};
}

constexpr auto contact = joined(
    std::array<Attribute, 3>{a_name("name of the contact"),
                             Attribute{.name = "point",
                                       .kind = reference,
                                       .required = true,
                                       .description = "point, shape, or body with one shape that touches"},
                             a_with("the other side: a point, a shape, or a body with one shape")},
    law);

constexpr auto contacts = joined(
    std::array<Attribute, 2>{
        a_name("name of the group"),
        Attribute{.name = "between",
                  .kind = text,
                  .description =
                      "names of bodies, separated by blanks; `*` stands for any characters, and `ground` is "
                      "the ground",
                  .left_out = "all bodies and the ground"}},
    law);

constexpr Attribute friction[]{
    a_name("name of the friction"),
    {.name = "point",
     .kind = reference,
     .required = true,
     .description = "point or body whose motion the friction opposes"},
    a_with("body that the motion is relative to"),
    {.name = "bound",
     .required = true,
     .description = "largest friction force",
     .unit = UnitId::newton,
     .range = sensible_force,
     .exposure = Exposure::tunable},
    {.name = "bound_static",
     .description = "largest friction force at rest; bound is then that of motion",
     .unit = UnitId::newton,
     .range = sensible_force,
     .left_out = "the same as bound",
     .exposure = Exposure::tunable},
    stribeck_velocity,
    weakening,
    {.name = "axes",
     .kind = text,
     .description = "one or two directions of the world, as in `x` or `x y`",
     .left_out = "x y; of a slider its own axis"},
    a_zeta(zeta_of_sliding, positive_zeta, 0.5),
    a_delta(delta_of_sliding, 1e-3),
};

constexpr Attribute joint[]{
    a_name("name of the joint"),
    {.name = "type",
     .kind = choice,
     .required = true,
     .description = "which relative motions the joint holds",
     .choices = joint_types},
    {.name = "a",
     .kind = reference,
     .required = true,
     .description = "point of the first body, or the body itself for its origin"},
    {.name = "b",
     .kind = reference,
     .description = "second body, attached where the point of a is initially; or a point of it, which must "
                    "then be there. "
                    "A distance joint needs a point",
     .left_out = "the ground"},
    {.name = "axis",
     .kind = vector,
     .description =
         "axis of a revolute, prismatic or cylindrical joint, or direction of the line, in the frame of b",
     .left_out = "x; z for a revolute joint in space",
     .exposure = Exposure::fixed},
    {.name = "length",
     .description = "distance that a distance joint keeps",
     .unit = UnitId::metre,
     .range = sensible_size,
     .left_out = "the initial distance",
     .exposure = Exposure::tunable},
    {.name = "lower",
     .description = "lower limit of the free coordinate, which is initially zero",
     .unit = UnitId::radian,
     .unit_rule = "rad or m",
     .left_out = "no limit",
     .exposure = Exposure::tunable},
    {.name = "upper",
     .description = "upper limit of the free coordinate, which is initially zero",
     .unit = UnitId::radian,
     .unit_rule = "rad or m",
     .left_out = "no limit",
     .exposure = Exposure::tunable},
    {.name = "friction",
     .description = "largest dry friction force or torque along the free coordinate",
     .unit_rule = "N.m or N",
     .range = sensible_force,
     .left_out = "no friction",
     .exposure = Exposure::tunable},
    {.name = "drive",
     .kind = name,
     .description = "name of an FMU input: the force or torque on a along the free coordinate",
     .left_out = "no drive"},
    a_zeta(
        "damping ratio with which the joint corrects a drift of its parts; only in the stepper relaxed and "
        "in Model Exchange",
        sensible_zeta, 1),
    a_delta(
        "time scale with which the joint corrects a drift of its parts; only in the stepper relaxed and in "
        "Model Exchange",
        1e-2),
};

constexpr Attribute rolling[]{
    a_name("name of the constraint"),
    {.name = "point", .kind = reference, .required = true, .description = "sphere or point that rolls"},
    a_with("the other side: a plane or a sphere"),
    a_zeta(zeta_of_sliding, positive_zeta, 0.5),
    a_delta(delta_of_sliding, 1e-3),
    height,
};

constexpr Attribute knife_edge[]{
    a_name("name of the constraint"),
    {.name = "point", .kind = reference, .required = true, .description = "point of the blade"},
    {.name = "direction",
     .kind = vector,
     .required = true,
     .description = "direction, fixed in the body, along which the point cannot move",
     .exposure = Exposure::fixed},
    a_zeta(zeta_of_sliding, positive_zeta, 0.5),
    a_delta(delta_of_sliding, 1e-3),
};

constexpr std::array<Element, 6> elements{{
    {"contact", "scene", true,
     "Contact of one pair: a point or shape with another one, or with the ground. It has outputs of its own.",
     R"(<contact name="tip_ground" point="rod.tip" mu="0.6" zeta="1" delta="1e-3"/>)",
     "scenes/painleve_rod.xml", contact},
    {"contacts", "scene", true,
     "Contact of every shape of some bodies with every shape of the others, and with the ground. Its outputs "
     "are "
     "those of the whole group. A pair of shapes has one law: that of its own <contact>, or else of the "
     "<contacts> "
     "with the fewest shapes that both belong to.",
     R"(<contacts name="pile" mu="0.3"/>)", "scenes/sphere_pile.xml", contacts},
    {"friction", "scene", true, "Dry friction with a known largest force on the motion of a point.",
     R"(<friction name="table" point="block" bound="1" zeta="0.5" delta="1e-2"/>)",
     "scenes/planar_friction.xml", friction},
    {"joint", "scene", true, "A joint between two bodies, or between a body and the ground.",
     R"(<joint name="crank_pin" type="revolute" a="rod.start" b="crank.end"/>)", "scenes/slider_crank.xml",
     joint},
    {"rolling", "scene", true,
     "Rolling without slip. It holds the tangential motion only; a contact holds the normal one.",
     R"(<rolling name="grip" point="disc"/>)", "scenes/rolling_disc.xml", rolling},
    {"knife_edge", "scene", true, "A point that cannot move sideways, as the blade of a skate.",
     R"(<knife_edge name="edge" point="sleigh.edge" direction="0 1"/>)", "scenes/skate.xml", knife_edge},
}};

}  // namespace

std::span<const Element> constraint_elements() {
  return elements;
}

}  // namespace delassus
