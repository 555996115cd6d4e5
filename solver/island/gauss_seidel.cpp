#include "solver/island/gauss_seidel.hpp"

#include <Eigen/LU>
#include <cmath>

#include "solver/block/exact_solver.hpp"
#include "solver/block/slip_refinement.hpp"
#include "solver/block/sure_uniqueness.hpp"

namespace delassus {
namespace {

// The slip of a block with one solution, from the force of a slip nearby. False: there is none, or not so near.
bool slide_on(double mu, Eigen::Matrix3d const& A, Eigen::Vector3d const& b, Eigen::Vector3d& lambda) {
  double const square = lambda[0] * lambda[0] + lambda[1] * lambda[1];
  if (!(square > 0 && lambda[2] > 0)) return false;
  double const t = std::sqrt(square);
  Slip slip{lambda[0] / t, lambda[1] / t, lambda[2], true};
  if (!refine_slip(SpatialContact(A, b), mu, slip)) return false;
  double const bound = mu * slip.lambda_n;
  lambda = {bound * slip.ex, bound * slip.ey, slip.lambda_n};
  return true;
}

}  // namespace

void GaussSeidel::begin(IslandProblem const& island, SolveSettings const& settings) {
  known_.resize(island.size());
  modes_.resize(island.size());
  solutions_.resize(island.size());
  for (std::size_t k = 0; k < island.size(); ++k) {
    ForceSet const& set = island.set(k);
    known_[k].slid = false;
    known_[k].unique = settings.law == ContactLaw::coulomb && set.kind == ForceSetKind::cone3 &&
                       surely_unique(set.limit, island.diagonal(k));
    known_[k].inverted = false;
  }
}

void GaussSeidel::sweep(IslandProblem const& island, SolveSettings const& settings,
                        BlockVector const& previous, BlockVector& lambda) {
  if (island.factored()) {
    island.motion(lambda, x_);
    sweep(island, settings, previous, lambda, x_);
  } else {
    for (std::size_t k = 0; k < island.size(); ++k) {
      Eigen::Vector3d const others = island.product(k, lambda) - island.diagonal(k) * lambda[k];
      solve(island, settings, previous, k, island.b()[k] - others, lambda);
    }
  }
}

void GaussSeidel::sweep(IslandProblem const& island, SolveSettings const& settings,
                        BlockVector const& previous, BlockVector& lambda, std::vector<double>& motion) {
  for (std::size_t k = 0; k < island.size(); ++k) {
    Eigen::Vector3d const before = lambda[k];
    Eigen::Vector3d const others = island.relative_motion(k, motion.data()) - island.diagonal(k) * before;
    solve(island, settings, previous, k, island.b()[k] - others, lambda);
    if (lambda[k] != before) island.add_motion(k, lambda[k] - before, motion.data());
  }
}

// Block k with all other forces fixed.
void GaussSeidel::solve(IslandProblem const& island, SolveSettings const& settings,
                        BlockVector const& previous, std::size_t k, Eigen::Vector3d const& b,
                        BlockVector& lambda) {
  ForceSet const& set = island.set(k);
  if (known_[k].unique) {
    // Most contacts are open or stick, which is cheap to see.
    if (b[2] <= 0) {
      lambda[k].setZero();
      known_[k].slid = false;
      return;
    }
    if (!known_[k].inverted) known_[k].inverse = island.diagonal(k).inverse();
    known_[k].inverted = true;
    Eigen::Vector3d const stick = known_[k].inverse * b;
    double const bound = set.limit * stick[2];
    if (stick[2] > 0 && stick[0] * stick[0] + stick[1] * stick[1] < bound * bound) {
      lambda[k] = stick;
      known_[k].slid = false;
      return;
    }
    if (known_[k].slid && slide_on(set.limit, island.diagonal(k), b, lambda[k])) return;
    // In a small island sweeps are few, and a solution does not depend on the force before it.
    known_[k].slid = island.factored();
  }
  BlockChoice const choice =
      solve_block(set, settings.law, settings.rule, island.diagonal(k), b, previous[k]);
  lambda[k] = choice.lambda;
  modes_[k] = choice.mode;
  solutions_[k] = choice.solutions;
}

}  // namespace delassus
