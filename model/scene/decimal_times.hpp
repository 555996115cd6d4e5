// The instants start + k step, as a person reckons them: 7 steps of 0.05 s are 0.35 s, where the product of the two
// doubles is 0.35000000000000003. A step and a start that people write are whole numbers of 10^-p s. Sums and products
// of whole numbers up to 2^53 are exact in doubles, and so is 10^p up to p = 22: the quotient is then the double next to
// the decimal number.
#pragma once

#include <cmath>
#include <string>

namespace delassus {

class DecimalTimes {
 public:
  DecimalTimes(double start, double step);  // s

  // k is a whole number.
  double after(double k) const {
    double const moved = k * step_units_, sum = start_units_ + moved;
    bool const exact = std::abs(moved) <= largest_exact && std::abs(sum) <= largest_exact;
    return exact ? sum / units_ : start_ + k * step_;
  }
  double after(std::size_t k) const { return after(static_cast<double>(k)); }

  static constexpr double largest_exact = 9007199254740992.0;  // 2^53

 private:
  double start_, step_;
  // Units of 10^-p s in a second, in the start and in the step; a step of NaN units where they are no whole numbers.
  double units_ = 1, start_units_ = 0, step_units_ = 0;
};

// The size of the step from `time` to `next`: `step`, to the bit the same for every step, as instances that make steps
// of one size want it. But no step passes `stop`, not by rounding either.
double step_size_until(double time, double step, double stop);

// A time for people: 12 significant digits. 0.30000000000000004 is 0.3.
std::string format_time(double seconds);

}  // namespace delassus
