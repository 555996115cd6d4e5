// The right-hand side of the equations of motion at an instant: terms, contact problem, its solution,
// acceleration. The relaxed ODE of Kikuuwe and Brogliato 2017 is (39) with the lambda that solves (65); here
// both are evaluated together.
#pragma once

#include "model/system.hpp"
#include "solver/delassus_operator.hpp"
#include "solver/gauss_seidel.hpp"

namespace delassus {

class Dynamics {
 public:
  explicit Dynamics(System const& system);

  System const& system() const { return *system_; }

  // Evaluates at an instant; `previous` is the force of the last accepted step.
  void evaluate(Instant const& at, Relaxation relaxation, SolveSettings const& settings,
                Eigen::Ref<const Eigen::VectorXd> previous);

  // Of the last evaluation.
  Terms const& terms() const { return terms_; }
  ContactProblem const& problem() const { return problem_; }
  Solution const& solution() const { return solution_; }
  std::span<const double> vdot() const { return vdot_; }

 private:
  System const* system_;
  DelassusOperator delassus_;
  GaussSeidel solver_;
  Terms terms_;
  ContactProblem problem_;
  Solution solution_;
  std::vector<double> vdot_;
};

// 1/2 v^T M v, J
double kinetic_energy(Terms const& terms, std::span<const double> v);

}  // namespace delassus
