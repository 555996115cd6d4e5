// The least-squares solution of least norm of a dense system A x = b, and the rank of A.
//
// Complete orthogonal decomposition (Golub and Van Loan, Matrix Computations, 5.4-5.5): Householder
// reflections with column pivoting give A P = Q [R11 R12; 0 0]; reflections from the right turn [R11 R12]
// into [T 0] Z^T. With c the leading part of Q^T b, x = P Z [T^-1 c; 0] has the least residual, and among
// those the least norm.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/linear/growing.hpp"

namespace delassus {

class LeastNorm {
 public:
  // Below this fraction of the first, a pivot counts as rounding. Matrices come scaled to rows near one, and
  // their entries carry some tens of units of rounding, which elimination over hundreds of rows multiplies.
  static constexpr double rank_tolerance = 1e-12;

  // Overwrites A and b; returns the rank. Memory only grows.
  int solve(Eigen::Ref<Eigen::MatrixXd> A, Eigen::Ref<Eigen::VectorXd> b, Eigen::Ref<Eigen::VectorXd> x,
            double tolerance = rank_tolerance);

  // Of the last matrix: its smallest pivot that counts, as a fraction of the first.
  double smallest_pivot() const { return smallest_; }

 private:
  double smallest_ = 1;
  GrowingVector norm_, reference_;  // of the columns below the present row; where they were last computed
  GrowingVector left_factor_, right_factor_;
  std::vector<Eigen::Index> order_;  // column k of A P is column order_[k] of A
};

}  // namespace delassus
