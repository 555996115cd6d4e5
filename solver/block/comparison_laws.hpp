// The two laws that Kikuuwe and Brogliato 2017, section 4.5, compare with Coulomb's, for a contact of two or
// three rows.
//
// Anitescu and Tasora (78): lambda = argmin 1/2 lambda' A lambda - b' lambda over the friction cone. With eta
// = A lambda - b:
//   detached  lambda = 0, eta in the dual cone: eta_n >= mu |eta_t|
//   stick     lambda in the cone, eta = 0
//   slip      lambda = lambda_n (mu e, 1), eta = kappa (-e, mu), kappa >= 0: the contact also moves apart, by
//   mu kappa
// Convex, so for a positive definite A there is one solution.
//
// Nakaoka et al. (80): r = A^-1 b, lambda_n = max(r_n, 0), lambda_t = r_t clamped to |lambda_t| <= mu
// lambda_n. Where A is singular, A^-1 is the pseudo-inverse. In a disc of known bound r is clamped to the
// bound.
#pragma once

#include "solver/block/exact_solver.hpp"

namespace delassus {

template <int rows>
BlockChoice solve_anitescu_tasora(Eigen::Matrix<double, rows, rows> const& A,
                                  Eigen::Matrix<double, rows, 1> const& b, double mu);

template <int rows>
BlockChoice solve_nakaoka(Eigen::Matrix<double, rows, rows> const& A, Eigen::Matrix<double, rows, 1> const& b,
                          double mu);

BlockChoice solve_nakaoka_disc(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double F);

}  // namespace delassus
