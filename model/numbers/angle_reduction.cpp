#include "model/numbers/angle_reduction.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include "model/numbers/binary_form.hpp"

namespace delassus {
namespace {

constexpr DoubleDouble quarter_turn{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// 2/pi in binary: 64 zeros before the point, and 1216 digits behind it.
constexpr std::array<std::uint64_t, 20> two_over_pi{
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};

struct Words {
  std::uint64_t high, low;
};

// a b + c exactly, from halves of 32 bits.
Words multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t half = 0xffffffffU;
  std::uint64_t const low = (a & half) * (b & half), left = (a >> 32U) * (b & half),
                      right = (a & half) * (b >> 32U);
  std::uint64_t const middle = (low >> 32U) + (left & half) + (right & half);
  std::uint64_t const product = (middle << 32U) | (low & half), sum = product + c;
  std::uint64_t const carry = sum < product ? 1 : 0;
  return {(a >> 32U) * (b >> 32U) + (left >> 32U) + (right >> 32U) + (middle >> 32U) + carry, sum};
}

// Payne and Hanek 1983, "Radian reduction for trigonometric functions". With x = m 2^e and an integer m below 2^53,
// x 2/pi modulo 4 needs only the digits of 2/pi with weights 2^(1 - e) and below: those above give multiples of 4. Of
// these, 192 digits are multiplied by m in integers, modulo 2^192. What the digits behind them would add is below
// 2^(53 - 190) = 2^-137 of a quarter turn. No double is nearer to a multiple of pi/2 than 2^-62 of a quarter turn (Muller
// et al., Handbook of Floating-Point Arithmetic, 11.3), so the rest has a relative error below 2^-75 from this, and some
// 2^-103 from the product by pi/2.
ReducedAngle reduced_by_integers(double x) {
  BinaryForm const form = binary_form(x);
  auto const m = static_cast<std::uint64_t>(form.significand * 0x1p52);
  auto const first = static_cast<unsigned>(form.exponent - 52 + 62);  // digit of the table with the weight 2
  unsigned const word = first / 64, shift = first % 64;
  auto const digits = [&](unsigned i) {
    std::uint64_t const high = two_over_pi[word + i];
    return shift == 0 ? high : (high << shift) | (two_over_pi[word + i + 1] >> (64 - shift));
  };
  Words const lowest = multiply_add(m, digits(2), 0), middle = multiply_add(m, digits(1), lowest.high),
              highest = multiply_add(m, digits(0), middle.high);

  auto quadrant = static_cast<unsigned>(highest.low >> 62U);
  // The fraction of a quarter turn, in units of 2^-192.
  std::uint64_t high = (highest.low << 2U) | (middle.low >> 62U),
                mid = (middle.low << 2U) | (lowest.low >> 62U), low = lowest.low << 2U;
  bool const more_than_half = (high >> 63U) != 0;
  if (more_than_half) {
    ++quadrant;
    low = ~low + 1;
    mid = ~mid + (low == 0 ? 1 : 0);
    high = ~high + (low == 0 && mid == 0 ? 1 : 0);
  }
  int zeros = 0;  // in front
  if (high == 0) {
    high = mid;
    mid = low;
    low = 0;
    zeros = 64;
  }
  if (int const more = std::countl_zero(high); more > 0) {
    auto const by = static_cast<unsigned>(more);
    high = (high << by) | (mid >> (64 - by));
    mid = (mid << by) | (low >> (64 - by));
    zeros += more;
  }
  // 53 digits and 53 more.
  double const leading = static_cast<double>(high >> 11U) * power_of_two(-53 - zeros);
  double const rest =
      static_cast<double>(((high & 0x7ffU) << 42U) | (mid >> 22U)) * power_of_two(-106 - zeros);
  DoubleDouble const angle = fast_two_sum(leading, rest) * quarter_turn;
  return {quadrant & 3U, more_than_half ? -angle : angle};
}

}  // namespace

// Cody and Waite 1980: pi/2 is the sum of two parts of 33 bits and one of 53, with an error below 2^-119. Below 2^20 the
// number n of quarter turns has 20 bits, so n times the first two parts is exact; so is the first difference, because
// its operands are near to each other and the result is a multiple of 2^-53 below 1. The last product has an error of
// 2^-53 2^-68 n < 2^-101, and the missing digits of pi/2 the same. Where the rest is above 2^-30 that is 2^-70 of it;
// where it is smaller, integers take over.
ReducedAngle reduced_angle(double x) {
  constexpr double first = 0x1.921fb54400000p+0, second = 0x1.0b4611a600000p-34,
                   third = 0x1.3198a2e037073p-69;
  constexpr double eighth_turn = 0x1.921fb54442d18p-1, turns_per_rad = 0x1.45f306dc9c883p-1;
  if (x <= eighth_turn) return {0, {x, 0}};
  if (x < 0x1p20) {
    constexpr double to_integers = 0x1.8p52;  // added and taken away, it rounds to an integer
    double const n = (x * turns_per_rad + to_integers) - to_integers;
    DoubleDouble const angle = two_sum(x - n * first, -(n * second));
    if (std::abs(angle.high) > 0x1p-30)
      return {static_cast<unsigned>(n) & 3U, fast_two_sum(angle.high, angle.low - n * third)};
  }
  return reduced_by_integers(x);
}

}  // namespace delassus
