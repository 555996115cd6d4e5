#include "solver/time/step_division.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {
namespace {

// A day in steps of a millisecond. More is no communication step but a mistake of the host, and would take hours.
constexpr double most_divisions = 1e8;
// Of the distance between neighbouring doubles: internal steps that are shorter are uneven, and do not advance the time in
// the end.
constexpr double least_ratio = 100;

}  // namespace

StepDivision::StepDivision(double begin, double end, double longest) : begin_(begin), end_(end) {
  // A communication step of 3 h that rounding made 3.0000000001 h is three internal steps, not four.
  double const wanted = std::max(1.0, std::ceil((end - begin) / longest * (1 - 1e-9)));
  if (wanted > most_divisions) {
    throw StepFailure("the communication step of " + format_number(end - begin) + " s needs " +
                      format_number(wanted) + " internal steps of " + format_number(longest) +
                      " s, and at most 1e8 are made; raise solver.step, or make shorter communication steps");
  }
  count_ = static_cast<long>(wanted);
  size_ = (end - begin) / wanted;
  double const largest = std::max(std::abs(begin), std::abs(end));
  double const distance = std::nextafter(largest, std::numeric_limits<double>::infinity()) - largest;
  if (count_ > 1 && size_ < least_ratio * distance) {
    throw StepFailure("the time does not advance evenly at t = " + format_time(end) +
                          " s: the next number is " + format_time(distance) +
                          " s later, and an internal step has " + format_number(size_) +
                          " s; let the run begin near 0, or raise solver.step",
                      StepFailure::Retry::no_use);
  }
}

}  // namespace delassus
