// The exponent and the sign of a double, from its bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace delassus {

// 2^n, for -1022 <= n <= 1023.
inline double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52U);
}

// x = significand 2^exponent with 1 <= |significand| < 2, for finite x that is not 0.
struct BinaryForm {
  double significand;
  int exponent;
};
inline BinaryForm binary_form(double x) {
  int exponent = 0;
  if (std::abs(x) < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  auto const bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>((bits >> 52U) & 0x7ffU) - 1023;
  constexpr std::uint64_t fraction_and_sign = 0x800fffffffffffffU, one = 0x3ff0000000000000U;
  return {std::bit_cast<double>((bits & fraction_and_sign) | one), exponent};
}

// x 2^n of a normal x, rounded once, where the result is subnormal.
inline double scaled(double x, int n) {
  if (n > 1023) return x * 0x1p1023 * power_of_two(n > 2046 ? 1023 : n - 1023);
  if (n < -1022) return x * power_of_two(n < -1922 ? -1022 : n + 900) * 0x1p-900;
  return x * power_of_two(n);
}

}  // namespace delassus
