// The sticking force of least norm where A is singular.
//
// A lambda = b then has no solution, or an affine set of them: r + null(A), r the pseudo-inverse's answer.
// Which of them lie in the friction cone, and which has the least norm?
#pragma once

#include <Eigen/Core>

namespace delassus {

// Below this fraction of the trace, a pivot or an eigenvalue of A is rounding: forming A = J M^-1 J^T and its
// Schur complement costs some tens of units of rounding, and the matrices of conditioning up to 1e8 that must
// be solved stay far above.
constexpr double singular_fraction = 1e-14;

template <int rows>
struct LeastNormStick {
  bool found = false;            // some lambda in the cone has A lambda = b
  bool infinitely_many = false;  // more than one has
  Eigen::Matrix<double, rows, 1> lambda = Eigen::Matrix<double, rows, 1>::Zero();
};

// For the cone |lambda_t| <= mu lambda_n of two or three rows.
template <int rows>
LeastNormStick<rows> least_norm_stick_in_cone(Eigen::Matrix<double, rows, rows> const& A,
                                              Eigen::Matrix<double, rows, 1> const& b, double mu);

// For the disc |lambda| <= F.
LeastNormStick<2> least_norm_stick_in_disc(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double F);

// Only the solution by the pseudo-inverse.
template <int rows>
Eigen::Matrix<double, rows, 1> least_norm_solution(Eigen::Matrix<double, rows, rows> const& A,
                                                   Eigen::Matrix<double, rows, 1> const& b);

}  // namespace delassus
