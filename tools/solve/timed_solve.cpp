#include "tools/solve/timed_solve.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "solver/island/contact_solver.hpp"
#include "solver/problem/residual.hpp"

namespace delassus {
namespace {

constexpr double enough_microseconds = 2e5;
constexpr int enough_solves = 1000;

}  // namespace

TimedSolve solve_and_time(ContactProblem const& problem, SolveSettings const& settings,
                          std::optional<int> solves) {
  Eigen::VectorXd const zero = Eigen::VectorXd::Zero(problem.b.size());
  TimedSolve result;
  ContactSolver solver;
  solver.solve(problem, settings, zero, result.solution);

  SolveSettings timed_settings = settings;
  timed_settings.keep_history = false;
  Solution repeated;
  double total = 0;
  result.microseconds = std::numeric_limits<double>::infinity();
  auto const wanted = [&] {
    if (solves) return result.solves < *solves;
    return result.solves == 0 || (result.solves < enough_solves && total < enough_microseconds);
  };
  while (wanted()) {
    auto const start = std::chrono::steady_clock::now();
    solver.solve(problem, timed_settings, zero, repeated);
    std::chrono::duration<double, std::micro> const duration = std::chrono::steady_clock::now() - start;
    total += duration.count();
    result.microseconds = std::min(result.microseconds, duration.count());
    ++result.solves;
  }
  result.scale_free_residual = scale_free_residual(problem, result.solution.lambda, settings.law);
  result.unit_residual = unit_residual(problem, result.solution.lambda, settings.law);
  return result;
}

}  // namespace delassus
