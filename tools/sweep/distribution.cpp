#include "tools/sweep/distribution.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

// Not through long double, which is not the same type everywhere.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

// Share of a normal distribution below x.
double normal_share(double x) {
  return std::isinf(x) ? (x > 0 ? 1.0 : 0.0) : boost::math::erfc(-x / std::numbers::sqrt2, Policy()) / 2;
}

double normal_value(double share) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * share, Policy());
}

}  // namespace

double Distribution::kept_share() const {
  return normal_share((highest - first) / second) - normal_share((lowest - first) / second);
}

double Distribution::value(double u) const {
  switch (kind) {
    case Kind::uniform:
      return std::clamp(first + u * (second - first), first, second);
    case Kind::whole:
      return std::min(first + std::floor(u * (second - first + 1)), second);
    case Kind::log_uniform:
      return std::clamp(
          elementary::exp(elementary::log(first) + u * (elementary::log(second) - elementary::log(first))),
          first, second);
    case Kind::normal:
      break;
  }
  bool const whole = std::isinf(lowest) && std::isinf(highest);
  double const share = whole ? u : normal_share((lowest - first) / second) + u * kept_share();
  return std::clamp(first + second * normal_value(share), lowest, highest);
}

}  // namespace delassus
