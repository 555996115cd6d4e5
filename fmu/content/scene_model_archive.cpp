// The compiled scene as bytes, without the line numbers that only messages need. Increase
// `scene_seal.version` with every change of the structs below, and check what is new in scene_check.cpp.
#include "fmu/content/parameter_serialisation.hpp"
#include "fmu/content/scene_check.hpp"
#include "fmu/content/scene_model.hpp"
#include "fmu/content/sealed_bytes.hpp"

namespace delassus {
namespace {

constexpr SealKind scene_seal{"DELSCENE", 8, "compiled scene"};

}  // namespace

template <class Archive>
void serialize(Archive& archive, Body& x) {
  archive(x.name, x.type, x.axis, x.first, x.degrees_of_freedom, x.first_coordinate, x.coordinates,
          x.first_shape, x.shapes, x.mass_block, x.mass, x.density, x.inertia, x.center_of_mass,
          x.half_length, x.initial_position, x.initial_velocity, x.initial_angle, x.initial_angular_velocity,
          x.initial_point, x.motion_velocity, x.motion_angular_velocity, x.from_shapes, x.motion_is_input,
          x.motion_of_surface);
}
template <class Archive>
void serialize(Archive& archive, BodyPoint& x) {
  archive(x.name, x.body, x.position, x.fraction);
}
template <class Archive>
void serialize(Archive& archive, Shape& x) {
  archive(x.name, x.body, x.kind, x.radius, x.half_size, x.half_length, x.position, x.rotation, x.normal);
}
template <class Archive>
void serialize(Archive& archive, PointReference& x) {
  archive(x.body, x.point);
}
template <class Archive>
void serialize(Archive& archive, ContactSide& x) {
  archive(x.point, x.shape);
}
template <class Archive>
void serialize(Archive& archive, FrictionParameters& x) {
  archive(x.kinetic, x.static_, x.stribeck_velocity, x.weakening);
}
template <class Archive>
void serialize(Archive& archive, ContactParameters& x) {
  archive(x.normal, x.friction, x.mu, x.zeta, x.restitution, x.restitution_law, x.delta, x.tangential_zeta,
          x.tangential_delta, x.stiffness, x.damping, x.exponent, x.gamma, x.tangential_stiffness,
          x.tangential_damping);
}
template <class Archive>
void serialize(Archive& archive, Contact& x) {
  archive(x.name, x.a, x.b, x.law, x.height, x.first_deflection, x.deflections);
}
template <class Archive>
void serialize(Archive& archive, ContactGroup& x) {
  archive(x.name, x.shapes, x.with_ground, x.law, x.height, x.declared, x.yields_to);
}
template <class Archive>
void serialize(Archive& archive, Friction& x) {
  archive(x.name, x.point, x.relative_to, x.axes, x.bound, x.zeta, x.delta);
}
template <class Archive>
void serialize(Archive& archive, Joint& x) {
  archive(x.name, x.type, x.a, x.b, x.meets_at_start, x.axis, x.length, x.zeta, x.delta, x.lower, x.upper,
          x.friction, x.drive, x.drive_name, x.drive_start);
}
template <class Archive>
void serialize(Archive& archive, Rolling& x) {
  archive(x.name, x.a, x.b, x.height, x.zeta, x.delta);
}
template <class Archive>
void serialize(Archive& archive, KnifeEdge& x) {
  archive(x.name, x.point, x.direction, x.zeta, x.delta);
}
template <class Archive>
void serialize(Archive& archive, Spring& x) {
  archive(x.name, x.a, x.b, x.torsional, x.stiffness, x.damping, x.length, x.axis);
}
template <class Archive>
void serialize(Archive& archive, ForceInput& x) {
  archive(x.name, x.point, x.in_body_frame, x.first, x.start);
}
template <class Archive>
void serialize(Archive& archive, TorqueInput& x) {
  archive(x.name, x.body, x.first, x.start);
}
template <class Archive>
void serialize(Archive& archive, MotionInput& x) {
  archive(x.name, x.body, x.angular, x.first, x.start);
}
template <class Archive>
void serialize(Archive& archive, ExposureRule& x) {
  archive(x.variable, x.as, x.name, x.alias);
}
template <class Archive>
void serialize(Archive& archive, SolverSettings& x) {
  archive(x.stepper, x.law, x.rule, x.step, x.tolerance, x.impacts);
}
template <class Archive>
void serialize(Archive& archive, InterfaceSettings& x) {
  archive(x.feedthrough, x.event_clock, x.states, x.analysis, x.integers);
}
template <class Archive>
void serialize(Archive& archive, Scene& x) {
  archive(x.name, x.description, x.dimension, x.bodies, x.points, x.shapes, x.contacts, x.groups, x.frictions,
          x.joints, x.rollings, x.knife_edges, x.springs, x.forces, x.torques, x.motions, x.exposures,
          x.gravity, x.experiment, x.solver, x.interface, x.parameters, x.configuration_size, x.velocity_size,
          x.input_size);
}

std::string write_scene_archive(Scene const& scene) {
  return seal(scene_seal, to_bytes(scene));
}

Scene read_scene_archive(std::string_view bytes) {
  auto scene = from_bytes<Scene>(unseal(scene_seal, bytes), scene_seal.name);
  try {
    check_scene(scene);
  } catch (std::exception const& error) {
    throw std::runtime_error("the " + std::string(scene_seal.name) + " cannot be used: " + error.what());
  }
  return scene;
}

}  // namespace delassus
