#include <limits>

#include "model/numbers/binary_form.hpp"
#include "model/numbers/double_double.hpp"
#include "model/numbers/elementary.hpp"

namespace delassus::elementary {

// x = 2^3k m, 1 <= |m| < 8. The parabola through the cubes of 1, 3/2 and 2 has an error below 2 %; two steps of Halley's
// method, which triples the number of digits, leave 2^-47, and one of Newton's, with the residual m - t^3 in 106 bits,
// leaves the rounding of its sum.
double cbrt(double x) {
  if (x == 0 || !(std::abs(x) <= std::numeric_limits<double>::max())) return x;
  BinaryForm const form = binary_form(std::abs(x));
  int const k = (form.exponent + 3 * 400) / 3 - 400;
  double const m = form.significand * power_of_two(form.exponent - 3 * k);
  // Divided differences: (3/2 - 1)/(27/8 - 1) = 4/19 and (2 - 3/2)/(8 - 27/8) = 4/37, so (4/37 - 4/19)/7 = -72/4921.
  double t = 1 + (m - 1) * (4.0 / 19 - (m - 3.375) * (72.0 / 4921));
  for (int step = 0; step < 2; ++step) {
    double const cube = t * t * t;
    t *= (cube + 2 * m) / (2 * cube + m);
  }
  DoubleDouble const square = two_product(t, t), cube = square * t;
  t += ((m - cube.high) - cube.low) / (3 * square.high);
  return std::copysign(t * power_of_two(k), x);
}

double scaled_hypot(double x, double y, double z) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double const a = std::abs(x), b = std::abs(y), c = std::abs(z);
  if (a == infinity || b == infinity || c == infinity) return infinity;
  if (x != x || y != y || z != z) return x + y + z;
  double const largest = a > b ? (a > c ? a : c) : (b > c ? b : c);
  if (largest == 0) return 0;
  bool const large = largest > 1;
  double const scale = large ? 0x1p-600 : 0x1p600, back = large ? 0x1p600 : 0x1p-600;
  double const u = x * scale, v = y * scale, w = z * scale;
  return std::sqrt(u * u + v * v + w * w) * back;
}

}  // namespace delassus::elementary
