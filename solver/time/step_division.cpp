#include "solver/time/step_division.hpp"

#include <algorithm>
#include <cmath>

#include "model/scene/number.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {
namespace {

// More is no communication step but a mistake of the host: it would take hours.
constexpr double most_divisions = 1e9;

}  // namespace

StepDivision::StepDivision(double begin, double end, double longest) : begin_(begin), end_(end) {
  // A communication step of 3 h that rounding made 3.0000000001 h is three internal steps, not four.
  double const wanted = std::max(1.0, std::ceil((end - begin) / longest * (1 - 1e-9)));
  if (wanted > most_divisions) {
    throw StepFailure("the communication step needs " + format_number(wanted) +
                      " internal steps; raise solver.step");
  }
  count_ = static_cast<long>(wanted);
  size_ = (end - begin) / wanted;
}

}  // namespace delassus
