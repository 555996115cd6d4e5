// Bodies of a scene with their shapes, points and initial states.
#include <algorithm>
#include <cmath>

#include "model/geometry/mass_properties.hpp"
#include "model/language/scene_compiler.hpp"
#include "model/scene/body_pose.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

constexpr std::array<std::string_view, 4> shape_elements{"sphere", "capsule", "box", "plane"};

bool is_shape(std::string_view element) {
  return std::find(shape_elements.begin(), shape_elements.end(), element) != shape_elements.end();
}

// A shape has 20 bits in the identity of a contact, and memory is finite.
constexpr double most_copies = 100'000;

}  // namespace

// One body, or its copies on a lattice.
void SceneCompiler::add_bodies(SourceElement const& source) {
  ElementReader const element = reader(source);
  std::string const name = element.name();
  SourceElement const* lattice = child_of(source, "lattice");
  auto const directions = static_cast<std::size_t>(scene_.dimension);
  if (!lattice) return add_body(source, name, std::vector<double>(directions, 0.0));

  ElementReader const copies = reader(*lattice);
  std::vector<double> count = copies.numbers("count", scene_.dimension);
  std::vector<double> const spacing = copies.numbers("spacing", scene_.dimension),
                            shift = copies.numbers("shift", scene_.dimension);
  double total = 1;
  for (double const n : count) {
    if (n != std::floor(n)) copies.fail("the count " + format_number(n) + " is not a whole number");
    total *= n;
  }
  if (total > most_copies)
    copies.fail("the lattice has " + format_number(total) + " bodies; at most 100000 are possible");
  count.resize(3, 1.0);
  int number = 0;
  for (int k = 0; k < static_cast<int>(count[2]); ++k) {
    for (int j = 0; j < static_cast<int>(count[1]); ++j) {
      for (int i = 0; i < static_cast<int>(count[0]); ++i) {
        int const place[]{i, j, k};
        bool const odd_layer = place[directions - 1] % 2 == 1;
        std::vector<double> offset(directions);
        for (std::size_t d = 0; d < directions; ++d)
          offset[d] = place[d] * spacing[d] + (odd_layer ? shift[d] : 0.0);
        add_body(source, name + "_" + std::to_string(++number), offset);
      }
    }
  }
}

void SceneCompiler::add_body(SourceElement const& source, std::string const& name,
                             std::vector<double> const& offset) {
  ElementReader const element = reader(source);
  if (name == "ground") element.fail("every scene has the ground already; choose another name for this body");
  claim_name(element, name);
  Body body;
  body.name = name;
  body.type = static_cast<BodyType>(element.choice("type") - 1);
  body.axis = element.choice("axis") - 1;
  if (body.type == BodyType::planar && scene_.dimension != 2) {
    element.fail("body " + quoted(name) +
                 " is planar, and the scene has dimension 3; use dimension=\"2\", or a rigid body");
  }
  if (body.type == BodyType::rigid && scene_.dimension != 3) {
    element.fail("body " + quoted(name) +
                 " is rigid, and the scene has dimension 2; use dimension=\"3\", or a planar body");
  }
  if (body.type != BodyType::slider && element.has("axis"))
    element.fail("body " + quoted(name) + " is not a slider: leave out 'axis'");
  if (body.axis >= scene_.dimension)
    element.fail("body " + quoted(name) + " has the axis z in a scene of dimension 2");

  bool has_shapes = false;
  for (SourceElement const& child : source.children) {
    has_shapes |= is_shape(child.name) && child.name != "plane";
    bool const moved = body.type != BodyType::fixed && body.type != BodyType::prescribed;
    if (child.name == "plane" && moved)
      reader(child).fail("body " + quoted(name) +
                         " is moved by forces and cannot be a half-space: write a <box>, or put the plane on "
                         "a body that is fixed or prescribed");
  }
  SourceElement const* const motion = child_of(source, "motion");
  switch (body.type) {
    case BodyType::slider:
      body.degrees_of_freedom = body.coordinates = 1;
      break;
    case BodyType::point:
      body.degrees_of_freedom = body.coordinates = scene_.dimension;
      break;
    case BodyType::planar:
      body.degrees_of_freedom = body.coordinates = 3;
      break;
    case BodyType::rigid:
      body.degrees_of_freedom = 6;
      body.coordinates = 7;
      break;
    case BodyType::fixed:
      break;
    case BodyType::prescribed:
      body.motion_of_surface = motion && is_yes(reader(*motion), "surface");
      if (!body.motion_of_surface) body.coordinates = scene_.dimension == 2 ? 3 : 7;
      break;
  }
  body.first = scene_.velocity_size;
  body.first_coordinate = scene_.configuration_size;
  scene_.velocity_size += body.degrees_of_freedom;
  scene_.configuration_size += body.coordinates;
  if (body.moves_freely()) body.mass_block = mass_blocks_++;
  body.first_shape = static_cast<int>(scene_.shapes.size());
  int const index = static_cast<int>(scene_.bodies.size());
  scene_.bodies.push_back(body);
  body_of_name_.emplace(name, index);
  add_inertia(source, element, scene_.bodies.back(), has_shapes);

  for (SourceElement const& child : source.children) {
    if (child.name == "point") add_point(reader(child), index);
    if (is_shape(child.name)) add_shape(child, index);
  }
  SourceElement const* initial = child_of(source, "initial");
  SourceElement const nothing{"initial", source.line, {}, {}};
  add_initial(
      initial ? reader(*initial) : ElementReader(source_.file, nothing, *find_element("body", "initial")),
      index, offset);
  if (body.type == BodyType::prescribed) {
    SourceElement const still{"motion", source.line, {}, {}};
    add_motion(motion ? reader(*motion) : ElementReader(source_.file, still, *find_element("body", "motion")),
               index);
  } else if (motion) {
    reader(*motion).fail("body " + quoted(name) +
                         " moves by forces: leave out <motion>, or make it prescribed");
  }
}

// Mass, centre of mass and inertia: given, of a rod, or from the shapes.
void SceneCompiler::add_inertia(SourceElement const& source, ElementReader const& element, Body& body,
                                bool has_shapes) {
  Owner const owner{ParameterRole::inertia, static_cast<int>(scene_.bodies.size()) - 1};
  std::string const name = body.name;
  SourceElement const* const rod = child_of(source, "rod");
  if (!body.moves_freely()) {
    for (std::string_view const attribute : {"mass", "density", "inertia", "center_of_mass"}) {
      if (element.has(attribute))
        element.fail("body " + quoted(name) + " is not moved by forces: leave out " + quoted(attribute));
    }
  }
  if (!body.turns() && element.has("inertia"))
    element.fail("body " + quoted(name) + " does not turn: leave out 'inertia', or make it planar or rigid");
  if (!body.turns() && element.has("center_of_mass"))
    element.fail("body " + quoted(name) +
                 " does not turn: leave out 'center_of_mass' and place the origin there");
  if (rod && body.type != BodyType::planar)
    reader(*rod).fail("body " + quoted(name) +
                      " does not turn in the plane and cannot be a rod; make it planar");
  if (!body.moves_freely()) return;

  bool const by_density = element.has("density");
  if (by_density == element.has("mass")) {
    element.fail(by_density ? "body " + quoted(name) + " has both 'mass' and 'density'; write one"
                            : "<body> needs the attribute 'mass' (or 'density'): body " + quoted(name) +
                                  " is moved by forces");
  }
  if (by_density && !has_shapes)
    element.fail("body " + quoted(name) +
                 " has a density, but no <sphere>, <capsule> or <box> that it could fill");
  if (by_density && element.has("inertia"))
    element.fail("body " + quoted(name) +
                 " has a density, from which its inertia follows: leave out 'inertia'");
  if (by_density) {
    body.density = expose(name + ".density", element, "density", owner);
    body.mass = expose_calculated(name + ".mass", element.definition("mass"), owner,
                                  "mass that follows from density and shapes", false);
  } else {
    body.mass = expose(name + ".mass", element, "mass", owner);
  }
  if (!body.turns()) {
    body.from_shapes = by_density;
    return;
  }
  if (rod) {
    if (element.has("inertia"))
      element.fail("body " + quoted(name) + " is a rod, whose inertia follows: leave out 'inertia'");
    if (by_density)
      element.fail("body " + quoted(name) + " is a rod, which is thin: give its mass, not a density");
    body.half_length =
        expose(name + ".half_length", reader(*rod), "half_length", {ParameterRole::inertia, owner.body});
    body.inertia =
        expose_calculated(name + ".inertia", element.definition("inertia"), owner,
                          "moment of inertia of the rod about its centre: mass half_length^2 / 3", false);
    if (element.has("center_of_mass"))
      element.fail("body " + quoted(name) +
                   " is a uniform rod, whose centre of mass is its middle: leave out 'center_of_mass'");
    return;
  }
  bool const planar = body.type == BodyType::planar;
  if (element.has("inertia")) {
    if (planar) {
      body.inertia = expose(name + ".inertia", element, "inertia", owner);
      if (!(scene_.parameters.back().values[0] > 0))
        element.fail("attribute 'inertia' of <body> is " + format_number(scene_.parameters.back().values[0]) +
                     " and must be > 0");
      scene_.parameters.back().range = positive;
    } else {
      int const count = element.count_of("inertia");
      if (count != 3 && count != 6)
        element.fail("attribute 'inertia' of <body> has " + std::to_string(count) +
                     " values and needs 3 or 6: Ixx Iyy Izz, or Ixx Iyy Izz Ixy Ixz Iyz");
      std::vector<double> values = element.numbers("inertia", count);
      values.resize(6, 0.0);
      if (!is_inertia(inertia_parameter<double>(values, 0))) {
        element.fail("the inertia of body " + quoted(name) +
                     " is one that no mass distribution has: its principal moments must be positive, and "
                     "none larger than the "
                     "sum of the other two");
      }
      body.inertia =
          expose_values(name + ".inertia", element.definition("inertia"), owner, std::move(values));
    }
    body.center_of_mass =
        expose_if_given(name + ".center_of_mass", element, "center_of_mass", owner, scene_.dimension);
    return;
  }
  if (!has_shapes) {
    element.fail(std::string(planar ? "planar" : "rigid") + " body " + quoted(name) +
                 " needs the attribute 'inertia'" + (planar ? ", a <rod>" : "") +
                 " or a shape that it follows from");
  }
  if (element.has("center_of_mass"))
    element.fail("the centre of mass of body " + quoted(name) +
                 " follows from its shapes, as its inertia does: give both, or leave out 'center_of_mass'");
  body.from_shapes = true;
  body.center_of_mass =
      expose_calculated(name + ".center_of_mass", element.definition("center_of_mass"), owner,
                        "centre of mass of the shapes, in the body's frame", false, scene_.dimension);
  body.inertia = expose_calculated(
      name + ".inertia", element.definition("inertia"), owner,
      planar ? "moment of inertia of the shapes about the centre of mass"
             : "moments of inertia of the shapes about the centre of mass: Ixx Iyy Izz Ixy Ixz Iyz",
      false, planar ? 1 : 6);
}

void SceneCompiler::add_point(ElementReader const& element, int body_index) {
  Body const& on = body(body_index);
  BodyPoint point{.name = on.name + "." + element.name(), .body = body_index};
  if (on.type == BodyType::slider || on.type == BodyType::point) {
    element.fail("body " + quoted(on.name) +
                 " is a point mass without extent; refer to it by its name, or make it planar or rigid");
  }
  if (!names_.insert(point.name).second)
    element.fail("two points have the name " + quoted(point.name) + "; names must differ");
  if (element.has("position") == element.has("fraction"))
    element.fail("point " + quoted(point.name) + " needs either 'position' or, on a rod, 'fraction'");
  Owner const owner{ParameterRole::geometry, body_index};
  if (element.has("fraction")) {
    if (on.half_length < 0)
      element.fail("point " + quoted(point.name) + " has a 'fraction', but its body has no <rod>");
    point.fraction = expose(point.name + ".fraction", element, "fraction", owner);
  } else {
    point.position = expose(point.name + ".position", element, "position", owner, scene_.dimension);
  }
  point_of_name_.emplace(point.name, static_cast<int>(scene_.points.size()));
  scene_.points.push_back(point);
}

void SceneCompiler::add_shape(SourceElement const& source, int body_index) {
  ElementReader const element = reader(source);
  Body const& on = body(body_index);
  Shape shape;
  shape.body = body_index;
  shape.name = on.name + "." + (element.has("name") ? element.name() : source.name);
  if (!names_.insert(shape.name).second) {
    element.fail("two shapes or points have the name " + quoted(shape.name) + "; give each <" + source.name +
                 "> a 'name' of its own");
  }
  Owner const owner{on.from_shapes ? ParameterRole::inertia : ParameterRole::geometry, body_index};
  auto const exposed = [&](std::string_view attribute, int size) {
    return expose(shape.name + "." + std::string(attribute), element, attribute, owner, size);
  };
  if (source.name == "sphere") {
    shape.kind = ShapeKind::sphere;
    shape.radius = exposed("radius", 1);
  } else if (source.name == "capsule") {
    shape.kind = ShapeKind::capsule;
    shape.radius = exposed("radius", 1);
    shape.half_length = exposed("half_length", 1);
  } else if (source.name == "box") {
    shape.kind = ShapeKind::box;
    shape.half_size = exposed("half_size", scene_.dimension);
  } else {
    shape.kind = ShapeKind::plane;
    shape.normal = expose_direction(shape.name + ".normal", element, "normal", owner, scene_.normal_axis());
  }
  if (element.has("position")) shape.position = exposed("position", scene_.dimension);
  if (shape.kind != ShapeKind::plane && shape.kind != ShapeKind::sphere && element.has("rotation"))
    shape.rotation = exposed("rotation", scene_.rotations());
  shape_of_name_.emplace(shape.name, static_cast<int>(scene_.shapes.size()));
  scene_.shapes.push_back(shape);
  ++scene_.bodies[static_cast<std::size_t>(body_index)].shapes;
}

void SceneCompiler::add_initial(ElementReader const& element, int body_index,
                                std::vector<double> const& offset) {
  Body& on = scene_.bodies[static_cast<std::size_t>(body_index)];
  std::string const prefix = on.name + ".initial.";
  if (element.has("point")) {
    PointReference const point = resolve_point(element, "point", on.name + ".");
    if (point.body != body_index)
      element.fail("the initial 'point' of body " + quoted(on.name) + " lies on another body");
    on.initial_point = point.point;
  }
  Owner const position_owner{ParameterRole::initial_position, body_index},
      velocity_owner{ParameterRole::initial_velocity, body_index};
  bool const slides = on.type == BodyType::slider;
  int const directions = slides ? 1 : scene_.dimension;
  std::vector<double> position = element.numbers("position", directions);
  for (std::size_t k = 0; k < position.size(); ++k)
    position[k] += offset[slides ? static_cast<std::size_t>(on.axis) : k];
  on.initial_position =
      expose_values(prefix + "position", element.definition("position"), position_owner, std::move(position));
  if (on.moves_freely()) {
    on.initial_velocity = expose(prefix + "velocity", element, "velocity", velocity_owner, directions);
  } else if (element.has("velocity") || element.has("angular_velocity")) {
    element.fail("body " + quoted(on.name) + " is not moved by forces: leave out its initial velocity" +
                 (on.type == BodyType::prescribed ? ", and write a <motion>" : ""));
  }
  bool const oriented = on.turns() || !on.moves_freely();
  if (!oriented && (element.has("angle") || element.has("rotation") || element.has("angular_velocity")))
    element.fail("body " + quoted(on.name) + " does not turn: leave out 'angle' and 'angular_velocity'");
  if (!oriented) return;
  std::string const wanted = scene_.dimension == 2 ? "angle" : "rotation",
                    other = scene_.dimension == 2 ? "rotation" : "angle";
  if (element.has(other)) {
    element.fail("the orientation of body " + quoted(on.name) + " in a scene of dimension " +
                 std::to_string(scene_.dimension) + " is given by " + quoted(wanted) + ", not " +
                 quoted(other));
  }
  on.initial_angle = expose(prefix + wanted, element, wanted, position_owner, scene_.rotations());
  if (on.moves_freely()) {
    on.initial_angular_velocity =
        expose(prefix + "angular_velocity", element, "angular_velocity", velocity_owner, scene_.rotations());
  }
}

void SceneCompiler::add_motion(ElementReader const& element, int body_index) {
  Body& on = scene_.bodies[static_cast<std::size_t>(body_index)];
  on.motion_is_input = is_yes(element, "input");
  auto const add = [&](std::string_view attribute, int size, bool angular) {
    std::string const name = on.name + "." + std::string(attribute);
    if (!on.motion_is_input)
      return expose(name, element, attribute, {ParameterRole::motion, body_index}, size);
    MotionInput input{name, body_index, angular, add_input(static_cast<std::size_t>(size)),
                      element.numbers(attribute, size)};
    scene_.motions.push_back(input);
    return input.first;
  };
  on.motion_velocity = add("velocity", scene_.dimension, false);
  on.motion_angular_velocity = add("angular_velocity", scene_.rotations(), true);
}

}  // namespace delassus
