#include "solver/gauss_seidel.hpp"

#include <Eigen/LU>

#include "solver/block_solver.hpp"
#include "solver/sure_uniqueness.hpp"

namespace delassus {

void GaussSeidel::begin(IslandProblem const& island, SolveSettings const& settings) {
  known_.resize(island.size());
  modes_.resize(island.size());
  solutions_.resize(island.size());
  for (std::size_t k = 0; k < island.size(); ++k) {
    ForceSet const& set = island.set(k);
    known_[k].unique = settings.law == ContactLaw::coulomb && set.kind == ForceSetKind::cone3 &&
                       surely_unique(set.limit, island.diagonal(k));
    if (known_[k].unique) known_[k].inverse = island.diagonal(k).inverse();
  }
}

void GaussSeidel::sweep(IslandProblem const& island, SolveSettings const& settings,
                        BlockVector const& previous, BlockVector& lambda) {
  if (island.factored()) {
    island.motion(lambda, x_);
    for (std::size_t k = 0; k < island.size(); ++k) {
      Eigen::Vector3d const before = lambda[k];
      Eigen::Vector3d const others = island.relative_motion(k, x_.data()) - island.diagonal(k) * before;
      solve(island, settings, previous, k, island.b()[k] - others, lambda);
      if (lambda[k] != before) island.add_motion(k, lambda[k] - before, x_.data());
    }
  } else {
    for (std::size_t k = 0; k < island.size(); ++k) {
      Eigen::Vector3d const others = island.product(k, lambda) - island.diagonal(k) * lambda[k];
      solve(island, settings, previous, k, island.b()[k] - others, lambda);
    }
  }
}

// Block k alone.
void GaussSeidel::solve(IslandProblem const& island, SolveSettings const& settings,
                        BlockVector const& previous, std::size_t k, Eigen::Vector3d const& b,
                        BlockVector& lambda) {
  ForceSet const& set = island.set(k);
  if (known_[k].unique) {
    // Most contacts are open or stick, which takes a look.
    if (b[2] <= 0) {
      lambda[k].setZero();
      return;
    }
    Eigen::Vector3d const stick = known_[k].inverse * b;
    double const bound = set.limit * stick[2];
    if (stick[2] > 0 && stick[0] * stick[0] + stick[1] * stick[1] < bound * bound) {
      lambda[k] = stick;
      return;
    }
  }
  BlockChoice const choice =
      solve_block(set, settings.law, settings.rule, island.diagonal(k), b, previous[k]);
  lambda[k] = choice.lambda;
  modes_[k] = choice.mode;
  solutions_[k] = choice.solutions;
}

}  // namespace delassus
