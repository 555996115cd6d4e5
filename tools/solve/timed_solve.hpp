// One contact problem, solved cold again and again, because a single solve of microseconds is too short for a
// clock.
#pragma once

#include <optional>

#include "solver/problem/contact_problem.hpp"
#include "solver/problem/solution.hpp"
#include "solver/problem/solve_settings.hpp"

namespace delassus {

struct TimedSolve {
  Solution solution;
  double scale_free_residual = 0, unit_residual = 0;  // from the problem itself, whatever the solver says
  double microseconds = 0;                            // of the fastest solve
  int solves = 0;                                     // that were timed
};

// Every solve starts from zero forces. The first one is not timed: it pays for the memory, and keeps the
// history where the settings ask for it. Then `solves` are timed; without a number, as many as fit in a fifth
// of a second, at least one and at most a thousand.
TimedSolve solve_and_time(ContactProblem const& problem, SolveSettings const& settings,
                          std::optional<int> solves);

}  // namespace delassus
