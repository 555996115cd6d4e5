#include "model/scene/decimal_times.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

namespace delassus {
namespace {

constexpr int most_digits = 15;  // of a decimal number that every double near it leads back to
constexpr int most_places = 22;  // 10^22 is a double, 10^23 is none

// digits * 10^exponent
struct Decimal {
  double digits = 0;
  int exponent = 0;
};

// The shortest decimal number that reads back as `value`; not a number where it is longer than people write.
Decimal decimal_of(double value) {
  if (value == 0) return {};
  char buffer[32];
  auto const end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string_view const text(buffer, static_cast<std::size_t>(end - buffer));
  std::size_t const mark = text.find('e');
  Decimal decimal;
  if (mark == std::string_view::npos) return {std::numeric_limits<double>::quiet_NaN(), 0};
  std::size_t const sign = text[mark + 1] == '+' ? 2 : 1;
  std::from_chars(text.data() + mark + sign, text.data() + text.size(), decimal.exponent);
  std::string digits(text.substr(0, mark));
  if (auto const point = digits.find('.'); point != std::string::npos) {
    decimal.exponent -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  if (digits.size() > most_digits + (value < 0 ? 1U : 0U))
    return {std::numeric_limits<double>::quiet_NaN(), 0};
  std::from_chars(digits.data(), digits.data() + digits.size(), decimal.digits);
  return decimal;
}

double power_of_ten(int exponent) {
  double power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

DecimalTimes::DecimalTimes(double start, double step) : start_(start), step_(step) {
  Decimal const first = decimal_of(start), increment = decimal_of(step);
  int const places = std::max({0, -first.exponent, -increment.exponent});
  int const longest = std::max(first.exponent, increment.exponent) + places;
  if (places > most_places || longest > most_places) {
    step_units_ = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  units_ = power_of_ten(places);
  start_units_ = first.digits * power_of_ten(places + first.exponent);
  step_units_ = increment.digits * power_of_ten(places + increment.exponent);
}

double step_size_until(double time, double step, double stop) {
  if (!(time + step > stop)) return step;
  double size = stop - time;
  // Where the difference was rounded, the sum may still be beyond.
  while (time + size > stop) size = std::nextafter(size, 0.0);
  return size;
}

std::string format_time(double seconds) {
  char buffer[32];
  auto const end = std::to_chars(buffer, buffer + sizeof buffer, seconds, std::chars_format::general, 12).ptr;
  return {buffer, end};
}

}  // namespace delassus
