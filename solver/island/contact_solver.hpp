// Solves a contact problem island by island. An island of one block takes one exact solve, islands with only separating
// contacts are skipped, islands of joints only go to JointForces, and all others to WorkingSet or IslandSolver. Then
// every block is classified: its mode and its number of solutions.
//
// Joints that contradict one another leave an island without solution: the least-squares forces of their rows
// then say which part of b can be met, and that part is solved.
//
// So do bodies that are squeezed (problem/squeeze.hpp): the solution then names the blocks, and lambda is the best force that
// was found before.
//
// The laws for comparison: Anitescu and Tasora's by Gauss-Seidel, Nakaoka's as a projection of A^+ b.
#pragma once

#include <span>
#include <vector>

#include "solver/island/joint_forces.hpp"
#include "solver/island/problem.hpp"
#include "solver/island/solver.hpp"
#include "solver/island/working_set.hpp"
#include "solver/linear/growing.hpp"
#include "solver/linear/least_norm.hpp"
#include "solver/problem/contact_problem.hpp"
#include "solver/problem/islands.hpp"
#include "solver/problem/solution.hpp"
#include "solver/problem/solve_settings.hpp"

namespace delassus {

class ContactSolver {
 public:
  // `previous` is the force of the last step: the warm start, and what the rule `continuous` follows; it is
  // not solution.lambda itself. The residual of the solution is that of the worst island, the iterations are
  // those of the longest. Does not allocate once problems of this size were seen, except under Nakaoka's law.
  void solve(ContactProblem const& problem, SolveSettings const& settings,
             Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution);

  Islands const& islands() const { return islands_; }  // of the last problem

  // Stages that later solves leave out, for measurements.
  void leave_out(StageSet const& stages);

 private:
  struct Outcome {
    double residual = 0;
    int iterations = 0;
    SolveStatus status = SolveStatus::converged;
    SolvePart part = SolvePart::none;
  };
  Outcome solve_one_block(ContactProblem const& problem, std::span<const int> island,
                          SolveSettings const& settings, Eigen::Ref<const Eigen::VectorXd> previous,
                          Solution& solution);
  // Whether the blocks of an island had no force and need none: every one of them moves apart without any.
  bool nothing_presses(ContactProblem const& problem, std::span<const int> island,
                       Eigen::Ref<const Eigen::VectorXd> previous) const;
  Outcome leave_open(ContactProblem const& problem, std::span<const int> island, int number,
                     SolveSettings const& settings, Solution& solution);
  Outcome solve_island(ContactProblem const& problem, std::span<const int> island, int number,
                       SolveSettings const& settings, Eigen::Ref<const Eigen::VectorXd> previous,
                       Solution& solution);
  // Of joints only, whose A is there as W.
  Outcome solve_joints(ContactProblem const& problem, std::span<const int> island, Solution& solution);
  Outcome end_with_joint_forces(ContactProblem const& problem, std::span<const int> island,
                                bool contradiction, Solution& solution);
  Outcome project_bilateral_force(ContactProblem const& problem, std::span<const int> island,
                                  Solution& solution);
  bool find_contradictions(ContactProblem const& problem, std::span<const int> island);
  // Fills contradictory_: blocks in which too much is left of b.
  void find_remainders(std::span<const int> island, double rho, double size);
  enum class Form { by_size, blocks, factored };  // of A
  void gather(ContactProblem const& problem, std::span<const int> island, Form form);
  void classify(std::span<const int> island, bool converged, Solution& solution);
  void scatter(ContactProblem const& problem, std::span<const int> island, Solution& solution) const;

  SolveSettings settings_;  // of the present problem
  Islands islands_;
  IslandProblem island_;
  IslandSolver island_solver_;
  JointForces joint_forces_;
  WorkingSet working_set_;
  SqueezeSearch squeeze_;
  StageSet left_out_;
  LeastNorm least_norm_;
  BlockVector previous_, lambda_, eta_;
  BlockVector joint_lambda_, joint_eta_;  // of least squares over the free rows
  GrowingVector right_, candidate_;
  GrowingMatrix matrix_;
  std::vector<int> contradictory_;  // blocks of the present island
  double floor_ = 0;                // of the residual's scale for an island of all rows
};

}  // namespace delassus
