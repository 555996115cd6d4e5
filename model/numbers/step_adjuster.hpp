// How long the next step of an adaptive integrator is: Boost.Odeint's rule (as its default_step_adjuster has it), with a
// power that is the same on every processor.
//
// A method of order p has an error of step h^p, so the error, as a multiple of the tolerance, is 1 again with the step
// h error^(-1/p). Of that, 9/10 are taken; a step never shrinks below a fifth of its size, nor grows above 9/10 of five
// times, and does not grow while the error is above a half.
#pragma once

#include <algorithm>

#include "model/numbers/elementary.hpp"

namespace delassus {

// In the form that Odeint asks for.
class StepAdjuster {
 public:
  using time_type = double;
  using value_type = double;

  double decrease_step(double step, double error, int order) const {
    return step * std::max(0.9 * elementary::pow(error, -1.0 / (order - 1)), 0.2);
  }
  double increase_step(double step, double error, int order) const {
    if (!(error < 0.5)) return step;
    double const least = elementary::pow(5, -order);
    return step * (0.9 * elementary::pow(std::max(least, error), -1.0 / order));
  }
  // The steppers limit their steps themselves.
  bool check_step_size_limit(double) const { return true; }
  double get_max_dt() const { return 0; }
};

}  // namespace delassus
