// A scene, given as text, in a stepper: its motion, energy and momentum after every step.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/time/stepper.hpp"
#include "solver/time/velocity_projection.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {

class SceneMotion {
 public:
  SceneMotion(std::string const& text, StepperSettings const& settings)
      : scene_(compile_scene(read_scene_source(text, "scene.xml"))),
        system_(scene_),
        parameters_(scene_.default_parameters()),
        inputs_(scene_.default_inputs()),
        terms_(system_.make_terms()),
        stepper_(make_stepper(system_, settings)) {
    std::vector<double> q(static_cast<std::size_t>(system_.configuration_size()));
    std::vector<double> v(static_cast<std::size_t>(system_.velocity_size()));
    system_.initial_state(parameters_, inputs_, q, v);
    std::vector<double> const given = v;
    VelocityProjection(system_).project({0, q, given, inputs_, parameters_}, v);
    stepper_->start(0, q, v);
  }

  Scene const& scene() const { return scene_; }
  Stepper& stepper() { return *stepper_; }
  double time() const { return stepper_->time(); }

  // To t, in at most so many internal steps; false: there were more.
  bool run_to(double t, long most_steps = std::numeric_limits<long>::max()) {
    if (most_steps == std::numeric_limits<long>::max()) {
      note(stepper_->advance(t, inputs_, parameters_));
      return true;
    }
    while (time() < t) {
      if (steps_ >= most_steps) return false;
      note(stepper_->advance(t, inputs_, parameters_, StopAt::internal_step));
    }
    return true;
  }
  // Whether the stepper has told that it created energy.
  bool told_energy() const { return told_energy_; }

  struct Energy {
    double kinetic = 0, potential = 0;
    double total() const { return kinetic + potential; }
  };
  Energy energy() {
    evaluate();
    return {kinetic_energy(terms_, stepper_->v()), system_.potential_energy(at())};
  }
  // Linear and angular momentum about the origin, and what they are measured by: the sums of the amounts of all bodies.
  struct Momentum {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();
    double linear_scale = 0, angular_scale = 0;
  };
  Momentum momentum() {
    evaluate();
    Momentum sum;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      Body const& body = scene_.bodies[i];
      if (!body.moves_freely()) continue;
      auto const& M = terms_.M[static_cast<std::size_t>(body.mass_block)].M;
      Eigen::VectorXd const v = Eigen::Map<const Eigen::VectorXd>(
          stepper_->v().data() + body.first, static_cast<Eigen::Index>(body.degrees_of_freedom));
      Eigen::VectorXd const p = M * v;
      Eigen::Index const d = scene_.dimension;
      Eigen::Vector3d linear = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
      linear.head(d) = p.head(d);
      if (body.type == BodyType::planar) spin[2] = p[2];
      if (body.type == BodyType::rigid) spin = p.tail(3);
      Eigen::Vector3d const arm = place(i);
      sum.linear += linear;
      sum.angular += arm.cross(linear) + spin;
      sum.linear_scale += linear.norm();
      sum.angular_scale += arm.norm() * linear.norm() + spin.norm();
    }
    return sum;
  }
  // The centre of mass of a body.
  Eigen::Vector3d place(std::size_t body) const {
    return pose_of<double>(scene_, static_cast<int>(body), at()).twist.origin;
  }
  Eigen::Matrix3d orientation(std::size_t body) const {
    return pose_of<double>(scene_, static_cast<int>(body), at()).R;
  }
  // The deepest overlap of rigid shapes, m.
  double overlap() {
    evaluate();
    double deepest = 0;
    for (ConstraintBlock const& block : terms_.blocks) {
      if (!is_unilateral(block.set.kind) || owner_of(block.identity) == BlockOwner::joint) continue;
      deepest = std::max(deepest, -terms_.Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)]);
    }
    return deepest;
  }
  // The largest angle of a torsion spring in space.
  double largest_twist() const {
    double largest = 0;
    for (Spring const& spring : scene_.springs) {
      if (!spring.torsional || scene_.dimension == 2) continue;
      Eigen::Vector3d const axis =
          spring.axis >= 0 ? vector_parameter<double>(parameters_, spring.axis, 3) : Eigen::Vector3d::UnitZ();
      auto const turn = relative_turn<double>(scene_, spring.a.body, spring.b.body, axis, at(),
                                              pose_of<double>(scene_, spring.a.body, at()),
                                              pose_of<double>(scene_, spring.b.body, at()));
      largest = std::max(largest, std::abs(turn.angle));
    }
    return largest;
  }
  // Whether a contact, a limit or dry friction acts or may soon act.
  bool touches() {
    evaluate();
    if (!terms_.touches.empty()) return true;
    return std::any_of(terms_.blocks.begin(), terms_.blocks.end(),
                       [](ConstraintBlock const& block) { return !is_free(block.set.kind); });
  }

 private:
  Instant at() const { return {stepper_->time(), stepper_->q(), stepper_->v(), inputs_, parameters_}; }
  void note(StepReport const& report) {
    steps_ += report.internal_steps;
    told_energy_ |= report.energy.gained > 0;
  }
  void evaluate() { system_.evaluate(at(), terms_); }

  Scene scene_;
  SceneSystem system_;
  std::vector<double> parameters_, inputs_;
  Terms terms_;
  std::unique_ptr<Stepper> stepper_;
  long steps_ = 0;
  bool told_energy_ = false;
};

}  // namespace delassus
