// The Coulomb law (65) of Kikuuwe and Brogliato 2017 for one spatial contact: cone3 of three rows.
#pragma once

#include "solver/block/exact_solver.hpp"

namespace delassus {

// All solutions.
BlockSolutions enumerate_spatial_cone(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu);

// The solution where it is certainly the only one; this is decided without enumeration, and mostly it is.
// `solutions` is zero where it is not decided.
BlockChoice lone_solution_of_spatial_cone(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu);

}  // namespace delassus
