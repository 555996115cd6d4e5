// The words for bodies and what is on them.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<std::string_view, 6> body_types{"slider", "point", "planar",
                                                     "rigid",  "fixed", "prescribed"};
constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};

constexpr Attribute body[]{
    a_name("name of the body"),
    {.name = "type",
     .kind = choice,
     .required = true,
     .description = "slider: one direction; point: a point mass; planar: two directions and an angle; rigid: "
                    "a free body "
                    "in space; fixed: does not move; prescribed: moves as it is told",
     .choices = body_types},
    {.name = "axis",
     .kind = choice,
     .description = "direction in which a slider moves. Default x",
     .choices = axes},
    {.name = "mass",
     .description = "mass; a body that can move needs it, or a density",
     .unit = UnitId::kilogram,
     .range = positive,
     .exposure = Exposure::fixed},
    {.name = "density",
     .description = "density, instead of mass and inertia, which then follow from the shapes; in the plane "
                    "these are 1 m "
                    "deep",
     .unit = UnitId::kilogram_per_cubic_metre,
     .range = positive,
     .exposure = Exposure::fixed},
    {.name = "inertia",
     .kind = angles,
     .description = "moment of inertia about the centre of mass; in space Ixx Iyy Izz, or these and Ixy Ixz "
                    "Iyz. Needed by "
                    "what turns, unless it follows from a rod or from shapes",
     .unit = UnitId::kilogram_metre_squared,
     .exposure = Exposure::fixed},
    {.name = "center_of_mass",
     .kind = vector,
     .description = "centre of mass in the body's frame. Default: its origin",
     .unit = UnitId::metre,
     .fallback = 0,
     .exposure = Exposure::fixed},
};

constexpr Attribute rod[]{
    {.name = "half_length",
     .required = true,
     .description = "half of the length of a uniform rod; its inertia is mass half_length^2 / 3",
     .unit = UnitId::metre,
     .range = positive,
     .exposure = Exposure::fixed},
};

constexpr Attribute a_position(std::string_view description) {
  return {.name = "position",
          .kind = vector,
          .description = description,
          .unit = UnitId::metre,
          .fallback = 0,
          .exposure = Exposure::fixed};
}

constexpr Attribute point[]{
    a_name("name of the point; others refer to it as body.point"),
    {.name = "position",
     .kind = vector,
     .description = "position in the body's frame",
     .unit = UnitId::metre,
     .exposure = Exposure::fixed},
    {.name = "fraction",
     .description = "on a rod instead of a position: along its axis in half lengths; -1 and 1 are its ends",
     .exposure = Exposure::fixed},
};

constexpr Attribute shape_name{
    .name = "name",
    .kind = name,
    .description =
        "name of the shape; others refer to it as body.shape, or by the body alone where it has one shape"};
constexpr Attribute radius{.name = "radius",
                           .required = true,
                           .description = "radius",
                           .unit = UnitId::metre,
                           .range = positive,
                           .exposure = Exposure::fixed};
constexpr Attribute rotation{
    .name = "rotation",
    .kind = angles,
    .description = "turn of the shape in the body's frame; in space a rotation vector",
    .unit = UnitId::radian,
    .fallback = 0,
    .exposure = Exposure::fixed};
constexpr Attribute centre = a_position("centre in the body's frame");

constexpr Attribute sphere[]{shape_name, radius, centre};
constexpr Attribute capsule[]{
    shape_name,
    radius,
    {.name = "half_length",
     .required = true,
     .description = "half of the distance between the centres of the caps, along the shape's x",
     .unit = UnitId::metre,
     .range = positive,
     .exposure = Exposure::fixed},
    centre,
    rotation};
constexpr Attribute box[]{shape_name,
                          {.name = "half_size",
                           .kind = vector,
                           .required = true,
                           .description = "half of the extent along each axis of the shape",
                           .unit = UnitId::metre,
                           .range = positive,
                           .exposure = Exposure::fixed},
                          centre,
                          rotation};
constexpr Attribute plane[]{
    shape_name,
    a_position("a point of the plane in the body's frame"),
    {.name = "normal",
     .kind = vector,
     .description = "direction out of the half-space, in the body's frame. Default: up",
     .exposure = Exposure::fixed}};

constexpr Attribute initial[]{
    {.name = "point",
     .kind = reference,
     .description = "point of this body whose position and velocity are given. Default: the body's origin"},
    {.name = "position",
     .kind = vector,
     .description = "initial position",
     .unit = UnitId::metre,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "velocity",
     .kind = vector,
     .description = "initial velocity",
     .unit = UnitId::metre_per_second,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "angle",
     .description = "initial angle in the plane, counter-clockwise from x",
     .unit = UnitId::radian,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "rotation",
     .kind = angles,
     .description = "initial orientation in space: a rotation vector, its length the angle",
     .unit = UnitId::radian,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "angular_velocity",
     .kind = angles,
     .description = "initial angular velocity; in space along the world's axes",
     .unit = UnitId::radian_per_second,
     .fallback = 0,
     .exposure = Exposure::fixed},
};

constexpr Attribute motion[]{
    {.name = "velocity",
     .kind = vector,
     .description =
         "velocity of a prescribed body, along the world's axes; of a surface only what lies in it counts",
     .unit = UnitId::metre_per_second,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "angular_velocity",
     .kind = angles,
     .description = "angular velocity of a prescribed body, about the world's axes",
     .unit = UnitId::radian_per_second,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "input",
     .kind = choice,
     .description = "yes: both are inputs of the FMU instead of parameters. Default no",
     .choices = no_yes},
    {.name = "surface",
     .kind = choice,
     .description = "yes: only the surface moves, as that of a belt; the body stays where it is. Default no",
     .choices = no_yes},
};

constexpr Attribute lattice[]{
    {.name = "count",
     .kind = vector,
     .required = true,
     .description = "number of copies along each axis; they are named body_1, body_2, ...",
     .range = {1, 1000, false}},
    {.name = "spacing",
     .kind = vector,
     .required = true,
     .description = "distance between neighbours along each axis",
     .unit = UnitId::metre},
    {.name = "shift",
     .kind = vector,
     .description = "how far every second layer is moved, so that piles interlock",
     .unit = UnitId::metre,
     .fallback = 0},
};

constexpr std::array<Element, 10> elements{{
    {"body", "scene", true, "A body.", R"(<body name="block" type="point" mass="2"/>)", body},
    {"rod", "body", false, "Makes a planar body a uniform rod along its own x axis.",
     R"(<rod half_length="1"/>)", rod},
    {"point", "body", true, "A named point on a body.", R"(<point name="tip" position="-1 0"/>)", point},
    {"sphere", "body", true, "A sphere; in the plane a disc.", R"(<sphere radius="0.1"/>)", sphere},
    {"capsule", "body", true, "A cylinder with round caps along its x axis.",
     R"(<capsule radius="0.1" half_length="0.3"/>)", capsule},
    {"box", "body", true, "A box; in the plane a rectangle.", R"(<box half_size="0.2 0.1"/>)", box},
    {"plane", "body", true, "A half-space, on a body that is fixed or prescribed.",
     R"(<plane normal="1 2" position="0 0"/>)", plane},
    {"initial", "body", false, "Where the body starts, and how fast.",
     R"(<initial position="0 1" velocity="1 0"/>)", initial},
    {"motion", "body", false, "How a prescribed body moves.", R"(<motion velocity="0.3 0" surface="yes"/>)",
     motion},
    {"lattice", "body", false, "Copies of the body on a lattice, the first where the body starts.",
     R"(<lattice count="5 4" spacing="0.3 0.3"/>)", lattice},
}};

}  // namespace

std::span<const Element> body_elements() {
  return elements;
}

}  // namespace delassus
