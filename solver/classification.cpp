#include "solver/classification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/block_solver.hpp"
#include "solver/residual.hpp"

namespace delassus {
namespace {

// Where enumeration does not say: by the place of lambda in its set.
ContactMode mode_by_place(ForceSet const& set, Eigen::Vector3d const& lambda) {
  if (is_free(set.kind)) return ContactMode::stick;
  int const rows = rows_of(set.kind);
  bool const normal = has_normal(set.kind);
  double const lambda_n = normal ? std::abs(lambda[rows - 1]) : 1;
  if (normal && lambda_n == 0) return ContactMode::detached;
  if (set.kind == ForceSetKind::half_line) return ContactMode::stick;
  double const tangential = lambda.head(normal ? rows - 1 : rows).norm();
  return tangential < (1 - 1e-9) * set.limit * lambda_n ? ContactMode::stick : ContactMode::slip;
}

}  // namespace

BlockClass classify_block(ContactProblem const& problem, std::size_t k,
                          Eigen::Ref<const Eigen::VectorXd> lambda, double island_force, bool converged) {
  ProblemBlock const& block = problem.blocks[k];
  if (is_free(block.set.kind)) return {ContactMode::stick, 1};
  Eigen::Vector3d own = Eigen::Vector3d::Zero();
  for (int i = 0; i < block.rows(); ++i) own[i] = lambda[block.first + i];
  Eigen::Matrix3d const& A = problem.A.diagonal(k);
  Eigen::Vector3d const eta = eta_of_block(problem, k, lambda.data());
  Eigen::Vector3d const b = A * own - eta;
  BlockSolutions const solutions = enumerate_block(block.set, A, b);

  // Six digits of what this block could need: apart from that, two solutions are one.
  double const mean = A.trace() / block.rows();
  double const same =
      std::max({1e-6 * own.norm(), mean > 0 ? 1e-6 * b.norm() / mean : 0.0, 1e-9 * island_force});
  double nearest = std::numeric_limits<double>::infinity();
  int others = 0;
  BlockClass result{mode_by_place(block.set, own), 0};
  for (int i = 0; i < solutions.count; ++i) {
    BlockSolution const& candidate = solutions.item[static_cast<std::size_t>(i)];
    double distance = 0;
    for (int row = 0; row < block.rows(); ++row)
      distance = std::hypot(distance, candidate.lambda[row] - own[row]);
    if (distance > same) ++others;
    if (distance < nearest) {
      nearest = distance;
      if (!converged || distance <= same) result.mode = candidate.mode;
    }
  }
  // Of redundant contacts one may be at its bound and none moves: that is stick.
  int const tangential_rows = block.rows() - (has_normal(block.set.kind) ? 1 : 0);
  bool const moves = eta.head(tangential_rows).norm() > 1e-9 * mean * std::max(own.norm(), island_force);
  if (result.mode == ContactMode::slip && converged && !moves) result.mode = ContactMode::stick;
  // Of a continuum, lambda may be any.
  if (converged && solutions.infinitely_many) others = 0;
  result.solutions = converged ? 1 + others : solutions.count;
  return result;
}

}  // namespace delassus
