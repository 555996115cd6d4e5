#include "solver/problem/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/linear/dense.hpp"
#include "solver/linear/least_norm.hpp"

namespace delassus {
namespace {

// A unit vector of the null space has parts of this size where it has any; what is less is rounding.
constexpr double present = 1e-6;

}  // namespace

Redundancy find_redundancy(ContactProblem const& problem, std::span<const int> blocks) {
  std::vector<int> chosen(blocks.begin(), blocks.end());
  std::sort(chosen.begin(), chosen.end());
  std::vector<ProblemBlock> local;
  Eigen::Index rows = 0;
  for (int const k : chosen) {
    local.push_back({static_cast<int>(rows), problem.blocks[static_cast<std::size_t>(k)].set});
    rows += local.back().rows();
  }
  Redundancy result;
  if (rows == 0) return result;
  std::vector<Eigen::Index> all_rows;
  for (int const k : chosen) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(k)];
    for (int row = 0; row < block.rows(); ++row) all_rows.push_back(block.first + row);
  }
  Eigen::MatrixXd A = problem.dense()(all_rows, all_rows);
  if (!A.allFinite()) return result;
  // Scaled to a unit diagonal: the null space has the same blocks, and masses no longer matter.
  Eigen::VectorXd scale(rows);
  for (Eigen::Index i = 0; i < rows; ++i) scale[i] = A(i, i) > 0 ? 1 / std::sqrt(A(i, i)) : 1;
  A = scale.asDiagonal() * A * scale.asDiagonal();
  SymmetricEigen const eigen(0.5 * (A + A.transpose()));
  double const floor = LeastNorm::rank_tolerance * std::max(eigen.values[rows - 1], 1e-300);
  while (result.deficiency < rows && eigen.values[result.deficiency] <= floor) ++result.deficiency;
  auto const null_space = eigen.vectors.leftCols(result.deficiency);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (null_space.middleRows(local[i].first, local[i].rows()).norm() > present)
      result.blocks.push_back(chosen[i]);
  }
  return result;
}

Redundancy find_redundancy(ContactProblem const& problem) {
  std::vector<int> all(problem.blocks.size());
  std::iota(all.begin(), all.end(), 0);
  return find_redundancy(problem, all);
}

}  // namespace delassus
