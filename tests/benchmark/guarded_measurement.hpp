// How long a solver of contact problems takes, measured in a child process: a solver of somebody else may
// crash, hang, exit or write over memory, and the benchmark is to go on.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "solver/problem/contact_problem.hpp"
#include "solver/problem/solve_settings.hpp"

namespace delassus::test {

// One solver with one tolerance on one problem.
class Candidate {
 public:
  virtual ~Candidate() = default;
  virtual void restore() = 0;  // what the next solve starts from: a force of zero
  virtual bool solve() = 0;    // what is timed; false where the solver says itself that it has failed
  virtual Eigen::VectorXd lambda() const = 0;
  virtual std::string note() const = 0;  // for the table
};

struct Goal {
  ResidualMeasure measure = ResidualMeasure::unit;
  double tolerance = 1e-8;
};

struct Measurement {
  bool solved = false;  // the goal was reached, by our measure on the raw data
  double seconds = std::numeric_limits<double>::infinity();  // of the fastest solve
  double unit_residual = std::numeric_limits<double>::quiet_NaN();
  double scale_free_residual = std::numeric_limits<double>::quiet_NaN();
  double tolerance = 0;  // that the solver was given
  std::string note;      // of the candidate, or why there is no answer
};

// The first solve warms up and is judged. A solver that calls itself done and yet misses the goal by our
// measure is given a tighter tolerance. Then the fastest of as many solves as fit into 0.3 s, at least two,
// but none where one takes 2 s. All is over after `limit`, s.
Measurement measure(ContactProblem const& problem, Goal const& goal,
                    std::function<std::unique_ptr<Candidate>(double tolerance)> const& make, double limit);

}  // namespace delassus::test
