// A joint or a non-holonomic constraint: every force is admitted, and eta = A lambda - b = 0 is demanded.
#pragma once

#include "solver/block/exact_solver.hpp"

namespace delassus {

// Of one to three rows. Where A is singular, the force is that of least norm; where b is out of its reach
// beyond rounding, it is the least-squares one, and the choice says solutions = 0.
BlockChoice solve_free(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, int rows);

// The same as a list of one solution or none.
BlockSolutions enumerate_free(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, int rows);

}  // namespace delassus
