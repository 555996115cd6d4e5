#include <array>
#include <limits>
#include <utility>

#include "model/numbers/binary_form.hpp"
#include "model/numbers/double_double.hpp"
#include "model/numbers/elementary.hpp"

namespace delassus::elementary {
namespace {

constexpr DoubleDouble straight_angle{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr DoubleDouble right_angle{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// atan(i/4).
constexpr std::array<DoubleDouble, 5> angle_of_quarters{{{0, 0},
                                                         {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                                         {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                                         {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                                         {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}};

// The angle of the point (x, y) in the first quadrant, x and y not both 0 and of sizes that two_product takes. Above the
// diagonal x and y are exchanged. With c = i/4 next to y/x,
//   atan(y/x) = atan(c) + atan(z),   z = (y - c x)/(x + c y),   |z| <= 1/8.
// z has 106 bits; of its Taylor series z - z^3/3 + ... the terms from z^3 on are below z/190, so that their rounding (a
// few 2^-53 of them) is below 0.02 units. The first term left out is z^20/21 < 2^-64.
DoubleDouble first_quadrant(DoubleDouble y, DoubleDouble x) {
  bool const above = y.high > x.high;
  if (above) std::swap(x, y);
  double const ratio = y.high / x.high;
  auto const i = static_cast<std::size_t>(4 * ratio + 0.5);
  DoubleDouble const c{0.25 * static_cast<double>(i), 0};
  DoubleDouble const z = i == 0 ? y / x : (y - x * c.high) / (x + y * c.high);
  double const s = z.high * z.high;
  double const others =
      -1.0 / 3 +
      s * (1.0 / 5 +
           s * (-1.0 / 7 +
                s * (1.0 / 9 +
                     s * (-1.0 / 11 + s * (1.0 / 13 + s * (-1.0 / 15 + s * (1.0 / 17 + s * (-1.0 / 19))))))));
  DoubleDouble const turn = fast_two_sum(z.high, z.low + z.high * s * others);
  DoubleDouble const angle = i == 0 ? turn : angle_of_quarters[i] + turn;
  return above ? right_angle - angle : angle;
}

// sqrt(1 - x^2) for |x| <= 1. The difference has no cancellation beyond what is exact.
DoubleDouble other_leg(double x) {
  if (std::abs(x) < 0x1p-60) return {1, 0};
  DoubleDouble const square = two_product(x, x);
  DoubleDouble const difference = two_sum(1, -square.high);
  return square_root(fast_two_sum(difference.high, difference.low - square.low));
}

}  // namespace

double atan(double x) {
  double const size = std::abs(x);
  if (size < 0x1p-27 || x != x) return x;  // x^3/3 is below a quarter of a unit
  double const angle = size > 0x1p64 ? right_angle.high : first_quadrant({size, 0}, {1, 0}).high;
  return std::copysign(angle, x);
}

// Where x and y differ by more than 2^64, the angle is y/x, a right angle or a straight one, up to 2^-64.
double atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  double height = std::abs(y), width = std::abs(x);
  double angle = 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (height == 0) {
    angle = std::signbit(x) ? straight_angle.high : 0;
  } else if (height == infinity && width == infinity) {
    angle = (x > 0 ? angle_of_quarters[4] : straight_angle - angle_of_quarters[4]).high;
  } else if (width == 0 || height == infinity) {
    angle = right_angle.high;
  } else if (width == infinity) {
    angle = x > 0 ? 0 : straight_angle.high;
  } else {
    int const apart = binary_form(height).exponent - binary_form(width).exponent;
    if (apart > 64) {
      angle = right_angle.high;
    } else if (apart < -64) {
      angle = x > 0 ? height / width : straight_angle.high;
    } else {
      double const larger = height > width ? height : width;
      double const scale = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-400 ? 0x1p600 : 1;
      height *= scale;
      width *= scale;
      DoubleDouble const acute = first_quadrant({height, 0}, {width, 0});
      angle = x > 0 ? acute.high : (straight_angle - acute).high;
    }
  }
  return std::copysign(angle, y);
}

double asin(double x) {
  double const size = std::abs(x);
  if (size < 0x1p-27 || x != x) return x;
  if (size > 1) return std::numeric_limits<double>::quiet_NaN();
  return std::copysign(first_quadrant({size, 0}, other_leg(size)).high, x);
}

double acos(double x) {
  if (x != x) return x;
  double const size = std::abs(x);
  if (size > 1) return std::numeric_limits<double>::quiet_NaN();
  if (size < 0x1p-60) return right_angle.high;
  DoubleDouble const acute = first_quadrant(other_leg(size), {size, 0});
  return x > 0 ? acute.high : (straight_angle - acute).high;
}

}  // namespace delassus::elementary
