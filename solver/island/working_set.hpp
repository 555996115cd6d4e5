// A large island without its open contacts. In a pile that falls, more than half of the contacts that are near enough to
// matter carry no force. The others tie the bodies together so loosely that a factorisation takes a fortieth of
// the work, and sweeps over them are half as long. The residual is always that of the whole island.
//
//   what                                        when                                  budget
//   sweeps over all blocks                      once: they tell which carry force     30 sweeps
//   in up to six rounds:
//     sweeps over the working set, then local   until the residual is acceptable or   20 times 40 to 80 sweeps
//     solves of its worst clusters              converges more slowly than equations
//     equations over the working set            after that                            6 or 40 steps, doubled each round,
//                                                                                     or the time of the sweeps before
//   the cascade of IslandSolver over all        none of this has solved the island    all that is left
//
// The working set: blocks that carry force, contacts that move apart slowly, and all that cannot open. It is chosen anew
// before each line of a round, so that sweeps see to the contacts that solving the set has closed. Anderson acceleration
// of the sweeps, local_solves.hpp, the numbers (cascade_settings.hpp) and what was tried: EXPERIMENTS.md.
#pragma once

#include <span>
#include <vector>

#include "solver/island/gauss_seidel.hpp"
#include "solver/island/local_solves.hpp"
#include "solver/island/problem.hpp"
#include "solver/island/solver.hpp"
#include "solver/linear/anderson_acceleration.hpp"

namespace delassus {

class WorkingSet {
 public:
  // Whether the island is so large that it pays to leave its open contacts out.
  static bool applies(IslandProblem const& island, SolveSettings const& settings);
  // Whether it pays in a smaller island as well: where a coarse residual is acceptable and the force of the last step,
  // lambda, is far from a solution, accelerated sweeps mostly end the work before equations would. `eta` is memory.
  static bool applies_from(BlockVector const& lambda, IslandProblem const& island,
                           SolveSettings const& settings, BlockVector& eta);

  // As IslandSolver::solve, for an island whose blocks in the problem are these; lambda starts as the force of the last
  // step. `island_solver` solves the sets, and the whole island where all else has failed.
  IslandSolver::Result solve(ContactProblem const& problem, std::span<const int> blocks,
                             IslandTask const& task, IslandSolver& island_solver, BlockVector& lambda,
                             BlockVector& eta);

  // Stages that later solves leave out, for measurements.
  void leave_out(StageSet const& stages);

 private:
  bool judge(SolvePart part);
  bool is_exhausted() const { return iterations_ >= settings_->iteration_limit; }
  bool is_near() const { return residual_ < cascade.working_set.near; }
  void sweep(IslandProblem const& island, BlockVector const& previous, int count, BlockVector& lambda,
             BlockVector& eta);
  void choose();
  void put_back();
  bool is_slow(double before, double rounds) const;
  bool sweep_sets();
  bool solve_clusters(int widenings);
  bool solve_equations(int round);

  // Of the present call:
  ContactProblem const* problem_ = nullptr;
  std::span<const int> blocks_;  // of the island in the problem
  IslandProblem const* island_ = nullptr;
  SolveSettings const* settings_ = nullptr;
  std::vector<SolveRecord>* history_ = nullptr;
  IslandSolver* island_solver_ = nullptr;
  int number_ = 0, iterations_ = 0;
  double tolerance_ = 0, enough_ = 0;  // residuals: the one asked for, and the acceptable one
  double residual_ = 0;                // of lambda_ in the whole island
  SolvePart part_ = SolvePart::none;
  BlockVector previous_, lambda_, eta_;
  BlockVector before_sweep_;    // force
  std::vector<double> motion_;  // W lambda of the blocks that are swept

  // The set: its blocks in the island and in the problem, and as an island.
  std::vector<int> members_, member_blocks_;
  IslandProblem set_;
  BlockVector set_previous_, set_lambda_, set_eta_;

  GaussSeidel gauss_seidel_;
  AndersonAcceleration acceleration_;
  LocalSolves local_solves_;
  StageSet left_out_;
};

}  // namespace delassus
