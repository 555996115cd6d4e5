// Blocks that closed forms solve: the half-line and the interval (one row) and the Coulomb cone of planar
// contact (cone2, one tangential row, then the normal row).
#pragma once

#include "solver/block/exact_solver.hpp"

namespace delassus {

// 0 <= lambda, eta >= 0, lambda eta = 0 (Kikuuwe and Brogliato 2017, (43)).
BlockSolutions enumerate_half_line(double A, double b);

// |lambda| <= F, eta in -N(lambda) (48).
BlockSolutions enumerate_interval(double A, double b, double F);

// The Coulomb law (65) with one tangential row. Slip in the direction sigma = +-1: lambda = lambda_n (sigma
// mu, 1) with lambda_n = b_n / (a_nn + sigma mu a_tn) > 0 and sigma eta_t <= 0; stable where the divisor is
// positive (their (113), and Song et al. 2001, Table 1).
BlockSolutions enumerate_planar_cone(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double mu);

}  // namespace delassus
