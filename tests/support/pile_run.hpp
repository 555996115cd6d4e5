// Steps of 1 ms and others as the stepper `implicit` makes them, taken apart, so that a test or a benchmark has the
// contact problem, the settings and the clock of the solve to itself.
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "model/equations/scene_system.hpp"
#include "solver/island/contact_solver.hpp"
#include "solver/time/dynamics.hpp"

namespace delassus {

class PileRun {
 public:
  explicit PileRun(Scene scene)
      : scene_(std::move(scene)),
        system_(scene_),
        delassus_(system_),
        terms_(system_.make_terms()),
        parameters_(scene_.default_parameters()),
        inputs_(scene_.default_inputs()),
        q_(static_cast<std::size_t>(scene_.configuration_size)),
        v_(static_cast<std::size_t>(scene_.velocity_size)),
        qdot_(q_.size()),
        vdot_(v_.size()) {
    system_.initial_state(parameters_, inputs_, q_, v_);
  }
  PileRun(PileRun const&) = delete;
  PileRun& operator=(PileRun const&) = delete;

  // The contact problem of the next step, and the forces of the last one in its rows.
  void assemble(double step) {
    system_.evaluate(at(step), terms_);
    delassus_.assemble(terms_, {Relaxation::Source::step, step}, problem);
    previous_forces(terms_, forces_, previous);
  }

  // Seconds.
  double solve(SolveSettings const& settings) {
    auto const begin = std::chrono::steady_clock::now();
    solver.solve(problem, settings, previous, solution);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  // A whole step; the seconds of its solve.
  double advance(double step, SolveSettings const& settings) {
    assemble(step);
    double const seconds = solve(settings);
    delassus_.acceleration(problem, solution.lambda, vdot_);
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += step * vdot_[i];
    system_.configuration_rate(at(step), qdot_);
    system_.advance_configuration(q_, v_, qdot_, step);
    copy_forces(terms_, solution.lambda, forces_);
    time_ += step;
    return seconds;
  }

  Terms const& terms() const { return terms_; }
  std::vector<double> const& v() const { return v_; }

  ContactProblem problem;
  ContactSolver solver;
  Solution solution;
  Eigen::VectorXd previous;

 private:
  Instant at(double step) const { return {time_, q_, v_, inputs_, parameters_, step}; }

  Scene scene_;
  SceneSystem system_;
  DelassusOperator delassus_;
  Terms terms_;
  std::vector<double> parameters_, inputs_, q_, v_, qdot_, vdot_;
  std::vector<BlockForce> forces_;
  double time_ = 0;
};

}  // namespace delassus
