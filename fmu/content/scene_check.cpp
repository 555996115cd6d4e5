// The scene as a whole, its bodies with points and shapes, and its inputs.
#include "fmu/content/scene_check.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fmu/content/scene_checker.hpp"
#include "model/language/vocabulary.hpp"

namespace delassus {
namespace {

template <class Enum>
bool is_one_of(Enum value, Enumeration const& items) {
  return static_cast<int>(value) >= 1 && static_cast<std::size_t>(value) <= items.items.size();
}

}  // namespace

void check_scene(Scene const& scene) {
  SceneChecker(scene).run();
}

SceneChecker::SceneChecker(Scene const& scene)
    : scene_(scene), parameters_(scene.parameters, scene.bodies.size()) {}

void SceneChecker::refuse(std::string const& what) const {
  throw std::runtime_error((name_ ? std::string(kind_) + " '" + *name_ + "' " : std::string("it ")) + what);
}

void SceneChecker::parameter(char const* what, int index, int size) const {
  if (parameters_.begins_at(index, size)) return;
  refuse("has as its " + std::string(what) + " the parameter " + std::to_string(index) + ", and none with " +
         std::to_string(size) + (size == 1 ? " value" : " values") + " begins there");
}

void SceneChecker::parameter_if(bool needed, char const* what, int index, int size) const {
  if (needed) return parameter(what, index, size);
  if (index != -1) refuse("must have no " + std::string(what));
}

void SceneChecker::take_inputs(char const* what, int first, std::size_t size) {
  bool const fits = first >= 0 && size <= input_taken_.size() &&
                    static_cast<std::size_t>(first) <= input_taken_.size() - size;
  if (!fits)
    refuse("has as its " + std::string(what) + " the inputs from " + std::to_string(first) +
           " on, and there are " + std::to_string(input_taken_.size()));
  for (std::size_t i = 0; i < size; ++i) {
    char& taken = input_taken_[static_cast<std::size_t>(first) + i];
    demand(taken == 0, "shares an input with another element");
    taken = 1;
  }
}

void SceneChecker::check_place(PointReference const& place) const {
  demand(place.body == ground_body || has(scene_.bodies, place.body), "refers to a body that is not there");
  if (place.point == -1) return;
  demand(has(scene_.points, place.point), "refers to a point that is not there");
  demand(scene_.points[static_cast<std::size_t>(place.point)].body == place.body,
         "refers to a point of another body");
}

void SceneChecker::check_side(ContactSide const& side) const {
  check_place(side.point);
  if (side.shape == -1) return;
  demand(side.point.point == -1, "refers to a point and a shape at once");
  demand(has(scene_.shapes, side.shape), "refers to a shape that is not there");
  demand(scene_.shapes[static_cast<std::size_t>(side.shape)].body == side.point.body,
         "refers to a shape of another body");
}

void SceneChecker::check_pair(int body_a, int body_b) const {
  demand(body_a != body_b, "has both ends on one body");
  demand(moves(body_a) || moves(body_b), "is between bodies that nothing moves");
}

ShapeKind SceneChecker::kind_of(ContactSide const& side) const {
  if (side.shape >= 0) return scene_.shapes[static_cast<std::size_t>(side.shape)].kind;
  return side.point.body == ground_body ? ShapeKind::plane : ShapeKind::point;
}

void SceneChecker::run() {
  Scene const& s = scene_;
  demand(s.dimension == 2 || s.dimension == 3, "has a dimension that is neither 2 nor 3");
  check_settings();
  for (std::size_t i = 0; i < s.bodies.size(); ++i) check_body(i);
  demand(static_cast<std::size_t>(shapes_) == s.shapes.size(), "has shapes without a body");
  for (BodyPoint const& point : s.points) check_point(point);
  for (Shape const& shape : s.shapes) check_shape(shape);
  name_ = nullptr;
  demand(s.input_size >= 0, "has a negative number of inputs");
  check_inputs();
  for (Contact const& contact : s.contacts) check_contact(contact);
  name_ = nullptr;
  demand(s.groups.size() <= 255, "has more than 255 groups of contacts");
  for (std::size_t i = 0; i < s.groups.size(); ++i) check_group(s.groups[i], i);
  for (Friction const& friction : s.frictions) check_friction(friction);
  for (Joint const& joint : s.joints) check_joint(joint);
  for (Rolling const& rolling : s.rollings) check_rolling(rolling);
  for (KnifeEdge const& edge : s.knife_edges) {
    about("knife edge", edge.name);
    check_place(edge.point);
    check_pair(edge.point.body, ground_body);
    parameter("direction", edge.direction, s.dimension);
    parameter("zeta", edge.zeta);
    parameter("delta", edge.delta);
  }
  for (Spring const& spring : s.springs) check_spring(spring);
  name_ = nullptr;
  check_sizes();
  if (std::string const problem = problem_with_parameters(s, s.default_parameters()); !problem.empty())
    throw std::runtime_error(problem);
}

void SceneChecker::check_settings() {
  Experiment const& e = scene_.experiment;
  demand(std::isfinite(e.start) && std::isfinite(e.stop) && e.stop > e.start && e.step > 0 &&
             e.step < e.stop - e.start,
         "has an experiment that does not end after its start, or in less than a step");
  SolverSettings const& solver = scene_.solver;
  demand(is_one_of(solver.stepper, stepper_enumeration()), "has an unknown stepper");
  demand(is_one_of(solver.law, contact_law_enumeration()), "has an unknown contact law");
  demand(is_one_of(solver.rule, solution_rule_enumeration()), "has an unknown solution rule");
  demand(is_one_of(solver.impacts, impact_order_enumeration()), "has an unknown order of impacts");
  Element const& element = *find_element("scene", "solver");
  demand(std::isfinite(solver.step) && find_attribute(element, "step")->range.contains(solver.step),
         "has a solver.step out of its range");
  demand(std::isfinite(solver.tolerance) &&
             find_attribute(element, "tolerance")->range.contains(solver.tolerance),
         "has a solver.tolerance out of its range");
  check_name(scene_.name, "the scene");
  for (ExposureRule const& rule : scene_.exposures) {
    for (std::string const* const name : {&rule.variable, &rule.name, &rule.alias})
      check_name(*name, "<expose>");
    demand(rule.as >= ExposedAs::unchanged && rule.as <= ExposedAs::hidden, "has an unknown <expose>");
  }
  parameter_if_any("gravity", scene_.gravity, scene_.dimension);
}

void SceneChecker::check_body(std::size_t index) {
  Body const& b = scene_.bodies[index];
  about("body", b.name);
  bool const plane = scene_.dimension == 2;
  int freedoms = 0, coordinates = 0;
  switch (b.type) {
    case BodyType::slider:
      freedoms = coordinates = 1;
      break;
    case BodyType::point:
      freedoms = coordinates = scene_.dimension;
      break;
    case BodyType::planar:
      demand(plane, "is planar, and the scene has dimension 3");
      freedoms = coordinates = 3;
      break;
    case BodyType::rigid:
      demand(!plane, "is rigid, and the scene has dimension 2");
      freedoms = 6;
      coordinates = 7;
      break;
    case BodyType::fixed:
      break;
    case BodyType::prescribed:
      coordinates = b.motion_of_surface ? 0 : plane ? 3 : 7;
      break;
    default:
      refuse("has an unknown type");
  }
  demand(b.axis >= 0 && b.axis < scene_.dimension, "has an axis that is none");
  demand(b.degrees_of_freedom == freedoms && b.coordinates == coordinates,
         "has other numbers of coordinates and velocities than its type");
  demand(b.first == velocities_ && b.first_coordinate == configuration_,
         "has coordinates or velocities that do not follow those of the body before it");
  demand(b.mass_block == (freedoms > 0 ? masses_ : -1), "has the mass of another body");
  velocities_ += freedoms;
  configuration_ += coordinates;
  if (freedoms > 0) ++masses_;
  demand(b.first_shape == shapes_ && b.shapes >= 0 &&
             static_cast<std::size_t>(b.shapes) <= scene_.shapes.size() - static_cast<std::size_t>(shapes_),
         "has shapes that do not follow those of the body before it");
  for (int i = 0; i < b.shapes; ++i, ++shapes_)
    demand(scene_.shapes[static_cast<std::size_t>(shapes_)].body == static_cast<int>(index),
           "has shapes that are on another body");
  check_body_parameters(b, static_cast<int>(index));
}

void SceneChecker::check_body_parameters(Body const& b, int index) {
  bool const moving = b.moves_freely(), turns = b.turns(), oriented = turns || !moving;
  int const directions = b.type == BodyType::slider ? 1 : scene_.dimension,
            moments = b.type == BodyType::planar ? 1 : 6;
  parameter_if(moving, "mass", b.mass);
  parameter_if(moving && b.density != -1, "density", b.density);
  parameter_if(turns, "inertia", b.inertia, moments);
  parameter_if(turns && b.center_of_mass != -1, "centre of mass", b.center_of_mass, scene_.dimension);
  parameter_if(b.type == BodyType::planar && b.half_length != -1, "half length", b.half_length);
  demand(!b.from_shapes || moving, "has an inertia from its shapes, and nothing moves it");
  parameter("initial position", b.initial_position, directions);
  parameter_if(moving, "initial velocity", b.initial_velocity, directions);
  parameter_if(oriented, "initial angle", b.initial_angle, scene_.rotations());
  parameter_if(oriented && moving, "initial angular velocity", b.initial_angular_velocity,
               scene_.rotations());
  if (b.initial_point != -1) check_place({index, b.initial_point});
  demand(b.type == BodyType::prescribed || (!b.motion_is_input && !b.motion_of_surface),
         "has a motion that only prescribed bodies have");
  if (b.motion_is_input) return;  // check_inputs
  parameter_if(b.type == BodyType::prescribed, "velocity", b.motion_velocity, scene_.dimension);
  parameter_if(b.type == BodyType::prescribed, "angular velocity", b.motion_angular_velocity,
               scene_.rotations());
}

void SceneChecker::check_point(BodyPoint const& point) {
  about("point", point.name);
  demand(has(scene_.bodies, point.body), "is on a body that is not there");
  Body const& on = body(point.body);
  demand(on.type != BodyType::slider && on.type != BodyType::point, "is on a body without extent");
  bool const on_rod = point.fraction != -1;
  demand(!on_rod || on.half_length >= 0, "has a fraction, and its body no half length");
  parameter_if(on_rod, "fraction", point.fraction);
  parameter_if(!on_rod, "position", point.position, scene_.dimension);
}

void SceneChecker::check_shape(Shape const& shape) {
  about("shape", shape.name);
  bool const sphere = shape.kind == ShapeKind::sphere, capsule = shape.kind == ShapeKind::capsule,
             box = shape.kind == ShapeKind::box, plane = shape.kind == ShapeKind::plane;
  demand(sphere || capsule || box || plane, "is of an unknown kind");
  demand(!plane || !moves(shape.body), "is a half-space on a body that forces move");
  parameter_if(sphere || capsule, "radius", shape.radius);
  parameter_if(capsule, "half length", shape.half_length);
  parameter_if(box, "half size", shape.half_size, scene_.dimension);
  parameter_if(plane, "normal", shape.normal, scene_.dimension);
  parameter_if_any("position", shape.position, scene_.dimension);
  parameter_if((capsule || box) && shape.rotation != -1, "rotation", shape.rotation, scene_.rotations());
}

// Each input belongs to one element, whatever their order is.
void SceneChecker::check_inputs() {
  std::size_t total = 0;
  for (ForceInput const& force : scene_.forces) total += force.start.size();
  for (TorqueInput const& torque : scene_.torques) total += torque.start.size();
  for (MotionInput const& motion : scene_.motions) total += motion.start.size();
  for (Joint const& joint : scene_.joints) total += joint.drive != -1 ? 1 : 0;
  demand(total == static_cast<std::size_t>(scene_.input_size),
         "has another number of inputs than its elements");
  input_taken_.assign(total, 0);
  for (ForceInput const& force : scene_.forces) {
    about("force", force.name);
    check_place(force.point);
    demand(moves(force.point.body), "acts on a body that forces do not move");
    int const size = body(force.point.body).type == BodyType::slider ? 1 : scene_.dimension;
    demand(force.start.size() == static_cast<std::size_t>(size), "has a wrong number of components");
    take_inputs("components", force.first, force.start.size());
    check_finite(force.start, "an input");
  }
  for (TorqueInput const& torque : scene_.torques) {
    about("torque", torque.name);
    demand(has(scene_.bodies, torque.body) && body(torque.body).turns(), "acts on a body that does not turn");
    demand(torque.start.size() == static_cast<std::size_t>(scene_.rotations()),
           "has a wrong number of components");
    take_inputs("components", torque.first, torque.start.size());
    check_finite(torque.start, "an input");
  }
  int moved = 0;
  for (MotionInput const& motion : scene_.motions) {
    about("motion", motion.name);
    demand(has(scene_.bodies, motion.body) && body(motion.body).motion_is_input,
           "is of a body whose motion is no input");
    int const size = motion.angular ? scene_.rotations() : scene_.dimension;
    demand(motion.start.size() == static_cast<std::size_t>(size), "has a wrong number of components");
    take_inputs("components", motion.first, motion.start.size());
    check_finite(motion.start, "an input");
    Body const& of = body(motion.body);
    demand(motion.first == (motion.angular ? of.motion_angular_velocity : of.motion_velocity),
           "is not what its body moves by");
    ++moved;
  }
  // Each such body has two, whose inputs differ.
  auto const by_input = std::count_if(scene_.bodies.begin(), scene_.bodies.end(),
                                      [](Body const& each) { return each.motion_is_input; });
  name_ = nullptr;
  demand(moved == 2 * by_input, "has a prescribed body without the inputs that move it");
  for (Joint const& joint : scene_.joints) {
    if (joint.drive == -1) continue;
    about("joint", joint.name);
    check_name(joint.drive_name, "a drive");
    take_inputs("drive", joint.drive, 1);
    demand(std::isfinite(joint.drive_start), "has a drive that is not finite at the start");
  }
}

void SceneChecker::check_sizes() {
  demand(scene_.velocity_size == velocities_ && scene_.configuration_size == configuration_,
         "has another number of coordinates or velocities than its elements");
  demand(velocities_ > 0, "has nothing that forces move");
}

}  // namespace delassus
