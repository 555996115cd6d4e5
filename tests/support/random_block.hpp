// Random problems of one block for tests and benchmarks, with the mode that they were made to have.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <random>

#include "model/equations/force_set.hpp"
#include "model/scene/enumeration.hpp"

namespace delassus::test {

struct RandomBlock {
  ForceSet set;
  Eigen::Matrix3d A =
      Eigen::Matrix3d::Constant(std::numeric_limits<double>::quiet_NaN());  // unused rows stay NaN
  Eigen::Vector3d b = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  Eigen::Vector3d lambda =
      Eigen::Vector3d::Zero();  // the solution from which b was made; there may be others
  ContactMode mode = ContactMode::detached;
};

class RandomBlocks {
 public:
  explicit RandomBlocks(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double normal() { return std::normal_distribution<double>()(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

  // Eigenvalues log-uniform over `decades` decades, in random directions.
  Eigen::MatrixXd matrix_over_decades(int rows, double decades);

  // J M^-1 J^T of a contact point on a free body: a box with random sides, touched at a random point of its
  // surface.
  Eigen::Matrix3d rigid_body_matrix();

  // b such that a force of the given mode solves the block.
  RandomBlock with_mode(ForceSet set, Eigen::MatrixXd const& A, ContactMode mode);

 private:
  std::mt19937_64 engine_;
};

}  // namespace delassus::test
