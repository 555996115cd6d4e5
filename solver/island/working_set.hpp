// A large island without its open contacts. In a pile that falls, more than half of the contacts that are near enough
// to matter carry no force. The others alone tie the bodies together so loosely that a factorisation takes a fortieth
// of the work, and sweeps over them are half as long.
//
// Some sweeps over all blocks tell which of them carry force: these, those that move apart slowly and all that cannot
// open are the working set. It is swept as an island of its own, solved at the places where sweeps creep
// (local_solves.hpp), put back and chosen anew. Where that gains nothing any more, the set is solved by equations
// (IslandSolver), and sweeps see to the blocks that this has closed. The residual is always that of the whole island.
#pragma once

#include <span>
#include <vector>

#include "solver/island/anderson_acceleration.hpp"
#include "solver/island/gauss_seidel.hpp"
#include "solver/island/local_solves.hpp"
#include "solver/island/problem.hpp"
#include "solver/island/solver.hpp"

namespace delassus {

class WorkingSet {
 public:
  // Whether the island is so large that it pays to leave its open contacts out.
  static bool applies(IslandProblem const& island, SolveSettings const& settings);

  // As IslandSolver::solve, for an island whose blocks in the problem are these; lambda starts as the force of the last
  // step. `island_solver` solves the sets, and the whole island where all else has failed.
  IslandSolver::Result solve(ContactProblem const& problem, std::span<const int> blocks,
                             IslandProblem const& island, SolveSettings const& settings, double tolerance,
                             IslandSolver& island_solver, BlockVector& lambda, BlockVector& eta,
                             std::vector<SolveRecord>* history, int number);

 private:
  bool look(SolvePart part);
  bool over() const { return iterations_ >= settings_->iteration_limit; }
  void sweep(IslandProblem const& island, BlockVector const& previous, int count, BlockVector& lambda,
             BlockVector& eta);
  void choose(ContactProblem const& problem);
  void put_back();
  bool is_slow(double before, double worth) const;
  bool sweep_sets(ContactProblem const& problem, IslandSolver& island_solver);
  void solve_set(ContactProblem const& problem, double tolerance, int steps, IslandSolver& island_solver);

  // Of the present call:
  IslandProblem const* island_ = nullptr;
  SolveSettings const* settings_ = nullptr;
  std::span<const int> blocks_;
  std::vector<SolveRecord>* history_ = nullptr;
  int number_ = 0, iterations_ = 0;
  double enough_ = 0;    // residual
  double residual_ = 0;  // of lambda_ in the whole island
  SolvePart part_ = SolvePart::none;
  BlockVector previous_, lambda_, eta_, before_;
  std::vector<double> motion_;  // W lambda of what is swept

  // The set: its blocks in the island and in the problem, and as an island.
  std::vector<int> members_, member_blocks_;
  IslandProblem set_;
  BlockVector set_previous_, set_lambda_, set_eta_;

  GaussSeidel gauss_seidel_;
  AndersonAcceleration mixing_;
  LocalSolves local_solves_;
};

}  // namespace delassus
