#include <limits>

#include "model/numbers/binary_form.hpp"
#include "model/numbers/double_double.hpp"
#include "model/numbers/elementary.hpp"

namespace delassus::elementary {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr DoubleDouble ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

// e^x = 2^n (1 + beyond_one).
struct Power {
  int n;
  DoubleDouble beyond_one;
};

// Of a number between -746 and 746. With n the integer next to x / ln 2 and r = x - n ln 2, |r| <= ln(2)/2 < 0.347,
//   e^r - 1 = (r + r^2/2) + r^3 (1/6 + r/24 + ... + r^10/13!),
// the bracket with 106 bits, the rest, below 0.0077, with 53. The first term left out is r^14/14! < 2^-57 2^-5. ln 2 is the
// sum of a part of 42 bits, whose product by n (11 bits) is exact, as is its difference from x, and one of 53 bits with
// an error below 2^-98, so that r is known to 2^-84.
// Rounding: a few 2^-53 of 0.0077, below 0.05 units of a result above 0.7.
Power power_of_e(DoubleDouble const& x) {
  constexpr double ln2_first = 0x1.62e42fefa3800p-1, ln2_second = 0x1.ef35793c76730p-45,
                   powers_per_e = 0x1.71547652b82fep+0, to_integers = 0x1.8p52;
  double const n = (x.high * powers_per_e + to_integers) - to_integers;
  DoubleDouble const left = two_sum(x.high - n * ln2_first, -(n * ln2_second));
  DoubleDouble const r = fast_two_sum(left.high, left.low + x.low);
  double const h = r.high;
  DoubleDouble const square = two_product(h, h);
  double const others =
      1.0 / 6 +
      h * (1.0 / 24 +
           h * (1.0 / 120 +
                h * (1.0 / 720 +
                     h * (1.0 / 5040 + h * (1.0 / 40320 + h * (1.0 / 362880 +
                                                               h * (1.0 / 3628800 +
                                                                    h * (1.0 / 39916800 +
                                                                         h * (1.0 / 479001600 +
                                                                              h * (1.0 / 6227020800))))))))));
  DoubleDouble const sum = fast_two_sum(h, 0.5 * square.high);
  double const small = sum.low + (0.5 * square.low + r.low + r.low * h + square.high * h * others);
  return {static_cast<int>(n), fast_two_sum(sum.high, small)};
}

// e^x, rounded; and once more where it is subnormal.
double rounded_power(DoubleDouble const& x) {
  if (x.high > 710) return infinity;
  if (x.high < -746) return 0;
  Power const power = power_of_e(x);
  DoubleDouble const sum = fast_two_sum(1, power.beyond_one.high);
  return scaled(sum.high + (sum.low + power.beyond_one.low), power.n);
}

// The natural logarithm of a finite x > 0 with a relative error below 2^-68. With x = 2^k m, sqrt(1/2) <= m < sqrt(2), and
// s = (m - 1)/(m + 1), |s| < 0.172,
//   ln m = 2 atanh s = 2 s + s z (2/3 + z (2/5 + z (2/7 + 2 z/9 + ...))),   z = s^2 < 0.0295.
// The terms with 2/7 and beyond have 53 bits. They are below z/70 < 2^-11 of the bracket with 2/3, itself z/3 < 2^-6.6 of the
// whole, so that their rounding is 2^-53 2^-11 2^-6.6 of it. All else has 106 bits. The series ends with z^12: the next
// term is z^12/27 < 2^-65 of the whole.
DoubleDouble logarithm(double x) {
  BinaryForm form = binary_form(x);
  if (form.significand > 0x1.6a09e667f3bcdp0) {
    form.significand *= 0.5;
    ++form.exponent;
  }
  double const m = form.significand;
  DoubleDouble const s = DoubleDouble{m - 1, 0} / two_sum(m, 1);
  DoubleDouble const z = s * s;
  double const h = z.high;
  double const others =
      2.0 / 7 +
      h * (2.0 / 9 +
           h * (2.0 / 11 +
                h * (2.0 / 13 +
                     h * (2.0 / 15 +
                          h * (2.0 / 17 +
                               h * (2.0 / 19 + h * (2.0 / 21 + h * (2.0 / 23 + h * (2.0 / 25)))))))));
  constexpr DoubleDouble two_thirds{0x1.5555555555555p-1, 0x1.5555555555555p-55},
      two_fifths{0x1.999999999999ap-2, -0x1.999999999999ap-56};
  DoubleDouble const bracket = two_thirds + z * (two_fifths + DoubleDouble{h * others, 0});
  DoubleDouble const of_m = DoubleDouble{2 * s.high, 2 * s.low} + s * z * bracket;
  return form.exponent == 0 ? of_m : ln2 * static_cast<double>(form.exponent) + of_m;
}

// What log and log10 have in common: NaN for those that have none.
bool has_logarithm(double x) {
  return x > 0 && x < infinity;
}
double without_logarithm(double x) {
  return x != x || x > 0 ? x : x == 0 ? -infinity : not_a_number;
}

// x^(n/2) for 1 <= n <= 8 and x within 2^100 and 2^-100, by products of 106 bits: such powers are frequent (3/2 in Hertz's law),
// and this is faster than the way through the logarithm.
double half_power(double x, int n) {
  DoubleDouble power{1, 0};
  for (int i = 0; i < n / 2; ++i) power = power * x;
  return (n % 2 == 0 ? power : power * square_root({x, 0})).high;
}

bool is_integer(double y) {
  return std::abs(y) >= 0x1p53 || y == std::floor(y);
}
bool is_odd(double y) {
  return std::abs(y) < 0x1p53 && is_integer(y) && std::fmod(y, 2) != 0;
}

}  // namespace

double exp(double x) {
  if (x != x) return x;
  return rounded_power({x, 0});
}

double log(double x) {
  return has_logarithm(x) ? logarithm(x).high : without_logarithm(x);
}

double log10(double x) {
  constexpr DoubleDouble per_decade{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};  // 1/ln 10
  return has_logarithm(x) ? (logarithm(x) * per_decade).high : without_logarithm(x);
}

// x^y = e^(y ln x). |y ln x| is below 746, so the error 2^-68 of the logarithm becomes 2^-58.5 of the result: 0.02 units.
// Squares, and what is exact, are rounded correctly.
double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  if (y == 1) return x;
  if (y == 2) return x * x;
  double const size = std::abs(x), sign = std::signbit(x) && is_odd(y) ? -1 : 1;
  if (size == 0) return y > 0 ? sign * 0.0 : sign * infinity;
  if (std::abs(y) == infinity) return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity : 0;
  if (size == infinity) return y > 0 ? sign * infinity : sign * 0.0;
  if (x < 0 && !is_integer(y)) return not_a_number;
  if (size == 1) return sign;
  if (y == -1) return 1 / x;
  if (y > 0 && y <= 4 && 2 * y == std::floor(2 * y) && size > 0x1p-100 && size < 0x1p100)
    return sign * half_power(size, static_cast<int>(2 * y));
  if (std::abs(y) > 0x1p65) return (size > 1) == (y > 0) ? infinity : 0;  // such a y is even
  if (std::abs(y) < 0x1p-65) return 1;
  return sign * rounded_power(logarithm(size) * y);
}

// (e^2x - 1)/(e^2x + 1), where the numerator is known with the relative error of the power beyond one.
double tanh(double x) {
  double const size = std::abs(x);
  if (size < 0x1p-28 || x != x) return x;       // x^3/3 is below a quarter of a unit
  if (size > 22) return std::copysign(1.0, x);  // 2 e^-44 is below one
  Power const power = power_of_e({2 * size, 0});
  double const scale = power_of_two(power.n);
  DoubleDouble const e{power.beyond_one.high * scale, power.beyond_one.low * scale};
  DoubleDouble const numerator = power.n == 0 ? e : two_sum(scale, -1) + e;
  return std::copysign((numerator / (two_sum(scale, 1) + e)).high, x);
}

// ln(x + sqrt(x^2 - 1)), with both sums in 106 bits: ln(h + l) = ln h + l/h up to (l/h)^2/2 < 2^-107.
double acosh(double x) {
  if (x != x || x == infinity) return x;
  if (x < 1) return not_a_number;
  if (x > 0x1p60) return (logarithm(x) + ln2).high;
  DoubleDouble const square = two_product(x, x);
  DoubleDouble const sum =
      DoubleDouble{x, 0} + square_root(two_sum(square.high, -1) + DoubleDouble{square.low, 0});
  return (logarithm(sum.high) + DoubleDouble{sum.low / sum.high, 0}).high;
}

}  // namespace delassus::elementary
