// A scene in an engine, step by step: what a comparison of engines asks for.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>

#include "model/scene/scene.hpp"

namespace delassus {

class EngineRun {
 public:
  virtual ~EngineRun() = default;
  virtual void start() = 0;  // as the scene asks for, at t = 0
  virtual void step() = 0;
  virtual Eigen::Vector3d position(int body) const = 0;  // of the centre of mass of a rigid body, m
  virtual int contacts() const = 0;                      // in the last step
  virtual double worst_residual() const { return 0; }    // since the start, where the engine tells
};

// The same scene in MuJoCo: rigid bodies, each with one sphere or box, and planes; one coefficient of friction.
// Elliptic cones, Newton's method, everything else as MuJoCo has it. Where MuJoCo was found.
std::unique_ptr<EngineRun> mujoco_run(Scene const& scene, std::span<const double> q,
                                      std::span<const double> v, double mu, double step);

}  // namespace delassus
