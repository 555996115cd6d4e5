#include "model/control/profile.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {

ProfileValue profile_at(double t, ProfileShape shape, double period, std::span<const double> times,
                        std::span<const double> values) {
  if (times.empty()) return {};
  if (period > 0 && t > times.front()) t = times.front() + std::fmod(t - times.front(), period);
  auto const after =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  if (after == 0) return {values.front(), 0};
  std::size_t const before = after - 1;
  bool const wraps = after == times.size();
  if (wraps && !(period > 0)) return {values.back(), 0};
  double const begin = times[before], end = wraps ? times.front() + period : times[after];
  double const from = values[before], to = wraps ? values.front() : values[after];
  if (shape == ProfileShape::step || !(end > begin)) return {from, 0};
  double const span = end - begin, s = (t - begin) / span;
  if (shape == ProfileShape::linear) return {from + (to - from) * s, (to - from) / span};
  double const eased = s * s * s * (10 + s * (-15 + 6 * s)), slope = 30 * s * s * (1 - s) * (1 - s);
  return {from + (to - from) * eased, (to - from) * slope / span};
}

}  // namespace delassus
