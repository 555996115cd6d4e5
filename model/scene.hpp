// A scene: bodies, points on them, contacts, frictions and inputs; checked and immutable. Numbers that a user
// may change live in one flat array of parameter values; elements refer to them by index (-1: has none).
#pragma once

#include <string>
#include <vector>

#include "model/enumeration.hpp"
#include "model/parameter.hpp"
#include "model/scene_source.hpp"

namespace delassus {

enum class BodyType { slider, point, planar };

struct Body {
  std::string name;
  BodyType type = BodyType::point;
  int axis = 0;          // slider: the direction it moves in (0: x, 1: y, 2: z)
  int first = 0;         // of its coordinates in q and v
  int directions = 2;    // translational degrees of freedom
  int mass = -1;         // parameter indices from here on
  int inertia = -1;      // planar
  int half_length = -1;  // planar, a uniform rod
  int initial_position = -1;
  int initial_velocity = -1;
  int initial_angle = -1;
  int initial_angular_velocity = -1;
  int initial_point = -1;  // the point whose position and velocity are given; -1: the centre of mass
  int degrees_of_freedom() const { return directions + (type == BodyType::planar ? 1 : 0); }
};

struct BodyPoint {
  std::string name;  // rod.tip
  int body = 0;
  int position = -1;  // parameter index: in the body's frame
  int fraction = -1;  // parameter index: along a rod, in half lengths
};

// A point that an element acts on: a named one, or the centre of a body.
struct PointReference {
  int body = 0;
  int point = -1;  // index in Scene::points; -1: the centre of mass
};

// A point that cannot go below the ground: y >= height in the plane, z >= height in space.
struct Contact {
  std::string name;
  PointReference point;
  int mu = -1;  // -1: frictionless
  int zeta = -1;
  int restitution = -1;  // given instead of zeta, which then follows from it
  int delta = -1;
  int height = -1;
};

// Dry friction of known bound on the motion of a point.
struct Friction {
  std::string name;
  PointReference point;
  std::vector<int> axes;  // one or two directions, or the slider's own
  int bound = -1;
  int zeta = -1;
  int delta = -1;
};

struct ForceInput {
  std::string name;
  PointReference point;
  int first = 0;              // of its components in the input array
  std::vector<double> start;  // N
};

struct TorqueInput {
  std::string name;
  int body = 0;
  int first = 0;
  double start = 0;  // N.m
};

struct Experiment {
  double start = 0, stop = 1, step = 1e-2;
};

struct SolverSettings {
  StepperKind stepper = StepperKind::relaxed;
  ContactLaw law = ContactLaw::coulomb;
  SolutionRule rule = SolutionRule::continuous;
  double step = 1e-3;       // s, internal step of the fixed-step steppers
  double tolerance = 1e-8;  // relative and absolute, of the adaptive stepper
};

struct Scene {
  std::string name;
  std::string description;
  int dimension = 2;
  std::vector<Body> bodies;
  std::vector<BodyPoint> points;
  std::vector<Contact> contacts;
  std::vector<Friction> frictions;
  std::vector<ForceInput> forces;
  std::vector<TorqueInput> torques;
  int gravity = -1;  // parameter index
  Experiment experiment;
  SolverSettings solver;
  std::vector<Parameter> parameters;

  int normal_axis() const { return dimension - 1; }
  int degrees_of_freedom() const {
    return bodies.empty() ? 0 : bodies.back().first + bodies.back().degrees_of_freedom();
  }
  int input_count() const;
  std::vector<double> default_parameters() const;
  std::vector<double> default_inputs() const;
};

// Throws SceneError.
Scene compile_scene(SceneSource const& source);

// Overwrites the calculated parameters (a rod's inertia, zeta from restitution) from the others.
void update_calculated_parameters(Scene const& scene, std::vector<double>& parameters);

}  // namespace delassus
