// A setpoint over time: points with a shape between them, once or repeated.
#pragma once

#include <span>

namespace delassus {

enum class ProfileShape { step = 1, linear = 2, smooth = 3 };

struct ProfileValue {
  double value = 0, rate = 0;
};

// Before the first point the first value holds, after the last point the last value. With a period, the curve
// continues from the last point to the first point of the next period. Smooth is the polynomial of least jerk
// between two points at rest, 10 s^3 - 15 s^4 + 6 s^5 (Flash and Hogan 1985). Without points the value is
// zero.
ProfileValue profile_at(double t, ProfileShape shape, double period, std::span<const double> times,
                        std::span<const double> values);

}  // namespace delassus
