// Whether a run still makes sense: what a stepper asks after every accepted internal step. Where the answer is no, the
// step ends with a StepFailure that says when, what and why, and what to try.
#pragma once

#include <span>
#include <string>

#include "solver/problem/solution.hpp"
#include "solver/time/dynamics.hpp"

namespace delassus {

struct RunLimits {
  // Consecutive internal steps whose contact problem was not solved, after which a run ends. A few are no harm: the
  // best force that was found is used, and the next problem is another one.
  int unsolved_steps = 100;
  // Residual above which a problem counts as not solved here. It is independent of units: forces are wrong by about
  // this share.
  double unsolved_residual = 1e-3;
  // Consecutive internal steps after which the adaptive stepper ends a run, where each is shorter than these shares of
  // the shortest delta and of the communication step, which would then need more than a million of them.
  int short_steps = 1000;
  double share_of_delta = 1e-5, share_of_step = 1e-6;
  // What an internal step may take, or in the adaptive stepper a tenth of the shortest delta, in iterations times blocks:
  // some ten seconds of processor time. Most take a thousandth of a thousandth of it.
  double most_work = 2e7;
  // The adaptive stepper looks at what it has done for a communication step each time that it has taken so much work, some
  // seconds: less than this share of the step is hopeless. A run that ends at all within the most internal steps goes on.
  double work_between_looks = 5e7, least_share_of_step = 1e-4;
};
inline constexpr RunLimits run_limits;

// The status of the last solution, which counts as converged where only redundant joints (or rolling, knife edges)
// disagree, and by no more than rounded numbers and the error of the integration explain: a position error of a
// micrometre or microradian.
SolveStatus judged_status(Dynamics const& dynamics);

// The block that the last solution satisfies least: an index, or -1 where there are no blocks.
int worst_block(Dynamics const& dynamics);

// `, most of all by contact 'rod_ground'`: the block with the largest demand, which makes steps short. Empty where there
// are no blocks.
std::string by_largest_demand(Dynamics const& dynamics);

// Of the last evaluation, in iterations times blocks.
double work_of(Dynamics const& dynamics);

// Throws StepFailure where a body is squeezed between others that do not yield.
void check_not_squeezed(double t, Dynamics const& dynamics);

// The same, and counts consecutive steps that were not solved; throws where there are too many.
void check_solved(double t, Dynamics const& dynamics, int& unsolved);

// Throws StepFailure where x = (q, v) is not finite, or where a body moves faster than light: rigid bodies of classical
// mechanics do not, and a motion that diverges soon does. `remedy` says what to try.
void check_motion(double t, Dynamics const& dynamics, std::span<const double> x, char const* remedy);

}  // namespace delassus
