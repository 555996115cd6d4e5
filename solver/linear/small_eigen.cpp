#include "solver/linear/small_eigen.hpp"

#include <Eigen/Eigenvalues>

namespace delassus {

template <int rows>
SmallEigen<rows>::SmallEigen(Eigen::Matrix<double, rows, rows> const& A) {
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, rows, rows>> const eigen(A);
  values = eigen.eigenvalues();
  vectors = eigen.eigenvectors();
}

template struct SmallEigen<2>;
template struct SmallEigen<3>;

}  // namespace delassus
