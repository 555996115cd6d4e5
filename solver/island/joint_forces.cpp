#include "solver/island/joint_forces.hpp"

#include <algorithm>

namespace delassus {
namespace {

// eps beside the smallest and at least beside the largest mean of a block's diagonal, and k; see the header.
constexpr double eps_of_smallest = 1e-10, eps_of_largest = 1e-13;
constexpr int most_solves = 8;
// A change of the motion by less than this is rounding.
constexpr double no_change = 1e-15;
// Eigenvalues of A, beside the mean of its diagonal, that are zero but for rounding.
constexpr double zero_eigenvalue = 1e-14;
// The forces of a contradiction are 1/eps before they are taken away, and leave rounding in all directions. Each solve
// divides it by as much as in refinement.
constexpr int solves_for_remainder = 3;

double squared_norm(IslandProblem const& island, std::vector<double> const& x) {
  double sum = 0;
  for (IslandProblem::Mass const& mass : island.masses()) {
    for (int c = mass.first; c < mass.first + mass.columns; ++c)
      sum += x[static_cast<std::size_t>(c)] * x[static_cast<std::size_t>(c)];
  }
  return sum;
}

}  // namespace

void JointForces::solve(IslandProblem const& island, BlockVector& lambda, BlockVector& eta) {
  lambda.assign(island.size(), Eigen::Vector3d::Zero());
  island.eta(lambda, eta);
  equations_.begin(island);
  double smallest = island.compliance(0), largest = smallest;
  for (std::size_t k = 1; k < island.size(); ++k) {
    smallest = std::min(smallest, island.compliance(k));
    largest = std::max(largest, island.compliance(k));
  }
  double const n = 1 / std::max(eps_of_smallest * smallest, eps_of_largest * largest);
  n_.assign(island.size(), n);
  if (!equations_.factorise(island, n_)) return;
  change_.resize(island.size());
  // |W change|^2, what the masses feel, of the first solve, which is nearly all of |W lambda|^2; and of the last.
  double all = 0, last = 0;
  for (int i = 0; i < most_solves; ++i) {
    for (std::size_t k = 0; k < island.size(); ++k) change_[k] = -n * eta[k];
    equations_.solve(island, n_, change_);
    for (std::size_t k = 0; k < island.size(); ++k) lambda[k] += change_[k];
    island.eta(lambda, eta);
    double const change = squared_norm(island, equations_.motion());
    // Changes fall by about the same factor each: would the next one be rounding?
    if (i == 0) {
      all = change;
    } else if (change * change <= no_change * no_change * all * last) {
      break;
    }
    last = change;
  }
  // From f to f - (A + eps)^-1 A f = eps (A + eps)^-1 f.
  change_ = lambda;
  for (int i = 0; i < most_solves; ++i) {
    equations_.solve(island, n_, change_);
    if (squared_norm(island, equations_.motion()) <= no_change * no_change * all) break;
  }
  for (std::size_t k = 0; k < island.size(); ++k) lambda[k] -= change_[k];
  island.eta(lambda, eta);
}

bool JointForces::contradicts(IslandProblem const& island, BlockVector const& eta) {
  change_ = eta;
  for (int i = 0; i < solves_for_remainder; ++i) equations_.solve(island, n_, change_);
  island.motion(change_, x_);
  double const size = norm_of(change_);
  return squared_norm(island, x_) <= zero_eigenvalue * island.mean_compliance() * size * size;
}

}  // namespace delassus
