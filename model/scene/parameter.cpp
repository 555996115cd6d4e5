#include "model/scene/parameter.hpp"

#include <cmath>

#include "model/scene/number.hpp"

namespace delassus {

std::string Range::text() const {
  std::string result;
  if (std::isfinite(minimum)) result = (open_minimum ? "> " : ">= ") + format_number(minimum);
  if (std::isfinite(maximum)) result += (result.empty() ? "<= " : " and <= ") + format_number(maximum);
  return result.empty() ? "any finite number" : result;
}

}  // namespace delassus
