#include "solver/block/directed.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

struct Scalar {
  double a, size;  // a, and the size of the terms that it is the sum of

  Scalar(Eigen::Matrix3d const& A, std::array<double, 2> const& direction, int rows)
      : a(A(rows - 1, rows - 1)), size(std::abs(a)) {
    for (int i = 0; i < rows - 1; ++i) {
      double const part = A(rows - 1, i) * direction[static_cast<std::size_t>(i)];
      a += part;
      size += std::abs(part);
    }
    if (std::abs(a) <= 1e-15 * size) a = 0;  // four units of rounding are in the sum itself
  }
};

Eigen::Vector3d force(double lambda_n, std::array<double, 2> const& direction, int rows) {
  Eigen::Vector3d lambda = Eigen::Vector3d::Zero();
  for (int i = 0; i < rows - 1; ++i) lambda[i] = direction[static_cast<std::size_t>(i)] * lambda_n;
  lambda[rows - 1] = lambda_n;
  return lambda;
}

}  // namespace

BlockSolutions enumerate_directed(Eigen::Matrix3d const& A, Eigen::Vector3d const& b,
                                  std::array<double, 2> const& direction, int rows) {
  Scalar const scalar(A, direction, rows);
  double const b_n = b[rows - 1];
  BlockSolutions solutions;
  if (b_n <= 0) ++solutions.count;  // detached
  solutions.infinitely_many = scalar.a == 0 && b_n == 0;
  if (double const lambda_n = b_n / scalar.a; lambda_n > 0 && std::isfinite(lambda_n)) {
    solutions.item[static_cast<std::size_t>(solutions.count++)] = {force(lambda_n, direction, rows),
                                                                   ContactMode::slip, scalar.a > 0};
  }
  return solutions;
}

BlockChoice least_bad_directed(Eigen::Matrix3d const& A, Eigen::Vector3d const& b,
                               std::array<double, 2> const& direction, int rows) {
  Scalar const scalar(A, direction, rows);
  BlockChoice choice;
  double const divisor = std::max(std::abs(scalar.a), 0x1p-26 * std::abs(A(rows - 1, rows - 1)));
  double const lambda_n = b[rows - 1] / divisor;
  if (!(divisor > 0 && lambda_n > 0 && std::isfinite(lambda_n))) return choice;
  choice.lambda = force(lambda_n, direction, rows);
  choice.mode = ContactMode::slip;
  return choice;
}

}  // namespace delassus
