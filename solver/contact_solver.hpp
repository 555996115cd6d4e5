// Solves a contact problem island by island.
//
// An island of one block takes one exact solve. Of the others, small ones are solved by Newton's method from
// the force of the last step, which mostly takes one or two steps; where that fails, sweeps of Gauss-Seidel
// bring it near a solution, and after that a proximal loop, (A + alpha I, b + alpha lambda_k) with falling
// alpha. Large ones are swept first. The best force by its residual is kept.
//
// Where the equations are singular (more joints or contacts than the bodies can tell apart), forces are not
// unique. Which modes belong to the force of least norm is found from the problem with a little compliance, A
// + alpha I, whose solution tends to it; within these modes the least-norm solver does the rest. So bilateral
// blocks and static friction get the least force (Oprea's T_s), clipped ones stay at their bound, and the
// answer does not depend on the force of the last step.
//
// The laws for comparison: Anitescu and Tasora's by Gauss-Seidel, Nakaoka's as a projection of A^+ b.
#pragma once

#include "solver/contact_problem.hpp"
#include "solver/gauss_seidel.hpp"
#include "solver/island_problem.hpp"
#include "solver/islands.hpp"
#include "solver/newton.hpp"
#include "solver/solution.hpp"
#include "solver/solve_settings.hpp"

namespace delassus {

class ContactSolver {
 public:
  // `previous` is the force of the last step: the warm start, and what the rule `continuous` follows; it is
  // not solution.lambda itself. The residual of the solution is that of the worst island, the iterations are
  // those of the longest. Does not allocate once problems of this size were seen, except under Nakaoka's law.
  void solve(ContactProblem const& problem, SolveSettings const& settings,
             Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution);

  Islands const& islands() const { return islands_; }  // of the last problem

 private:
  struct Outcome {
    double residual = 0;
    int iterations = 0;
    SolveStatus status = SolveStatus::converged;
  };
  Outcome solve_one_block(ContactProblem const& problem, std::span<const int> island,
                          SolveSettings const& settings, Eigen::Ref<const Eigen::VectorXd> previous,
                          Solution& solution);
  Outcome solve_island(ContactProblem const& problem, std::span<const int> island,
                       SolveSettings const& settings, Eigen::Ref<const Eigen::VectorXd> previous,
                       Solution& solution);
  Outcome sweep_only(ContactProblem const& problem, std::span<const int> island,
                     SolveSettings const& settings, Eigen::Ref<const Eigen::VectorXd> previous,
                     Solution& solution);
  Outcome project_bilateral_force(ContactProblem const& problem, std::span<const int> island,
                                  Solution& solution);

  // These improve lambda_ of island_, keep the best in best_, and say whether it is good enough.
  bool newton();
  bool newton_with_compliance(bool singular);
  bool proximal();
  bool sweep(ContactProblem const& problem, std::span<const int> island, SolveSettings const& settings,
             int limit, Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution);
  bool keep(NewtonResult const& result);

  bool find_contradictions(std::span<const int> island);
  void classify(ContactProblem const& problem, std::span<const int> island, bool converged,
                Solution& solution);

  Islands islands_;
  IslandProblem island_, softened_;
  GaussSeidel gauss_seidel_;
  Newton newton_;
  LeastNorm least_norm_;
  GrowingVector lambda_, best_, right_, candidate_, centre_;
  GrowingMatrix matrix_;
  std::vector<int> contradictory_;  // blocks of the present island
  double tolerance_ = 0;            // of the present island
  double best_residual_ = 0;
  int iterations_ = 0;
};

}  // namespace delassus
