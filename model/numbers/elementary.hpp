// Elementary functions that give the same bits on every processor, with every compiler and every C library.
//
// The standard leaves the last digits of std::sin and its like to the C library, and libraries differ; glibc even
// differs from itself, because it takes variants with fused multiplication and addition where the processor has them.
// Motion amplifies a last digit. So what motion depends on is computed here, from +, -, *, /, sqrt and bits, which IEEE
// 754 defines to the last one. Sources of the rooms use these functions only; a test (tests/house) holds them to it.
// What is exact in every library stays: std::sqrt, fmod, remainder, floor, round, ldexp, frexp, copysign, abs.
//
// Errors, in units in the last place of the result (0.5 is correct rounding), derived above each function and measured by
// tests/model/elementary_test.cpp:
//
//   sin, cos, tan, asin, acos, atan, atan2, exp, log, log10, pow, cbrt, tanh, acosh    below 0.6
//   the same where the result is subnormal (it is rounded twice)                       below 1
//   hypot of two numbers                                                               below 1.5
//   hypot of three numbers                                                             below 2
//
// Special values are those of the C standard (annex F). Odd functions are odd and even ones even, to the bit.
// Rounding is to nearest, as the whole program assumes.
#pragma once

#include <cmath>

namespace delassus::elementary {

double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double exp(double x);
double log(double x);
double log10(double x);
double pow(double x, double y);
double tanh(double x);
double acosh(double x);
double cbrt(double x);

// Where squares overflow or vanish.
double scaled_hypot(double x, double y, double z);

// The square root halves the relative errors of its argument: u = 2^-53 of each square and of each sum. With that of the
// root itself, two numbers give 2 u, which is below 1.5 units in the last place (0.5 of them for the last rounding), and
// three give 2.5 u, below 2 units. A square that vanishes beside 2^-960 is below all of that.
inline double hypot(double x, double y) {
  double const square = x * x + y * y;
  return square >= 0x1p-960 && square <= 0x1p1020 ? std::sqrt(square) : scaled_hypot(x, y, 0);
}
inline double hypot(double x, double y, double z) {
  double const square = x * x + y * y + z * z;
  return square >= 0x1p-960 && square <= 0x1p1020 ? std::sqrt(square) : scaled_hypot(x, y, z);
}

}  // namespace delassus::elementary
