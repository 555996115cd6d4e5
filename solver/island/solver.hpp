// Solves one island of several blocks by walking the stages of cascade.hpp. The methods, each of which keeps the best
// force that it meets:
//   sweeps          projected Gauss-Seidel, plain or with Anderson acceleration: cheap, sure to come near, slow at the
//                   end;
//   Newton          semismooth Newton with a compliance of 1e-8 around the present force, which makes singular
//                   equations regular and hardly changes the others: full steps, or damped by a line search;
//   interior point  the path through the middle of the cones (interior_point.hpp), few steps where contacts are many
//                   and at rest;
//   proximal point  the problems (A + D, b + D lambda_k) one after the other, each solved by Newton from lambda_k. D
//                   adapts to how hard the last one was. Follows a path where Newton's method jumps between modes;
//   search          the solutions of (A + d C, b + d C c) followed by arc length from a large d to zero
//                   (compliance_path.hpp), and friction bounds (friction_bounds.hpp), for one centre c after the other.
// Then, where it is asked for, the force of least norm.
#pragma once

#include <span>
#include <vector>

#include "solver/island/cascade.hpp"
#include "solver/island/compliance_path.hpp"
#include "solver/island/friction_bounds.hpp"
#include "solver/island/gauss_seidel.hpp"
#include "solver/island/interior_point.hpp"
#include "solver/island/least_norm_in_modes.hpp"
#include "solver/island/newton.hpp"
#include "solver/island/problem.hpp"
#include "solver/linear/anderson_acceleration.hpp"
#include "solver/problem/solution.hpp"
#include "solver/problem/squeeze.hpp"

namespace delassus {

// What an island solver is asked for. All of it stays as it is during the solve.
struct IslandTask {
  // Which stages come first: sweeps, or the solution of equations where sweeps have done what they can.
  enum class Begin { sweeps, equations };

  IslandProblem const& island;
  SolveSettings const& settings;
  double tolerance = 0;                         // residual
  BlockVector const& previous;                  // force of the last step, which the rule follows
  std::vector<SolveRecord>* history = nullptr;  // where it is kept
  int number = 0;                               // of the island, for the history
  Begin begin = Begin::sweeps;
  // Asked where the first stages did not suffice, before the expensive ones; without: not asked.
  SqueezeSearch* squeeze = nullptr;
};

class IslandSolver {
 public:
  struct Result {
    double residual = 0;
    int iterations = 0;
    SolvePart part = SolvePart::none;
    SolveStatus status = SolveStatus::converged;  // or iteration_limit, stalled, or inconsistent: squeezed
  };

  // lambda starts as the force to begin with, mostly the previous one, and becomes the best force found, with its eta.
  // Does not allocate once islands of this size were seen.
  Result solve(IslandTask const& task, BlockVector& lambda, BlockVector& eta);

  // The cost of a Newton step on this island, in sweeps over it.
  double newton_cost(IslandProblem const& island);

  GaussSeidel const& sweeps() const { return gauss_seidel_; }

  // Stages that later solves leave out, for measurements.
  void leave_out(StageSet const& stages) { left_out_ = stages; }

 private:
  // The state of a solve.
  bool done() const;
  bool keep(SolvePart part);
  void take_as_best(double residual, BlockVector const& force, BlockVector const& eta, SolvePart part);
  void keep_zero_force();
  bool exhausted() const;
  void start_from(BlockVector const& force);
  Newton& equations();
  void set_compliance(double factor);

  // The walk.
  bool run();
  bool run_cascade();
  bool walk(std::span<const Stage> stages);
  void start_from(Stage const& stage);
  bool run_stage(Stage const& stage);

  // The methods. Each starts from lambda_ and eta_, and returns whether the island is solved.
  int sweeps_of(Stage const& stage) const;
  bool sweep(int count, bool accelerated);
  bool newton(int limit, int patience);
  bool damped_newton(int limit, double compliance);
  double shorten_step(double reference);
  bool interior_point(int limit, double inside, int patience);
  bool proximal(int limit);
  double next_proximal_factor(double factor, int steps, bool idle) const;
  bool solve_regularised(int limit, double tolerance, Newton::Care care = Newton::Care::rounding);

  // The search.
  bool search();
  bool follow_path(int limit);
  bool try_friction_bounds(int rounds);

  // The force of least norm.
  void end_with_least_norm();
  bool take_least_norm(int limit, double bound);
  void begin_soft_problem(double factor);
  bool accept_least_norm(double bound);
  bool accept_least_squares(std::span<const BlockMode> modes, double bound);
  bool take_self_stress_away(double bound);
  bool solve_exactly_in_modes(double& bound);
  bool refine_soft_solution(int limit, double bound, bool without_decomposition);

  // Of the present task:
  IslandProblem const* island_ = nullptr;
  SolveSettings const* settings_ = nullptr;
  std::vector<SolveRecord>* history_ = nullptr;
  int number_ = 0;
  double tolerance_ = 0;
  IslandTask::Begin begin_ = IslandTask::Begin::sweeps;
  SqueezeSearch* squeeze_ = nullptr;
  bool squeezed_ = false;
  BlockVector previous_;  // force of the last step
  BlockVector given_;     // force to begin with

  // The state of the solve:
  Situation situation_;
  BlockVector lambda_, eta_;  // the present force
  double residual_ = 0;       // of the last force that was kept or judged
  BlockVector best_, best_eta_;
  double best_residual_ = 0,
         best_excess_ = 1;            // the latter: norm beyond which forces do not count in the residual
  SolvePart part_ = SolvePart::none;  // that found the best force
  int iterations_ = 0, limit_ = 0;
  int acceptable_since_ = 0;   // iterations
  bool changes_ = false;       // a coarse residual is acceptable, and the last force is far from a solution
  bool sweeps_begun_ = false;  // gauss_seidel_ has seen this island
  bool equations_begun_ = false;   // newton_ has
  bool zero_force_known_ = false;  // the residual of the force to begin with is known
  bool has_least_norm_ = false;    // best_
  bool for_least_norm_ = false;    // the island is solved, and the force of least norm is looked for

  // The methods:
  GaussSeidel gauss_seidel_;
  AndersonAcceleration acceleration_;
  Newton newton_;
  InteriorPoint interior_point_;
  LeastNormInModes in_modes_;
  CompliancePath path_;
  FrictionBounds friction_bounds_;
  StageSet left_out_;

  // Scratch, one meaning each:
  std::vector<double> D_;        // compliance of each block in the regularised problem
  BlockVector centre_;           // c of the regularised problem (A + D, b + D c)
  BlockVector regularised_eta_;  // eta + D (lambda - c)
  double largest_ = 0;           // force of a Newton step that is worth keeping
  BlockVector swept_;            // result of the last sweeps of the cascade
  BlockVector before_sweep_;     // force
  BlockVector eta_before_step_;  // of damped Newton; the force is centre_
  BlockVector zero_, zero_eta_;  // no force, and its eta = -b
  BlockVector random_centre_;    // of the search
  BlockVector bounded_;          // force with friction bounds
  std::vector<double> bounds_;   // of friction
  BlockVector soft_;             // solution of the soft problem that tends to the least norm
  BlockVector before_exact_;     // force before it was made exact in its modes
  BlockVector decided_eta_;      // without what no force changes of rows at rest
  BlockVector refined_, about_zero_, self_stress_;  // forces while self-stress is taken away
};

}  // namespace delassus
