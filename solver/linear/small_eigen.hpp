// Eigenvalues and eigenvectors of symmetric 2 x 2 and 3 x 3 matrices, compiled once (dense.hpp says why). No allocation.
#pragma once

#include <Eigen/Core>

namespace delassus {

// A = V diag(values) V^T; the values rise. Only the lower triangle of A counts.
template <int rows>
struct SmallEigen {
  explicit SmallEigen(Eigen::Matrix<double, rows, rows> const& A);

  Eigen::Matrix<double, rows, 1> values;
  Eigen::Matrix<double, rows, rows> vectors;
};

}  // namespace delassus
