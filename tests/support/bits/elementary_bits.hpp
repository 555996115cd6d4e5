// The bits of the elementary functions over a fixed sequence of arguments, as one hash: the same with every compiler,
// optimisation and processor. This header needs nothing but the functions, so that it can be compiled for any of them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "model/numbers/elementary.hpp"
#include "tests/support/bits/bits_hash.hpp"

namespace delassus::test {

// Knuth's linear congruential generator (MMIX), whose upper bits are used.
class ArgumentSequence {
 public:
  double uniform(double low, double high) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return low + (high - low) * (static_cast<double>(state_ >> 11U) * 0x1p-53);
  }
  // A positive number with an exponent between these.
  double of_exponent(double low, double high) {
    double const exponent = std::floor(uniform(low, high));
    return std::ldexp(uniform(1, 2), static_cast<int>(exponent));
  }

 private:
  std::uint64_t state_ = 1;
};

inline std::string hash_of_elementary_functions(int rounds) {
  namespace f = delassus::elementary;
  ArgumentSequence draw;
  BitsHash hash;
  for (int i = 0; i < rounds; ++i) {
    double const small = draw.uniform(-1, 1), large = draw.uniform(-30, 30),
                 any = draw.of_exponent(-1022, 1023);
    double const other = draw.of_exponent(-1022, 1023), power = draw.uniform(-6, 6);
    for (double const x : {small, large, any, -any}) {
      hash.add(f::sin(x));
      hash.add(f::cos(x));
      hash.add(f::tan(x));
      hash.add(f::atan(x));
      hash.add(f::exp(x));
      hash.add(f::tanh(x));
      hash.add(f::cbrt(x));
      hash.add(f::hypot(x, small));
      hash.add(f::hypot(x, large, other));
      hash.add(f::atan2(x, large));
      hash.add(f::atan2(large, -x));
    }
    hash.add(f::asin(small));
    hash.add(f::acos(small));
    hash.add(f::log(any));
    hash.add(f::log10(any));
    hash.add(f::log(std::abs(large)));
    hash.add(f::acosh(1 + std::abs(large)));
    hash.add(f::pow(std::abs(large), power));
    hash.add(f::pow(std::abs(small), std::floor(power) / 2));
    hash.add(f::pow(any, small));
  }
  return hash.text();
}

}  // namespace delassus::test
