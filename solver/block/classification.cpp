#include "solver/block/classification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/block/exact_solver.hpp"
#include "solver/block/sure_uniqueness.hpp"

namespace delassus {
namespace {

// Where enumeration does not say: by the position of lambda in its set.
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

BlockClass classify_block(ForceSet const& set, Eigen::Matrix3d const& A, Eigen::Vector3d const& lambda,
                          Eigen::Vector3d const& eta, double island_force, bool converged) {
  if (is_free(set.kind)) return {ContactMode::stick, 1};
  // Open and moving apart: below the coefficient that jams (spatial_cone_block.cpp), whatever it slides along, no force
  // is another solution.
  if (converged && set.kind == ForceSetKind::cone3 && eta[2] >= 0 && lambda[0] == 0 && lambda[1] == 0 &&
      lambda[2] == 0 && set.limit * set.limit * (A(2, 0) * A(2, 0) + A(2, 1) * A(2, 1)) < A(2, 2) * A(2, 2))
    return {ContactMode::detached, 1};
  int const rows = rows_of(set.kind);
  double const mean = A.trace() / rows;
  // Of redundant contacts one may be at its bound and none moves: that is stick.
  int const tangential_rows = rows - (has_normal(set.kind) ? 1 : 0);
  auto const moves = [&] {
    return eta.head(tangential_rows).norm() > 1e-9 * mean * std::max(lambda.norm(), island_force);
  };
  BlockClass result{mode_by_place(set, lambda), 0};
  // Most contacts have one solution whatever acts on them, and lambda is it.
  if (converged && set.kind == ForceSetKind::cone3 && surely_unique(set.limit, A)) {
    if (result.mode == ContactMode::slip && !moves()) result.mode = ContactMode::stick;
    result.solutions = 1;
    return result;
  }
  Eigen::Vector3d const b = A * lambda - eta;
  BlockSolutions const solutions = enumerate_block(set, A, b);
  // Six digits of what this block could need: apart from that, two solutions are one.
  double const same =
      std::max({1e-6 * lambda.norm(), mean > 0 ? 1e-6 * b.norm() / mean : 0.0, 1e-9 * island_force});
  double nearest = std::numeric_limits<double>::infinity();
  int others = 0;
  for (int i = 0; i < solutions.count; ++i) {
    BlockSolution const& candidate = solutions.item[static_cast<std::size_t>(i)];
    double const distance = (candidate.lambda - lambda).head(rows).norm();
    if (distance > same) ++others;
    if (distance < nearest) {
      nearest = distance;
      if (!converged || distance <= same) result.mode = candidate.mode;
    }
  }
  if (result.mode == ContactMode::slip && converged && !moves()) result.mode = ContactMode::stick;
  // Of a continuum, lambda may be any.
  if (converged && solutions.infinitely_many) others = 0;
  result.solutions = converged ? 1 + others : solutions.count;
  return result;
}

}  // namespace delassus
