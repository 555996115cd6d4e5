#include "tests/support/random_block.hpp"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cmath>

namespace delassus::test {

Eigen::MatrixXd RandomBlocks::matrix_over_decades(int rows, double decades) {
  Eigen::MatrixXd random(rows, rows);
  for (Eigen::Index i = 0; i < random.size(); ++i) random(i) = normal();
  Eigen::MatrixXd const Q = Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ();
  Eigen::VectorXd values(rows);
  for (int i = 0; i < rows; ++i) values[i] = std::pow(10.0, -uniform(0, decades));
  Eigen::MatrixXd const A = Q * values.asDiagonal() * Q.transpose();
  return 0.5 * (A + A.transpose());
}

Eigen::Matrix3d RandomBlocks::rigid_body_matrix() {
  Eigen::Vector3d side;
  for (double& s : side) s = uniform(0.1, 1.0);
  double const mass = uniform(0.1, 10);
  Eigen::Vector3d const inertia =
      mass / 12 *
      Eigen::Vector3d(side[1] * side[1] + side[2] * side[2], side[0] * side[0] + side[2] * side[2],
                      side[0] * side[0] + side[1] * side[1]);
  Eigen::Vector3d arm;
  for (int i = 0; i < 3; ++i) arm[i] = 0.5 * side[i] * uniform(-1, 1);
  int const face = integer(0, 2);
  arm[face] = std::copysign(0.5 * side[face], uniform(-1, 1));
  Eigen::Quaterniond const orientation =
      Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized();
  Eigen::Matrix3d cross;
  cross << 0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0;
  Eigen::Matrix3d const rotation = orientation.toRotationMatrix();
  Eigen::Matrix3d const A =
      Eigen::Matrix3d::Identity() / mass +
      rotation * (cross * inertia.cwiseInverse().asDiagonal() * cross.transpose()) * rotation.transpose();
  return 0.5 * (A + A.transpose());
}

RandomBlock RandomBlocks::with_mode(ForceSet set, Eigen::MatrixXd const& A, ContactMode mode) {
  RandomBlock block;
  int const rows = rows_of(set.kind);
  block.set = set;
  block.mode = mode;
  block.A.topLeftCorner(rows, rows) = A;
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(rows);
  Eigen::VectorXd b(rows);
  double const load = std::pow(10.0, uniform(-2, 2));
  int const tangential = has_normal(set.kind) ? rows - 1 : rows;
  Eigen::VectorXd direction(tangential);
  for (double& d : direction) d = normal();
  if (tangential > 0) direction.normalize();
  double const bound = set.kind == ForceSetKind::half_line ? 0
                       : has_normal(set.kind)              ? set.limit * load
                                                           : set.limit;
  if (mode == ContactMode::detached) {
    for (double& x : b) x = load * normal();
    b[rows - 1] = -std::abs(b[rows - 1]);
  } else {
    if (has_normal(set.kind)) lambda[rows - 1] = load;
    double const fraction = mode == ContactMode::slip ? 1 : std::sqrt(uniform(0, 1));
    lambda.head(tangential) = fraction * bound * direction;
    b = A * lambda;
    if (mode == ContactMode::slip) {
      double const s = A.trace() * std::pow(10.0, uniform(-3, 2));
      b.head(tangential) += s * lambda.head(tangential);
      if (bound == 0) b.head(tangential) += load * direction;
    }
  }
  block.b.head(rows) = b;
  block.lambda.head(rows) = lambda;
  return block;
}

}  // namespace delassus::test
