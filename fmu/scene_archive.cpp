// The compiled scene as bytes. Change `scene_seal.version` with every change of the structs below.
#include "fmu/archive.hpp"
#include "fmu/model.hpp"
#include "fmu/sealed_bytes.hpp"

namespace delassus {
namespace {

constexpr SealKind scene_seal{"DELSCENE", 1, "compiled scene"};

}  // namespace

template <class Archive>
void serialize(Archive& archive, Range& range) {
  archive(range.minimum, range.maximum, range.open_minimum);
}
template <class Archive>
void serialize(Archive& archive, Parameter& p) {
  archive(p.name, p.description, p.unit, p.range, p.tunable, p.calculated, p.vector, p.first, p.values);
}
template <class Archive>
void serialize(Archive& archive, Body& b) {
  archive(b.name, b.type, b.axis, b.first, b.directions, b.mass, b.inertia, b.half_length, b.initial_position,
          b.initial_velocity, b.initial_angle, b.initial_angular_velocity, b.initial_point);
}
template <class Archive>
void serialize(Archive& archive, BodyPoint& p) {
  archive(p.name, p.body, p.position, p.fraction);
}
template <class Archive>
void serialize(Archive& archive, PointReference& p) {
  archive(p.body, p.point);
}
template <class Archive>
void serialize(Archive& archive, Contact& c) {
  archive(c.name, c.point, c.mu, c.zeta, c.restitution, c.delta, c.height);
}
template <class Archive>
void serialize(Archive& archive, Friction& f) {
  archive(f.name, f.point, f.axes, f.bound, f.zeta, f.delta);
}
template <class Archive>
void serialize(Archive& archive, ForceInput& f) {
  archive(f.name, f.point, f.first, f.start);
}
template <class Archive>
void serialize(Archive& archive, TorqueInput& t) {
  archive(t.name, t.body, t.first, t.start);
}
template <class Archive>
void serialize(Archive& archive, Experiment& e) {
  archive(e.start, e.stop, e.step);
}
template <class Archive>
void serialize(Archive& archive, SolverSettings& s) {
  archive(s.stepper, s.law, s.rule, s.step, s.tolerance);
}
template <class Archive>
void serialize(Archive& archive, Scene& s) {
  archive(s.name, s.description, s.dimension, s.bodies, s.points, s.contacts, s.frictions, s.forces,
          s.torques, s.gravity, s.experiment, s.solver, s.parameters);
}

std::string write_scene_archive(Scene const& scene) {
  return seal(scene_seal, to_bytes(scene));
}

Scene read_scene_archive(std::string_view bytes) {
  return from_bytes<Scene>(unseal(scene_seal, bytes), scene_seal.name);
}

}  // namespace delassus
