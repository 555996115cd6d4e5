// The words for bodies and what is on them.
#include "model/language/vocabulary_tables.hpp"

namespace delassus {
namespace {

using enum AttributeKind;

constexpr std::array<EnumerationItem, 6> body_types{{
    {"slider", "moves along one axis of the world and does not turn"},
    {"point", "a point mass: moves in all directions and does not turn"},
    {"planar", "moves and turns in the plane"},
    {"rigid", "moves and turns in space"},
    {"fixed", "does not move"},
    {"prescribed", "moves with the velocity of its <motion>, whatever forces act on it"},
}};
constexpr std::array<EnumerationItem, 3> axes{{{"x", ""}, {"y", ""}, {"z", ""}}};

constexpr Attribute body[]{
    a_name("name of the body"),
    {.name = "type",
     .kind = choice,
     .required = true,
     .description = "how the body can move",
     .choices = body_types},
    {.name = "axis",
     .kind = choice,
     .description = "direction in which a slider moves",
     .left_out = "x",
     .choices = axes},
    {.name = "mass",
     .description = "mass",
     .unit = UnitId::kilogram,
     .range = sensible_mass,
     .left_out = "required if forces move the body, unless it has a density",
     .exposure = Exposure::fixed},
    {.name = "density",
     .description = "density; mass, centre of mass and inertia follow from it and the shapes, which in the "
                    "plane are 1 m "
                    "deep",
     .unit = UnitId::kilogram_per_cubic_metre,
     .range = sensible_density,
     .left_out = "none: the mass is given",
     .exposure = Exposure::fixed},
    {.name = "inertia",
     .kind = angles,
     .description = "moment of inertia about the centre of mass; in space Ixx Iyy Izz, or Ixx Iyy Izz Ixy "
                    "Ixz Iyz, along "
                    "the body's axes",
     .unit = UnitId::kilogram_metre_squared,
     .left_out = "that of the rod, or of the mass spread evenly over the shapes",
     .exposure = Exposure::fixed},
    {.name = "center_of_mass",
     .kind = vector,
     .description = "centre of mass in the body's frame",
     .unit = UnitId::metre,
     .fallback = 0,
     .left_out = "the origin, or the centroid of the shapes if the inertia follows from them",
     .exposure = Exposure::fixed},
};

constexpr Attribute rod[]{
    {.name = "half_length",
     .required = true,
     .description = "half of the length of the uniform rod",
     .unit = UnitId::metre,
     .range = sensible_size,
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
    a_name("name of the point; other elements refer to it as `body.point`"),
    {.name = "position",
     .kind = vector,
     .description = "position in the body's frame",
     .unit = UnitId::metre,
     .left_out = "required, unless there is a fraction",
     .exposure = Exposure::fixed},
    {.name = "fraction",
     .description = "place on the rod, in half lengths along its axis: -1 and 1 are its ends",
     .left_out = "none: the position is given",
     .exposure = Exposure::fixed},
};

constexpr Attribute shape_name{
    .name = "name",
    .kind = name,
    .description =
        "name of the shape; other elements refer to it as `body.shape`, or by the body if it has only one "
        "shape",
    .left_out = "the name of the element"};
constexpr Attribute radius{.name = "radius",
                           .required = true,
                           .description = "radius",
                           .unit = UnitId::metre,
                           .range = sensible_size,
                           .exposure = Exposure::fixed};
constexpr Attribute rotation{.name = "rotation",
                             .kind = angles,
                             .description = "rotation of the shape in the body's frame",
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
     .description = "half of the distance between the centres of the caps, along the shape's x axis",
     .unit = UnitId::metre,
     .range = sensible_size,
     .exposure = Exposure::fixed},
    centre,
    rotation};
constexpr Attribute box[]{shape_name,
                          {.name = "half_size",
                           .kind = vector,
                           .required = true,
                           .description = "half of the extent along each axis of the shape",
                           .unit = UnitId::metre,
                           .range = sensible_size,
                           .exposure = Exposure::fixed},
                          centre,
                          rotation};
constexpr Attribute plane[]{
    shape_name,
    a_position("a point of the plane in the body's frame"),
    {.name = "normal",
     .kind = vector,
     .description = "direction out of the half-space, in the body's frame; its length does not matter",
     .left_out = "up",
     .exposure = Exposure::fixed}};

constexpr Attribute initial[]{
    {.name = "point",
     .kind = reference,
     .description = "point of this body that `position` and `velocity` refer to",
     .left_out = "the origin of the body"},
    {.name = "position",
     .kind = vector,
     .description = "initial position, in the world",
     .unit = UnitId::metre,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "velocity",
     .kind = vector,
     .description = "initial velocity, along the axes of the world",
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
     .description = "initial orientation in space, as a rotation vector: axis times angle",
     .unit = UnitId::radian,
     .fallback = 0,
     .exposure = Exposure::fixed},
    {.name = "angular_velocity",
     .kind = angles,
     .description = "initial angular velocity; in space along the axes of the world",
     .unit = UnitId::radian_per_second,
     .fallback = 0,
     .exposure = Exposure::fixed},
};

constexpr std::array<EnumerationItem, 2> motion_sources{{
    {"no", "parameters of the FMU"},
    {"yes", "inputs of the FMU, for instance for a shaker table"},
}};
constexpr std::array<EnumerationItem, 2> moving_parts{{
    {"no", "the body moves"},
    {"yes", "only its surface moves, as that of a conveyor belt, and the body stays where it is"},
}};

constexpr Attribute motion[]{
    {.name = "velocity",
     .kind = vector,
     .description =
         "velocity of the body's origin, along the axes of the world; of a moving surface only the part in "
         "the surface matters",
     .unit = UnitId::metre_per_second,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "angular_velocity",
     .kind = angles,
     .description = "angular velocity; in space along the axes of the world",
     .unit = UnitId::radian_per_second,
     .fallback = 0,
     .exposure = Exposure::tunable},
    {.name = "input",
     .kind = choice,
     .description = "whether the velocities are inputs",
     .left_out = "no",
     .choices = motion_sources},
    {.name = "surface",
     .kind = choice,
     .description = "what moves",
     .left_out = "no",
     .choices = moving_parts},
};

constexpr Attribute lattice[]{
    {.name = "count",
     .kind = vector,
     .required = true,
     .description = "number of copies along each axis; they are called body_1, body_2, ...",
     .range = {1, 1000, false}},
    {.name = "spacing",
     .kind = vector,
     .required = true,
     .description = "distance between neighbours along each axis",
     .unit = UnitId::metre},
    {.name = "shift",
     .kind = vector,
     .description = "offset of every second layer, so that a pile interlocks",
     .unit = UnitId::metre,
     .fallback = 0},
};

constexpr std::array<Element, 10> elements{{
    {"body", "scene", true, "A body. Its shapes, points and initial state are elements inside it.",
     R"(<body name="block" type="planar" mass="2"/>)", "scenes/sliding_block.xml", body},
    {"rod", "body", false,
     "Makes a planar body a thin uniform rod along its own x axis: its inertia is mass half_length^2 / 3. "
     "The rod itself does not collide; give it points or a capsule for that.",
     R"(<rod half_length="1"/>)", "scenes/painleve_rod.xml", rod},
    {"point", "body", true, "A named point on a body, for contacts, joints, springs and forces.",
     R"(<point name="edge" position="-0.3 0"/>)", "scenes/skate.xml", point},
    {"sphere", "body", true, "A sphere; in the plane a disc.", R"(<sphere radius="0.05"/>)",
     "scenes/bouncing_ball.xml", sphere},
    {"capsule", "body", true, "A cylinder with round caps, along its own x axis.",
     R"(<capsule radius="0.02" half_length="0.15"/>)", "scenes/four_bar.xml", capsule},
    {"box", "body", true, "A box; in the plane a rectangle.", R"(<box half_size="0.2 0.05"/>)",
     "scenes/sliding_block.xml", box},
    {"plane", "body", true,
     "A plane with a solid half-space behind it, on a body that is fixed or prescribed.",
     R"(<plane name="lower" normal="0 1" position="0 -0.0505"/>)", "scenes/slider_crank.xml", plane},
    {"initial", "body", false, "The initial position and velocity of the body.",
     R"(<initial position="0 0.05" velocity="2 0"/>)", "scenes/sliding_block.xml", initial},
    {"motion", "body", false, "How a prescribed body moves.", R"(<motion velocity="0.3 0" surface="yes"/>)",
     "scenes/belt_blocks.xml", motion},
    {"lattice", "body", false,
     "Copies the body onto a lattice. The first copy stands at the initial position.",
     R"(<lattice count="5 5 4" spacing="0.105 0.105 0.12" shift="0.021 0.013 0"/>)", "scenes/sphere_pile.xml",
     lattice},
}};

}  // namespace

std::span<const Element> body_elements() {
  return elements;
}

}  // namespace delassus
