#include <limits>

#include "model/numbers/angle_reduction.hpp"
#include "model/numbers/elementary.hpp"

namespace delassus::elementary {
namespace {

// Below, sin x and tan x are x, and cos x is 1, up to a quarter of a unit in the last place.
constexpr double small_angle = 0x1p-27;

// Sine and cosine of the rest of an angle r = h + l, |h| <= pi/4, with z = h^2: their Taylor series, in which the first
// terms that round are computed with 106 bits and the others, which are small beside the result, with 53. What is left
// out is below (pi/4)^19 / 19! < 2^-63 of sin, and (pi/4)^18 / 18! < 2^-58 of cos. The small terms (at most 0.0025 of a
// sine, z^2/24 < 0.016 beside a cosine above 0.7) have errors of a few 2^-53 of themselves: together below 0.05 units.
DoubleDouble sine_of_rest(DoubleDouble const& r) {
  double const h = r.high;
  DoubleDouble const z = two_product(h, h);
  double const s = z.high;
  DoubleDouble const cube = z * h;
  constexpr DoubleDouble sixth{0x1.5555555555555p-3, 0x1.5555555555555p-57};
  DoubleDouble const first = cube * sixth;
  double const others =
      1.0 / 120 +
      s * (-1.0 / 5040 +
           s * (1.0 / 362880 +
                s * (-1.0 / 39916800 +
                     s * (1.0 / 6227020800 + s * (-1.0 / 1307674368000 + s * (1.0 / 355687428096000))))));
  double const small = cube.high * s * others + r.low * (1 - s * (0.5 - s * (1.0 / 24)));
  DoubleDouble const sum = fast_two_sum(h, -first.high);
  return fast_two_sum(sum.high, sum.low + (small - first.low));
}

DoubleDouble cosine_of_rest(DoubleDouble const& r) {
  double const h = r.high;
  DoubleDouble const z = two_product(h, h);
  double const s = z.high;
  double const others =
      1.0 / 24 +
      s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800 +
                                                s * (1.0 / 479001600 + s * (-1.0 / 87178291200 +
                                                                            s * (1.0 / 20922789888000))))));
  DoubleDouble const sum = fast_two_sum(1, -0.5 * s);
  double const small = s * s * others - r.low * (h - h * s * (1.0 / 6)) - 0.5 * z.low;
  return fast_two_sum(sum.high, sum.low + small);
}

double sine_in(unsigned quadrant, DoubleDouble const& rest) {
  double const value = (quadrant & 1U) == 0 ? sine_of_rest(rest).high : cosine_of_rest(rest).high;
  return (quadrant & 2U) == 0 ? value : -value;
}

}  // namespace

double sin(double x) {
  double const size = std::abs(x);
  if (!(size <= std::numeric_limits<double>::max()))
    return size == size ? std::numeric_limits<double>::quiet_NaN() : x;
  if (size < small_angle) return x;
  ReducedAngle const angle = reduced_angle(size);
  double const value = sine_in(angle.quadrant, angle.rest);
  return x < 0 ? -value : value;
}

// cos x = sin(x + pi/2).
double cos(double x) {
  double const size = std::abs(x);
  if (!(size <= std::numeric_limits<double>::max()))
    return size == size ? std::numeric_limits<double>::quiet_NaN() : x;
  if (size < small_angle) return 1;
  ReducedAngle const angle = reduced_angle(size);
  return sine_in(angle.quadrant + 1, angle.rest);
}

// The quotient of sine and cosine, each with its error of some 0.05 units.
double tan(double x) {
  double const size = std::abs(x);
  if (!(size <= std::numeric_limits<double>::max()))
    return size == size ? std::numeric_limits<double>::quiet_NaN() : x;
  if (size < small_angle) return x;
  ReducedAngle const angle = reduced_angle(size);
  DoubleDouble const sine = sine_of_rest(angle.rest), cosine = cosine_of_rest(angle.rest);
  double const value = (angle.quadrant & 1U) == 0 ? (sine / cosine).high : -(cosine / sine).high;
  return x < 0 ? -value : value;
}

}  // namespace delassus::elementary
