#include "tests/benchmark/guarded_measurement.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>

#include "solver/problem/residual.hpp"
#include "tools/support/child_process.hpp"

namespace delassus::test {
namespace {

double timed_solve(Candidate& candidate, bool& success) {
  candidate.restore();
  auto const begin = std::chrono::steady_clock::now();
  success = candidate.solve();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool judge(ContactProblem const& problem, Goal const& goal, Candidate const& candidate,
           Measurement& measurement) {
  Eigen::VectorXd const lambda = candidate.lambda();
  measurement.unit_residual = unit_residual(problem, lambda);
  measurement.scale_free_residual = scale_free_residual(problem, lambda);
  measurement.note = candidate.note();
  return (goal.measure == ResidualMeasure::unit ? measurement.unit_residual
                                                : measurement.scale_free_residual) <= goal.tolerance;
}

double fastest(Candidate& candidate, double first) {
  double best = first, total = first;
  for (int k = 0; k < 20000 && (k < 2 || total < 0.3); ++k) {
    bool success = false;
    double const seconds = timed_solve(candidate, success);
    total += seconds;
    best = std::min(best, seconds);
  }
  return best;
}

std::string write_line(Measurement const& measurement) {
  return fmt::format("{:d} {} {} {} {} {}\n", measurement.solved, measurement.seconds,
                     measurement.unit_residual, measurement.scale_free_residual, measurement.tolerance,
                     measurement.note);
}

double read_number(std::istream& text) {
  std::string word;
  text >> word;
  return std::strtod(word.c_str(), nullptr);  // which knows inf and nan
}

// The last line that arrived whole.
Measurement read_last_line(std::string const& output) {
  std::istringstream lines(output.substr(0, output.rfind('\n') + 1));
  std::string line;
  Measurement measurement;
  while (std::getline(lines, line)) {
    std::istringstream text(line);
    text >> measurement.solved;
    measurement.seconds = read_number(text);
    measurement.unit_residual = read_number(text);
    measurement.scale_free_residual = read_number(text);
    measurement.tolerance = read_number(text);
    std::getline(text >> std::ws, measurement.note);
  }
  return measurement;
}

}  // namespace

Measurement measure(ContactProblem const& problem, Goal const& goal,
                    std::function<std::unique_ptr<Candidate>(double tolerance)> const& make, double limit) {
  auto const work = [&](ChildSend const& send) {
    int const nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    for (double const tightening : {1.0, 0.5, 0.1, 0.01}) {
      Measurement measurement;
      measurement.tolerance = tightening * goal.tolerance;
      // Left alone, for a solver that has written over memory may crash when it is taken down.
      Candidate& candidate = *make(measurement.tolerance).release();
      bool success = false;
      measurement.seconds = timed_solve(candidate, success);
      measurement.solved = judge(problem, goal, candidate, measurement);
      send(write_line(measurement));
      if (!measurement.solved && success) continue;
      if (measurement.solved && measurement.seconds < 2) {
        measurement.seconds = fastest(candidate, measurement.seconds);
        // Not from the last solve's leftovers alone: the answer is judged again.
        measurement.solved = judge(problem, goal, candidate, measurement);
        send(write_line(measurement));
      }
      return;
    }
  };
  ChildReport const report = run_in_child(work, limit);
  Measurement measurement = read_last_line(report.output);
  if (!measurement.solved) {
    if (report.end == ChildEnd::timed_out) measurement.note = "out of time";
    if (report.end == ChildEnd::crashed) measurement.note = "crashed";
    if (report.end == ChildEnd::exited) measurement.note = "exited";
  }
  return measurement;
}

}  // namespace delassus::test
