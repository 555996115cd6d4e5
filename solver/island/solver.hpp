// Solves one island of several blocks.
//
// Its parts, each of which keeps the best force that it meets:
//   sweeps    of Gauss-Seidel, plain or mixed by Anderson's method: cheap, sure to get near, slow at the end;
//   Newton    with a compliance of 1e-8 around the present force, which makes singular equations regular and
//             hardly changes the others: full steps where the modes are nearly right, shortened ones elsewhere;
//   interior  the path through the middle of the cones (interior_point.hpp), which needs few steps where contacts are
//             many and at rest;
//   proximal  the problems (A + D, b + D lambda_k) one after the other, each solved by Newton from lambda_k. D
//             adapts to how hard the last one was. Where Newton's method alone jumps about between modes, this
//             follows a path;
//   path      the solutions of (A + d C, b + d C c) followed by their arc length from a large d to zero
//             (compliance_path.hpp), and friction bounds (friction_bounds.hpp), for one centre c after the other,
//             where all of these lead past a solution.
// What follows what, and why: README.md.
#pragma once

#include <vector>

#include "solver/island/anderson_acceleration.hpp"
#include "solver/island/compliance_path.hpp"
#include "solver/island/friction_bounds.hpp"
#include "solver/island/gauss_seidel.hpp"
#include "solver/island/interior_point.hpp"
#include "solver/island/least_norm_in_modes.hpp"
#include "solver/island/newton.hpp"
#include "solver/island/problem.hpp"
#include "solver/problem/solution.hpp"

namespace delassus {

class IslandSolver {
 public:
  struct Result {
    double residual = 0;
    int iterations = 0;
    SolvePart part = SolvePart::none;
    SolveStatus status = SolveStatus::converged;  // or iteration_limit or stalled
  };

  // What is tried first: sweeps, or what solves equations, because sweeps have done what they can.
  enum class Begin { sweeps, equations };

  // `previous` is the force of the last step, which the rule follows. lambda starts as the force to begin with, mostly
  // the same, and becomes the best force found, with its eta. Does not allocate once islands of this size were seen.
  Result solve(IslandProblem const& island, SolveSettings const& settings, double tolerance,
               BlockVector const& previous, BlockVector& lambda, BlockVector& eta,
               std::vector<SolveRecord>* history, int number, Begin begin = Begin::sweeps);

  // About how many sweeps over this island take as long as a step of its equations.
  double worth_in_sweeps(IslandProblem const& island);

  GaussSeidel const& sweeps() const { return gauss_seidel_; }

 private:
  bool done() const;
  bool keep(SolvePart part);
  void look_at_start();
  bool exhausted() const;
  bool is_large() const;
  void restart_from_best();
  void restart_from(BlockVector const& force);
  Newton& equations();
  void set_compliance(double factor);
  bool run();
  bool automatic(bool least);
  bool begin_with_sweeps(bool least);
  bool begin_with_equations();
  bool sweep(int count, bool accelerated);
  bool newton(int limit, int patience);
  bool damped_newton(int limit, double compliance);
  bool interior_point(int limit, double inside, int patience);
  bool proximal(int limit);
  bool follow_paths();
  bool follow_path(int limit);
  bool try_bounds();
  bool solve_regularised(int limit, double tolerance, Newton::Care care = Newton::Care::rounding);
  bool take_least_norm(int limit, double bound);

  IslandProblem const* island_ = nullptr;
  SolveSettings const* settings_ = nullptr;
  std::vector<SolveRecord>* history_ = nullptr;
  int number_ = 0;
  GaussSeidel gauss_seidel_;
  AndersonAcceleration mixing_;
  Newton newton_;
  InteriorPoint interior_point_;
  LeastNormInModes in_modes_;
  CompliancePath path_;
  FrictionBounds friction_bounds_;
  BlockVector previous_, start_, lambda_, eta_, best_, best_eta_, centre_, swept_, soft_, inner_;
  std::vector<double> D_, bounds_;
  double tolerance_ = 0, residual_ = 0;
  double best_residual_ = 0, best_excess_ = 1;  // the latter: how far beyond the scale of the residual it is
  double largest_ = 0;                          // force of a Newton step that is worth keeping
  Begin begin_ = Begin::sweeps;
  int iterations_ = 0, limit_ = 0;
  int acceptable_since_ = 0;  // iterations
  SolvePart part_ = SolvePart::none;
  bool sweeps_begun_ = false;     // gauss_seidel_ has looked at this island
  bool equations_begun_ = false;  // newton_ has
  bool start_seen_ = false;       // the residual of the force to begin with is known
  bool warm_ = false;             // there is a force of the last step
  bool least_ = false;            // best_ is of least norm
};

}  // namespace delassus
