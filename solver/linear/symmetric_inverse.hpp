// The pseudo-inverse of a symmetric, positive semidefinite matrix and its null space, scaled to a unit diagonal before
// the rank is determined. For analysis: allocates.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/linear/dense.hpp"

namespace delassus {

// Below this fraction of the largest, an eigenvalue or pivot of a scaled matrix counts as rounding.
constexpr double scaled_singular_fraction = 1e-11;

struct SymmetricInverse {
  Eigen::MatrixXd inverse;  // a reflexive generalised one; the pseudo-inverse of the scaled matrix
  Eigen::MatrixXd null;     // columns; not normalised in the given units

  explicit SymmetricInverse(Eigen::MatrixXd const& A) {
    Eigen::Index const rows = A.rows();
    inverse = Eigen::MatrixXd::Zero(rows, rows);
    null = Eigen::MatrixXd::Zero(rows, 0);
    if (rows == 0) return;
    Eigen::VectorXd scale(rows);
    for (Eigen::Index i = 0; i < rows; ++i) scale[i] = A(i, i) > 0 ? 1 / std::sqrt(A(i, i)) : 1;
    Eigen::MatrixXd const scaled = scale.asDiagonal() * A * scale.asDiagonal();
    SymmetricEigen const eigen(0.5 * (scaled + scaled.transpose()));
    double const floor = scaled_singular_fraction * std::max(eigen.values[rows - 1], 1e-300);
    Eigen::Index deficiency = 0;
    while (deficiency < rows && eigen.values[deficiency] <= floor) ++deficiency;
    Eigen::MatrixXd const V = eigen.vectors.rightCols(rows - deficiency);
    Eigen::VectorXd const values = eigen.values.tail(rows - deficiency);
    Eigen::MatrixXd const middle = V * values.cwiseInverse().asDiagonal() * V.transpose();
    inverse = scale.asDiagonal() * middle * scale.asDiagonal();
    null = scale.asDiagonal() * eigen.vectors.leftCols(deficiency);
  }

  // Whether A x = b has a solution, where parts of b below this fraction of its size, or of a scale that the caller
  // knows, are rounding.
  bool consistent(Eigen::VectorXd const& b, double fraction, double scale = 0) const {
    if (null.cols() == 0) return true;
    double const size = std::max(b.cwiseAbs().maxCoeff(), scale);
    for (Eigen::Index i = 0; i < null.cols(); ++i) {
      if (std::abs(null.col(i).dot(b)) > fraction * size * null.col(i).norm()) return false;
    }
    return true;
  }
};

}  // namespace delassus
