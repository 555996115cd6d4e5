// A scene: bodies with points and shapes, and the contacts, joints and forces between them. It is checked and immutable. The
// numbers that a user may change stand in one array of parameter values; elements refer to them by index (-1: none).
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "model/geometry/dual.hpp"
#include "model/geometry/shape.hpp"
#include "model/scene/enumeration.hpp"
#include "model/scene/parameter.hpp"
#include "model/scene/source.hpp"

namespace delassus {

enum class BodyType { slider, point, planar, rigid, fixed, prescribed };

struct Body {
  std::string name;
  BodyType type = BodyType::point;
  int axis = 0;                     // slider: direction of motion (0: x, 1: y, 2: z)
  int first = 0;                    // of its components in v
  int degrees_of_freedom = 0;       // number of these
  int first_coordinate = 0;         // of its components in q
  int coordinates = 0;              // number of these; with a quaternion one more than degrees of freedom
  int first_shape = 0, shapes = 0;  // in Scene::shapes
  int mass_block = -1;              // in Terms::M; -1: it has no degrees of freedom

  int mass = -1;            // parameter indices from here on
  int density = -1;         // mass, centre and inertia then follow from the shapes
  int inertia = -1;         // planar: one number; rigid: Ixx Iyy Izz Ixy Ixz Iyz about the centre of mass
  int center_of_mass = -1;  // in the body's frame
  int half_length = -1;     // planar, a uniform rod
  int initial_position = -1;
  int initial_velocity = -1;
  int initial_angle = -1;  // planar: an angle; in space a rotation vector
  int initial_angular_velocity = -1;
  int initial_point =
      -1;  // in Scene::points: the point whose position and velocity are given; -1: the origin
  int motion_velocity = -1;  // prescribed: parameter or, with motion_is_input, input index
  int motion_angular_velocity = -1;
  bool from_shapes = false;  // inertia and centre of mass follow from the shapes
  bool motion_is_input = false;
  bool motion_of_surface = false;  // a belt: its surface moves, the body stays

  bool moves_freely() const { return degrees_of_freedom > 0; }
  bool turns() const { return type == BodyType::planar || type == BodyType::rigid; }
};

struct BodyPoint {
  std::string name;  // rod.tip
  int body = 0;
  int position = -1;  // parameter index: in the body's frame
  int fraction = -1;  // parameter index: along a rod, in half lengths
};

struct Shape {
  std::string name;  // box.lid
  int body = 0;
  ShapeKind kind = ShapeKind::sphere;
  int radius = -1;       // parameter indices from here on
  int half_size = -1;    // box
  int half_length = -1;  // capsule
  int position = -1;     // in the body's frame
  int rotation = -1;     // an angle in the plane, a rotation vector in space
  int normal = -1;       // plane
};

inline constexpr int ground_body = -1;

// The place that an element acts on: a named point or the origin of a body; for the ground the origin of the world.
struct PointReference {
  int body = 0;
  int point = -1;  // index in Scene::points; -1: the body's origin
};

// One side of a contact: a shape, a point, or the plane of the ground.
struct ContactSide {
  PointReference point;
  int shape = -1;  // index in Scene::shapes; -1: the point, or the ground's plane
};

enum class NormalLaw { rigid = 1, bilateral = 2, kelvin_voigt = 3, hunt_crossley = 4 };
enum class FrictionLaw { coulomb = 1, smooth = 2, compliant = 3 };

// The bound of dry friction as a function of slip speed: see contact_law.hpp.
struct FrictionParameters {
  int kinetic = -1;  // mu, or a force; -1: frictionless
  int static_ = -1;
  int stribeck_velocity = -1;
  int weakening = -1;
};

struct ContactParameters {
  NormalLaw normal = NormalLaw::rigid;
  FrictionLaw friction = FrictionLaw::coulomb;
  FrictionParameters mu;
  int zeta = -1;         // with a restitution there is none: the contact is held with zeta = 1
  int restitution = -1;  // coefficient of the impact law
  RestitutionLaw restitution_law = RestitutionLaw::newton;
  int delta = -1;
  int tangential_zeta = -1;   // of the rows of friction; -1: as large as zeta, and at least 1/2
  int tangential_delta = -1;  // -1: delta
  int stiffness = -1;         // compliant normal laws
  int damping = -1;
  int exponent = -1;
  int gamma = -1;  // smooth friction
  int tangential_stiffness = -1;
  int tangential_damping = -1;

  bool compliant() const { return normal == NormalLaw::kelvin_voigt || normal == NormalLaw::hunt_crossley; }
  bool frictional() const { return mu.kinetic >= 0; }
};

// A declared pair: the normal points out of `a`, and the force acts on `b`.
struct Contact {
  std::string name;
  ContactSide a, b;
  ContactParameters law;
  int height = -1;            // of the ground's plane
  int first_deflection = -1;  // in q: of the tangential deflections of compliant friction
  int deflections = 0;        // contact points that have one
};

// Every shape of some bodies with every shape of the others. A pair of shapes has one law: that of its own contact, or of
// the group with the fewest shapes that both belong to.
struct ContactGroup {
  std::string name;
  std::vector<int> shapes;  // ascending
  bool with_ground = false;
  ContactParameters law;
  int height = -1;
  std::vector<std::array<int, 2>> declared;  // ascending: pairs with a contact of their own, -1: the ground
  std::vector<int> yields_to;                // groups that have the pairs which belong to both

  bool holds(int shape) const {
    return shape < 0 ? with_ground : std::binary_search(shapes.begin(), shapes.end(), shape);
  }
};

// Dry friction of known bound on the motion of a point relative to another body.
struct Friction {
  std::string name;
  PointReference point;
  int relative_to = ground_body;
  std::vector<int> axes;  // one or two directions of the world, or the slider's own
  FrictionParameters bound;
  int zeta = -1;
  int delta = -1;
};

enum class JointType { fixed, revolute, prismatic, spherical, cylindrical, distance, point_on_line };

struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  PointReference a, b;
  bool meets_at_start = true;  // b names only a body: it is attached where the point of a is initially
  int axis = -1;               // parameter indices from here on; in the frame of b
  int length = -1;             // distance; -1: the initial one
  int zeta = -1;
  int delta = -1;
  int lower = -1, upper = -1;
  int friction = -1;  // largest friction force or torque along the free coordinate
  int drive = -1;     // input index of the drive force or torque
  std::string drive_name;
  double drive_start = 0;
};

// A sphere or point that rolls on a plane or sphere without slip.
struct Rolling {
  std::string name;
  ContactSide a, b;
  int height = -1;
  int zeta = -1;
  int delta = -1;
};

// A point that cannot move along a direction fixed in its body.
struct KnifeEdge {
  std::string name;
  PointReference point;
  int direction = -1;
  int zeta = -1;
  int delta = -1;
};

struct Spring {
  std::string name;
  PointReference a, b;
  bool torsional = false;
  int stiffness = -1;
  int damping = -1;
  int length = -1;  // rest length or rest angle; -1: the initial one
  int axis = -1;    // torsional in space: in the frame of b
};

struct ForceInput {
  std::string name;
  PointReference point;
  bool in_body_frame = false;
  int first = 0;              // of its components in the input array
  std::vector<double> start;  // N
};

struct TorqueInput {
  std::string name;
  int body = 0;
  int first = 0;
  std::vector<double> start;  // N.m
};

struct MotionInput {
  std::string name;  // belt.velocity
  int body = 0;
  bool angular = false;
  int first = 0;
  std::vector<double> start;  // m/s or rad/s
};

enum class ExposedAs { unchanged, tunable, fixed, constant, hidden };

// A change of how variables appear in the FMU.
struct ExposureRule {
  std::string variable;  // a pattern: `*` stands for any characters
  ExposedAs as = ExposedAs::unchanged;
  std::string name;   // new name; empty: unchanged
  std::string alias;  // second name; empty: none
  std::string file;   // where the rule stands, for messages
  int line = 0;
};

struct Experiment {
  double start = 0, stop = 1, step = 1e-2;
};

// What the FMU offers to the importer.
struct InterfaceSettings {
  bool feedthrough = true;   // outputs react to inputs at once; otherwise at the end of the next step
  bool event_clock = false;  // FMI 3: a clock ticks at each contact event
  bool states = true;        // states and their derivatives are variables, and Model Exchange is offered
  bool analysis = false;     // outputs for those who study contact problems
  bool integers = false;     // each enumeration has an integer twin
};

struct SolverSettings {
  StepperKind stepper = StepperKind::relaxed;
  ContactLaw law = ContactLaw::coulomb;
  SolutionRule rule = SolutionRule::continuous;
  double step = 1e-3;       // s, internal step of the fixed-step steppers
  double tolerance = 1e-8;  // relative and absolute, of the adaptive stepper
  ImpactOrder impacts = ImpactOrder::simultaneous;
};

struct Scene {
  std::string name;
  std::string description;
  int dimension = 2;
  std::vector<Body> bodies;
  std::vector<BodyPoint> points;
  std::vector<Shape> shapes;
  std::vector<Contact> contacts;
  std::vector<ContactGroup> groups;
  std::vector<Friction> frictions;
  std::vector<Joint> joints;
  std::vector<Rolling> rollings;
  std::vector<KnifeEdge> knife_edges;
  std::vector<Spring> springs;
  std::vector<ForceInput> forces;
  std::vector<TorqueInput> torques;
  std::vector<MotionInput> motions;
  std::vector<ExposureRule> exposures;
  int gravity = -1;  // parameter index
  Experiment experiment;
  SolverSettings solver;
  InterfaceSettings interface;
  std::vector<Parameter> parameters;
  int configuration_size = 0, velocity_size = 0, input_size = 0;

  int normal_axis() const { return dimension - 1; }
  // The number of components of an angular velocity or rotation vector.
  int rotations() const { return dimension == 2 ? 1 : 3; }
  // Whether this pair of shapes, -1: the ground, has the law of a group that holds both.
  bool has_law_of(ContactGroup const& group, int shape_a, int shape_b) const;
  std::vector<double> default_parameters() const;
  std::vector<double> default_inputs() const;
};

// Throws SceneError.
Scene compile_scene(SceneSource const& source);

// Overwrites the calculated parameters (inertia of a rod, mass from density, zeta from restitution) with values that follow
// from the other parameters.
void update_calculated_parameters(Scene const& scene, std::span<double> parameters);
void update_calculated_parameters(Scene const& scene, std::span<Dual> parameters);

// What is wrong with the combination of these values, for instance an impossible inertia. Empty: nothing.
std::string problem_with_parameters(Scene const& scene, std::span<const double> parameters);

}  // namespace delassus
