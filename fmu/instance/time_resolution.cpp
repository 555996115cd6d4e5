#include "fmu/instance/time_resolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fmu/instance/refusal.hpp"
#include "model/language/vocabulary.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"

namespace delassus {

void check_time(std::string_view what, double seconds, Status status) {
  if (!std::isfinite(seconds))
    throw SlaveError(status,
                     std::string(what) + " is " + format_number(seconds) + " and must be a finite number");
  Range const range = find_attribute(*find_element("scene", "experiment"), "start")->range;
  if (!range.contains(seconds))
    throw SlaveError(
        status, std::string(what) + " is " + format_number(seconds) + " s and must be " + range.text() +
                    ": beyond, steps are lost in the last digits of the time; count from a later instant");
}

void check_resolution(std::string_view what, double seconds, std::string_view name, double step) {
  constexpr double least_ratio = 100;
  double const distance =
      std::nextafter(std::abs(seconds), std::numeric_limits<double>::infinity()) - std::abs(seconds);
  if (distance * least_ratio <= step) return;
  refusal::refuse(std::string(what) + " is " + format_time(seconds) + " s: the next number is " +
                  format_time(distance) + " s later, and " + std::string(name) + " is " +
                  format_number(step) +
                  " s, so that time would not advance evenly, or not at all; let the run begin near 0, or "
                  "raise " +
                  std::string(name));
}

}  // namespace delassus
