// The words for springs and inputs.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<EnumerationItem, 2> frames{{
    {"world", "along the axes of the world"},
    {"body", "along the axes of the body"},
}};

constexpr Attribute spring[]{
    a_name("name of the spring"),
    {.name = "a", .kind = reference, .required = true, .description = "first point"},
    {.name = "b",
     .kind = reference,
     .required = true,
     .description = "second point; `ground` is the origin of the world"},
    {.name = "stiffness",
     .required = true,
     .description = "stiffness",
     .unit = UnitId::newton_per_metre,
     .range = sensible_coefficient,
     .exposure = Exposure::tunable},
    {.name = "damping",
     .description = "damping",
     .unit = UnitId::newton_second_per_metre,
     .range = sensible_coefficient,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "length",
     .description = "length at which the spring is relaxed",
     .unit = UnitId::metre,
     .range = sensible_length,
     .left_out = "the initial distance",
     .exposure = Exposure::tunable},
};

constexpr Attribute torsion_spring[]{
    a_name("name of the spring"),
    {.name = "a", .kind = reference, .required = true, .description = "first body"},
    {.name = "b", .kind = reference, .description = "second body", .left_out = "the ground"},
    {.name = "stiffness",
     .required = true,
     .description = "stiffness",
     .unit = UnitId::newton_metre_per_radian,
     .range = sensible_coefficient,
     .exposure = Exposure::tunable},
    {.name = "damping",
     .description = "damping",
     .unit = UnitId::newton_metre_second_per_radian,
     .range = sensible_coefficient,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "angle",
     .description =
         "angle of a relative to b at which the spring is relaxed, counted from the initial angle; in space "
         "within half a turn",
     .unit = UnitId::radian,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "axis",
     .kind = vector,
     .description = "in space: axis of the torque, in the frame of b",
     .left_out = "z",
     .exposure = Exposure::fixed},
};

constexpr Attribute force[]{
    a_name("name of the FMU input"),
    {.name = "point",
     .kind = reference,
     .required = true,
     .description = "point or body that the force acts on"},
    {.name = "value",
     .kind = vector,
     .description = "start value of the input; one number for a slider",
     .unit = UnitId::newton,
     .fallback = 0},
    {.name = "frame",
     .kind = choice,
     .description = "axes of the components",
     .left_out = "world",
     .choices = frames},
};

constexpr Attribute torque[]{
    a_name("name of the FMU input"),
    {.name = "body",
     .kind = reference,
     .required = true,
     .description = "planar or rigid body that the torque acts on"},
    {.name = "value",
     .kind = angles,
     .description = "start value of the input; in space along the axes of the world",
     .unit = UnitId::newton_metre,
     .fallback = 0},
};

constexpr std::array<Element, 4> elements{{
    {"spring", "scene", true, "A spring and damper between two points.",
     R"(<spring name="suspension" a="car.seat" b="axle_box" stiffness="4e4" damping="3e3" length="0.69"/>)",
     "scenes/wheel_on_rail.xml", spring},
    {"torsion_spring", "scene", true, "A torsional spring and damper between two bodies.",
     R"(<torsion_spring name="upright" a="car" stiffness="2e4" damping="2e3"/>)", "scenes/wheel_on_rail.xml",
     torsion_spring},
    {"force", "scene", true, "An external force, which is an input of the FMU.",
     R"(<force name="push" point="block" value="0.5 0"/>)", "scenes/planar_friction.xml", force},
    {"torque", "scene", true, "An external torque, which is an input of the FMU.",
     R"(<torque name="drive" body="rod"/>)", "scenes/painleve_rod.xml", torque},
}};

}  // namespace

std::span<const Element> force_elements() {
  return elements;
}

}  // namespace delassus
