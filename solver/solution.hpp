// What solving a contact problem gave: a report that starts as a failure.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <string_view>
#include <vector>

#include "model/enumeration.hpp"

namespace delassus {

enum class SolveStatus {
  not_solved,       // nothing was done yet
  converged,        // the residual is within the tolerance
  iteration_limit,  // the best force found so far
  no_solution,      // a block's own problem has none (its A is singular); lambda is the least bad force
};

constexpr std::string_view text(SolveStatus status) {
  switch (status) {
    case SolveStatus::not_solved:
      return "not solved";
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::iteration_limit:
      return "iteration limit reached";
    case SolveStatus::no_solution:
      return "no solution";
  }
  return "?";
}

struct Solution {
  SolveStatus status = SolveStatus::not_solved;
  Eigen::VectorXd lambda;
  std::vector<ContactMode> modes;  // of each block
  std::vector<int>
      solutions;  // of each block, the others' forces held: 0 none, more than 1 a Painleve paradox
  double residual = std::numeric_limits<double>::infinity();  // scale-free
  int iterations = 0;
};

}  // namespace delassus
