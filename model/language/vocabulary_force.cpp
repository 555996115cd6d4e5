// The words for springs and inputs.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<std::string_view, 2> frames{"world", "body"};

constexpr Attribute spring_b{
    .name = "b", .kind = reference, .description = "second body. Default: the ground"};

constexpr Attribute spring[]{
    a_name("name of the spring"),
    {.name = "a", .kind = reference, .required = true, .description = "first point"},
    {.name = "b", .kind = reference, .required = true, .description = "second point"},
    {.name = "stiffness",
     .required = true,
     .description = "stiffness",
     .unit = UnitId::newton_per_metre,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "damping",
     .description = "damping",
     .unit = UnitId::newton_second_per_metre,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "length",
     .description = "length at which it is free. Default: that of the start",
     .unit = UnitId::metre,
     .range = not_negative,
     .exposure = Exposure::tunable},
};

constexpr Attribute torsion_spring[]{
    a_name("name of the spring"),
    {.name = "a", .kind = reference, .required = true, .description = "first body"},
    spring_b,
    {.name = "stiffness",
     .required = true,
     .description = "stiffness",
     .unit = UnitId::newton_metre_per_radian,
     .range = not_negative,
     .exposure = Exposure::tunable},
    {.name = "damping",
     .description = "damping",
     .unit = UnitId::newton_metre_second_per_radian,
     .range = not_negative,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "angle",
     .description = "angle of a relative to b at which it is free, measured from that of the start",
     .unit = UnitId::radian,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "axis",
     .kind = vector,
     .description = "in space: axis of the torque, in the frame of b. Default z",
     .exposure = Exposure::fixed},
};

constexpr Attribute force[]{
    a_name("name of the FMU input"),
    {.name = "point", .kind = reference, .required = true, .description = "point that the force acts on"},
    {.name = "value",
     .kind = vector,
     .description = "force until the importer sets another",
     .unit = UnitId::newton,
     .fallback = 0},
    {.name = "frame",
     .kind = choice,
     .description = "world: along the world's axes; body: along those of the body. Default world",
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
     .description = "torque until the importer sets another; in space along the world's axes",
     .unit = UnitId::newton_metre,
     .fallback = 0},
};

constexpr std::array<Element, 4> elements{{
    {"spring", "scene", true, "A spring and damper between two points.",
     R"(<spring name="strut" a="car.left" b="wheel" stiffness="2e4" damping="500"/>)", spring},
    {"torsion_spring", "scene", true, "A torsional spring and damper between two bodies.",
     R"(<torsion_spring name="coil" a="arm" stiffness="10"/>)", torsion_spring},
    {"force", "scene", true, "An external force, an input of the FMU.",
     R"(<force name="push" point="block" value="0.5 0"/>)", force},
    {"torque", "scene", true, "An external torque, an input of the FMU.",
     R"(<torque name="drive" body="rod"/>)", torque},
}};

}  // namespace

std::span<const Element> force_elements() {
  return elements;
}

}  // namespace delassus
