#include "solver/analysis/solutions/branch_answer.hpp"

#include <cmath>

#include "solver/linear/dense.hpp"

namespace delassus {

BranchAnswer branch_answer(Eigen::MatrixXd const& A, std::span<const ProblemBlock> blocks,
                           std::span<const BlockOption> options, Eigen::VectorXd const& lambda,
                           Eigen::VectorXd const& eta) {
  BranchAnswer answer;
  Eigen::Index const rows = A.rows();
  std::vector<Eigen::Index> normals;
  Eigen::Index curved = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (options[k].slips_in_space) ++curved;
    if (!has_normal(blocks[k].set.kind) || options[k].mode == ContactMode::detached) continue;
    answer.pressing.push_back(static_cast<int>(k));
    normals.push_back(blocks[k].first + blocks[k].rows() - 1);
  }
  auto const count = static_cast<Eigen::Index>(normals.size());
  if (count == 0) return answer;
  // Unknown: d lambda of all rows, then ds of each slip in space. One equation a row: that of its mode, or
  // d lambda_n = a given one.
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(rows + curved, rows + curved);
  Eigen::MatrixXd given = Eigen::MatrixXd::Zero(rows + curved, count);
  Eigen::Index next_slip = rows, next_normal = 0;
  // Equations in the unit of eta; those in the unit of a force are multiplied by this.
  double const unit = A.trace() / static_cast<double>(rows);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    BlockOption const& option = options[k];
    int const size = blocks[k].rows();
    Eigen::Index const first = blocks[k].first;
    bool const presses = has_normal(blocks[k].set.kind) && option.mode != ContactMode::detached;
    int const t = presses ? size - 1 : size;
    if (presses) {
      M(first + t, first + t) = unit;
      given(first + t, next_normal++) = unit;
    }
    if (option.slips_in_space) {
      Eigen::Vector2d const force = lambda.segment<2>(first);
      double const square = force.squaredNorm();
      double const s = square > 0 ? std::max(0.0, -eta.segment<2>(first).dot(force) / square) : 0;
      double const length = square > 0 ? std::sqrt(square) : 1;
      for (int i = 0; i < 2; ++i) {
        M.row(first + i).head(rows) = A.row(first + i);
        M(first + i, first + i) += s;
        M(first + i, next_slip) = unit * force[i] / length;
        M(next_slip, first + i) = unit * force[i] / length;
      }
      if (presses)
        M(next_slip, first + 2) =
            -unit * blocks[k].set.limit * blocks[k].set.limit * lambda[first + 2] / length;
      ++next_slip;
      continue;
    }
    for (int i = 0; i < t; ++i) {
      if (option.mode == ContactMode::stick) {
        M.row(first + i).head(rows) = A.row(first + i);
      } else {
        M(first + i, first + i) = unit;
        if (presses) M(first + i, first + t) = -unit * option.T(i, 0);
      }
    }
  }
  Eigen::MatrixXd const change = OrthogonalDecomposition(M).solve_columns(given);
  Eigen::MatrixXd const motion = A * change.topRows(rows);
  answer.G.resize(count, count);
  for (Eigen::Index i = 0; i < count; ++i) answer.G.row(i) = motion.row(normals[static_cast<std::size_t>(i)]);
  if (!answer.G.allFinite()) return answer;
  Eigen::VectorXcd const values = general_eigenvalues(answer.G);
  double const size = answer.G.cwiseAbs().maxCoeff();
  for (auto const& value : values) answer.stable = answer.stable && value.real() > -1e-12 * size;
  return answer;
}

}  // namespace delassus
