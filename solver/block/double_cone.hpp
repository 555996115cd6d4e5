// Frictional bilateral contact: |lambda_t| <= mu |lambda_n|, eta_n = 0, and friction against the motion
// (Blumentals et al. 2016, section 4). The contact presses on one side or on the other. With
// D = diag(1, .., -1), a force that presses on the other side is D times a solution of the cone's problem for
// (D A D, D b). Besides, lambda = 0 where b_n = 0.
#pragma once

#include "solver/block/exact_solver.hpp"

namespace delassus {

// Of two or three rows. Zero first, then the solutions with lambda_n > 0 in the order of the cone, then those
// with lambda_n < 0.
BlockSolutions enumerate_double_cone(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu, int rows);

}  // namespace delassus
