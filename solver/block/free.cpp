#include "solver/block/free.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "solver/block/least_norm_stick.hpp"
#include "solver/linear/small_eigen.hpp"

namespace delassus {
namespace {

struct FreeForce {
  BlockChoice choice;
  bool singular = false;
};

template <int rows>
FreeForce force(Eigen::Matrix3d const& A_given, Eigen::Vector3d const& b_given) {
  using Vector = Eigen::Matrix<double, rows, 1>;
  Eigen::Matrix<double, rows, rows> const A = A_given.topLeftCorner<rows, rows>();
  Vector const b = b_given.head<rows>();
  FreeForce result;
  // Without pivoting, rounding grows by the reciprocal of a small pivot: only clear cases are decided here.
  Eigen::LLT<Eigen::Matrix<double, rows, rows>> const cholesky(A);
  double const smallest = cholesky.matrixLLT().diagonal().minCoeff();
  bool const clear = cholesky.info() == Eigen::Success && smallest * smallest > 1e-9 * A.trace();
  Vector const lambda = clear ? Vector(cholesky.solve(b)) : least_norm_solution<rows>(A, b);
  if (!clear) {
    result.singular = !(SmallEigen<rows>(A).values[0] > singular_fraction * A.trace());
  }
  // 1e-13 in the scale of the residual, as for the sticking force of a cone.
  bool const consistent =
      clear || (A * lambda - b).norm() <= 1e-13 * std::max(b.norm(), A.trace() * lambda.norm());
  result.choice.lambda.head<rows>() = lambda;
  result.choice.mode = ContactMode::stick;
  result.choice.solutions = consistent ? 1 : 0;
  return result;
}

template <>
FreeForce force<1>(Eigen::Matrix3d const& A, Eigen::Vector3d const& b) {
  FreeForce result;
  result.choice.mode = ContactMode::stick;
  result.singular = !(A(0, 0) > 0);
  if (!result.singular) {
    // A force that no double holds is the largest that one does.
    constexpr double largest = std::numeric_limits<double>::max();
    result.choice.lambda[0] = std::clamp(b[0] / A(0, 0), -largest, largest);
  }
  result.choice.solutions = !result.singular || b[0] == 0 ? 1 : 0;
  return result;
}

FreeForce force(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, int rows) {
  return rows == 1 ? force<1>(A, b) : rows == 2 ? force<2>(A, b) : force<3>(A, b);
}

}  // namespace

BlockChoice solve_free(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, int rows) {
  return force(A, b, rows).choice;
}

BlockSolutions enumerate_free(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, int rows) {
  FreeForce const found = force(A, b, rows);
  BlockSolutions solutions;
  solutions.count = found.choice.solutions;
  solutions.infinitely_many = found.singular && solutions.count > 0;
  solutions.item[0] = {found.choice.lambda, ContactMode::stick, true};
  return solutions;
}

}  // namespace delassus
