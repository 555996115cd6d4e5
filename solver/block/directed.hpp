// A contact whose friction is known up to the normal force, lambda = lambda_n (direction, 1), such as a
// smooth friction law gives it (Song et al. 2001, (42)). What remains is a linear complementarity problem of
// one row,
//
//   0 <= lambda_n,   eta_n = a lambda_n - b_n >= 0,   lambda_n eta_n = 0,   a = A_nn + A_nt . direction,
//
// with the cases of their Table 1 (corrected in print, B = -b_n):
//   a > 0  one solution, stable: b_n / a, or detached
//   a < 0  b_n < 0: detached, and b_n / a, which is unstable; b_n > 0: none; b_n = 0: detached
//   a = 0  b_n < 0: detached; b_n = 0: any lambda_n >= 0, detached stands for them; b_n > 0: none
#pragma once

#include <array>

#include "solver/block/exact_solver.hpp"

namespace delassus {

// Of two or three rows.
BlockSolutions enumerate_directed(Eigen::Matrix3d const& A, Eigen::Vector3d const& b,
                                  std::array<double, 2> const& direction, int rows);

// Where there is none: b_n / |a|, with |a| not below 2^-26 of A_nn: what the load would need if the friction
// did not hinder. Zero where A_nn is zero.
BlockChoice least_bad_directed(Eigen::Matrix3d const& A, Eigen::Vector3d const& b,
                               std::array<double, 2> const& direction, int rows);

}  // namespace delassus
