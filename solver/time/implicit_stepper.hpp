// Steps of fixed size by the implicit scheme (70) of Kikuuwe and Brogliato 2017: lambda_{k+1} solves (65) with
// delta = h and zeta = 1/2 at (q_k, v_k), and
//
//   v_{k+1} = v_k + h M^-1 (J^T lambda_{k+1} - Phi),   q_{k+1} = q_k + h N(q_k) v_{k+1}   (28)(30)
//
// (or as the system says it better, where q has constraints of its own). Impacts are inelastic. Contacts are stable
// for every h; what is explicit in it (springs, gyroscopic torques, the curvature of joints) is not, and may gain
// energy: once in a run that is told (energy_watch.hpp).
//
// A step that would lead one shape through another (passage_guard.hpp) is made in parts, which end where shapes meet.
//
// Changes of mode are told with the time of the internal step whose force has the new mode: within a step the scheme
// knows no time.
#pragma once

#include "solver/problem/motion_scale.hpp"
#include "solver/time/passage_guard.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {

class ImplicitStepper final : public Stepper {
 public:
  ImplicitStepper(System const& system, StepperSettings const& settings);
  using Stepper::advance;
  StepReport advance(double end, InputSignal const& input, std::span<const double> parameter,
                     StopAt stop) override;

 protected:
  Relaxation relaxation() const override { return {Relaxation::Source::step, size_, 0.5, recovery_}; }

 private:
  // Where it has created many times the energy that was there.
  [[noreturn]] void fail_by_energy() const;
  // Moves trial_ over size_ by the solution of the last evaluation.
  void move(InputSignal const& input, std::span<const double> parameter);

  MotionScale scale_;
  PassageGuard guard_;
  double size_;          // s, of the present internal step
  double recovery_ = 0;  // as in Relaxation
  StepperState trial_;
  std::vector<double> qdot_;
  std::vector<double> start_;  // x before a motion
};

}  // namespace delassus
