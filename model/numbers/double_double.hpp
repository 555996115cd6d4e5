// Numbers of about 106 bits: unevaluated sums of two doubles, of which the second is below half a unit in the last place
// of the first (Dekker 1971, "A floating-point technique for extending the available precision"; Knuth, TAOCP 2, 4.2.2).
//
// Each operation here is a fixed sequence of +, -, * and / of doubles. IEEE 754 rounds these in one way, so the results
// are the same bits on every processor, as long as the compiler neither fuses nor reorders them (-ffp-contract=off).
#pragma once

#include <cmath>

namespace delassus {

struct DoubleDouble {
  double high = 0, low = 0;
};

// a + b exactly; fast_two_sum demands |a| >= |b| or a = 0.
inline DoubleDouble two_sum(double a, double b) {
  double const sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}
inline DoubleDouble fast_two_sum(double a, double b) {
  double const sum = a + b;
  return {sum, b - (sum - a)};
}

// a b exactly, for factors below 2^996 and products above 2^-960. Each factor is split into halves of 26 bits, whose
// products have no rounding.
inline DoubleDouble two_product(double a, double b) {
  constexpr double splitter = 0x1p27 + 1;
  double const wide_a = splitter * a, high_a = wide_a - (wide_a - a), low_a = a - high_a;
  double const wide_b = splitter * b, high_b = wide_b - (wide_b - b), low_b = b - high_b;
  double const product = a * b;
  return {product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b};
}

// Sums, products, quotients and roots with relative errors of a few 2^-104; sums of numbers of opposite sign with an
// error of that size relative to the larger one.
inline DoubleDouble operator-(DoubleDouble const& x) {
  return {-x.high, -x.low};
}
inline DoubleDouble operator+(DoubleDouble const& x, DoubleDouble const& y) {
  DoubleDouble const high = two_sum(x.high, y.high);
  return fast_two_sum(high.high, high.low + (x.low + y.low));
}
inline DoubleDouble operator-(DoubleDouble const& x, DoubleDouble const& y) {
  return x + -y;
}
inline DoubleDouble operator*(DoubleDouble const& x, double y) {
  DoubleDouble const product = two_product(x.high, y);
  return fast_two_sum(product.high, product.low + x.low * y);
}
inline DoubleDouble operator*(DoubleDouble const& x, DoubleDouble const& y) {
  DoubleDouble const product = two_product(x.high, y.high);
  return fast_two_sum(product.high, product.low + (x.high * y.low + x.low * y.high));
}
// The rest of the division of the leading parts is exact; it and what the lower parts add are divided once more.
inline DoubleDouble operator/(DoubleDouble const& x, DoubleDouble const& y) {
  double const quotient = x.high / y.high;
  DoubleDouble const back = two_product(quotient, y.high);
  double const rest = ((x.high - back.high) - back.low) + (x.low - quotient * y.low);
  return fast_two_sum(quotient, rest / y.high);
}
// One step of Newton's method from the root of the leading part.
inline DoubleDouble square_root(DoubleDouble const& x) {
  if (x.high == 0) return {};
  double const root = std::sqrt(x.high);
  DoubleDouble const back = two_product(root, root);
  return fast_two_sum(root, ((x.high - back.high) - back.low + x.low) / (2 * root));
}

}  // namespace delassus
