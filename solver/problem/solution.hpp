// The result of solving a contact problem: a report that starts as a failure.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <string_view>
#include <vector>

#include "model/scene/enumeration.hpp"

namespace delassus {

enum class SolveStatus {
  not_solved,       // nothing was done yet
  converged,        // the residual is within the tolerance
  iteration_limit,  // the work that is allowed was done; the best force found so far
  stalled,          // no part of the solver makes progress any more; the best force found
  inconsistent,     // there is no solution: a block's own problem has none, or joints contradict one another;
                    // lambda is the least bad force
};

constexpr std::string_view text(SolveStatus status) {
  switch (status) {
    case SolveStatus::not_solved:
      return "not solved";
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::iteration_limit:
      return "iteration limit reached";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::inconsistent:
      return "inconsistent";
  }
  return "?";
}

// Which part of the solver did some work.
enum class SolvePart {
  none,            // the force of the last step was good already, or there are no blocks
  one_block,       // the exact solver of one block
  gauss_seidel,    // sweeps
  newton,          // Newton's method on A itself
  interior_point,  // the path through the middle of the cones
  proximal,        // the proximal-point method: Newton's method on A + D
  path,            // a path of falling compliance, followed by its arc length
  bounds,          // problems with friction of known bounds
};

constexpr std::string_view text(SolvePart part) {
  switch (part) {
    case SolvePart::none:
      return "none";
    case SolvePart::one_block:
      return "one block";
    case SolvePart::gauss_seidel:
      return "Gauss-Seidel";
    case SolvePart::newton:
      return "Newton";
    case SolvePart::interior_point:
      return "interior point";
    case SolvePart::proximal:
      return "proximal";
    case SolvePart::path:
      return "path";
    case SolvePart::bounds:
      return "friction bounds";
  }
  return "?";
}

// One line of the history of a solve: the residual of an island after an iteration of a part.
struct SolveRecord {
  int island = 0;
  SolvePart part = SolvePart::none;
  int iterations = 0;   // of the island so far, over all parts
  double residual = 0;  // in the measure of the settings
};

struct Solution {
  SolveStatus status = SolveStatus::not_solved;
  Eigen::VectorXd lambda;
  std::vector<ContactMode> modes;  // of each block
  std::vector<int>
      solutions;  // of each block, the others' forces held: 0 none, more than 1 a Painleve paradox
  double residual = std::numeric_limits<double>::infinity();  // in the measure of the settings
  // Blocks whose demands exclude each other, whatever the forces are (squeeze.hpp), and by how much, m/s2; the
  // status is then inconsistent. Empty: none were found.
  std::vector<int> squeezed;
  double squeeze_excess = 0;
  int iterations = 0;                // of the island that took the most
  SolvePart part = SolvePart::none;  // that ended the work on that island
  std::vector<SolveRecord> history;  // where the settings ask for it
};

}  // namespace delassus
