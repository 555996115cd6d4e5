// How a parameter is spread: the value below which a share u of all draws lies.
#pragma once

#include <limits>

namespace delassus {

struct Distribution {
  enum class Kind { uniform, whole, log_uniform, normal };
  Kind kind = Kind::uniform;
  double first = 0, second = 1;  // lower and upper end; of `normal`: mean and standard deviation
  // Of `normal`: cut off here, the rest scaled up.
  double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();

  // The inverse of the cumulative distribution, u in (0, 1).
  double value(double u) const;

  // The share of the whole normal distribution that lies between `lowest` and `highest`.
  double kept_share() const;
};

}  // namespace delassus
