#include "solver/analysis/p_matrix.hpp"

#include <cmath>
#include <limits>

#include "solver/linear/dense.hpp"

namespace delassus {
namespace {

// A pivot below this, with the rows scaled, is rounding.
constexpr double least_pivot = 1e-14;

// Goes through the minors that contain `chosen`, whose product of pivots is `minor`; M is the Schur complement
// over them, and its rows are `rows` of the whole.
bool all_positive(Eigen::MatrixXd const& M, std::vector<int> const& rows, std::vector<int>& chosen,
                  double minor, PMatrix& result) {
  Eigen::Index const rest = M.rows() - 1;
  if (rest < 0) return true;
  double const pivot = M(0, 0);
  chosen.push_back(rows[0]);
  if (!(pivot > least_pivot)) {
    result.rows = chosen;
    result.minor = minor * pivot;
    return false;
  }
  std::vector<int> const others(rows.begin() + 1, rows.end());
  Eigen::MatrixXd const complement =
      M.bottomRightCorner(rest, rest) - M.bottomLeftCorner(rest, 1) * M.topRightCorner(1, rest) / pivot;
  if (!all_positive(complement, others, chosen, minor * pivot, result)) return false;
  chosen.pop_back();
  return all_positive(M.bottomRightCorner(rest, rest), others, chosen, minor, result);
}

}  // namespace

PMatrix test_p_matrix(Eigen::Ref<const Eigen::MatrixXd> given) {
  PMatrix result;
  if (given.rows() == 0) {
    result.is_p = Certainty::yes;
    return result;
  }
  Eigen::MatrixXd M = given;
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    double const scale = M(i, i) > 0 ? 1 / std::sqrt(M(i, i)) : 1;
    M.row(i) *= scale;
    M.col(i) *= scale;
  }
  if (!M.allFinite()) return result;
  Eigen::MatrixXd const symmetric = (M + M.transpose()) / 2;
  Cholesky const factor(symmetric);
  if (factor.is_positive_definite() && factor.smallest_pivot() > 1e-6) {
    result.is_p = Certainty::yes;
    return result;
  }
  if (M.rows() > largest_p_matrix) return result;
  std::vector<int> rows, chosen;
  for (Eigen::Index i = 0; i < M.rows(); ++i) rows.push_back(static_cast<int>(i));
  result.is_p = certainty(all_positive(M, rows, chosen, 1, result));
  return result;
}

double beta_2(Eigen::Ref<const Eigen::MatrixXd> M) {
  if (M.rows() > largest_beta_2) return std::numeric_limits<double>::quiet_NaN();
  if (test_p_matrix(M).is_p != Certainty::yes) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (unsigned subset = 1; subset < 1u << M.rows(); ++subset) {
    std::vector<Eigen::Index> rows;
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      if (subset >> i & 1u) rows.push_back(i);
    }
    Eigen::VectorXd const values = singular_values(M(rows, rows));
    largest = std::max(largest, 1 / values[values.size() - 1]);
  }
  return largest;
}

}  // namespace delassus
