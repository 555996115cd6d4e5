// The contact problem (65) of Kikuuwe and Brogliato 2017: find lambda with
//
//   eta = A lambda - b in -lim N_C^{U_eps}(lambda),   A = J M^-1 J^T (22),   b of (27).
//
// A solver sees A, b and the force sets, never bodies.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "model/force_set.hpp"

namespace delassus {

struct ProblemBlock {
  int first = 0;  // first row; the rows of a block are adjacent: tangential first, normal last
  ForceSet set;
  int rows() const { return rows_of(set.kind); }
};

struct ContactProblem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  std::vector<ProblemBlock> blocks;
};

}  // namespace delassus
