#include "tools/plot/chart_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

// The next of 1, 2 and 5 times a power of ten.
double round_step(double step) {
  double const power = elementary::pow(10, std::floor(elementary::log10(step)));
  double const digits = step / power - 1e-9;
  return power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}

std::string with_true_minus(std::string const& text) {
  return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

std::string label(double value, double step, double largest) {
  if (std::abs(value) < step / 2) return "0";
  bool const scientific = largest >= 1e5 || largest < 1e-3;
  if (!scientific) {
    int const decimals = std::max(0, static_cast<int>(std::ceil(-elementary::log10(step) - 1e-9)));
    return with_true_minus(fmt::format("{:.{}f}", value, decimals));
  }
  std::string text = fmt::format("{:.{}e}", value,
                                 std::max(0, static_cast<int>(std::floor(elementary::log10(largest)) -
                                                              std::floor(elementary::log10(step)))));
  auto const e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') != std::string::npos) mantissa.erase(mantissa.find_last_not_of('0') + 1);
  if (mantissa.ends_with('.')) mantissa.pop_back();
  return with_true_minus(mantissa) + "e" + with_true_minus(std::to_string(std::stoi(text.substr(e + 1))));
}

}  // namespace

Axis make_axis(double minimum, double maximum, int count, bool rounded) {
  double const largest_end = std::max(std::abs(minimum), std::abs(maximum));
  // A constant, or one up to rounding, gets room around it instead of a magnified rounding error.
  if (!(maximum - minimum > 1e-9 * largest_end)) {
    double const middle = (minimum + maximum) / 2, room = middle != 0 ? 0.5 * std::abs(middle) : 1;
    minimum = middle - room;
    maximum = middle + room;
  }
  double const step = round_step((maximum - minimum) / count);
  double const slack = 1e-9 * (maximum - minimum) / step;
  double const first = rounded ? std::floor(minimum / step + slack) : std::ceil(minimum / step - slack);
  double const last = rounded ? std::ceil(maximum / step - slack) : std::floor(maximum / step + slack);
  Axis axis{rounded ? first * step : minimum, rounded ? last * step : maximum, {}};
  double const largest = std::max(std::abs(first), std::abs(last)) * step;
  auto const steps = static_cast<int>(last - first);
  for (int k = 0; k <= steps; ++k) {
    double const value = (first + k) * step;
    axis.ticks.push_back({value, label(value, step, largest)});
  }
  return axis;
}

Axis make_whole_axis(double minimum, double maximum, int count) {
  double const step = std::max(1.0, round_step(std::max(1.0, maximum - minimum) / count));
  Axis axis{minimum - 0.5 * step, maximum + 0.5 * step, {}};
  double const first = std::ceil(axis.minimum / step);
  auto const steps = static_cast<int>(std::floor(axis.maximum / step) - first);
  for (int k = 0; k <= steps; ++k) {
    double const value = (first + k) * step;
    axis.ticks.push_back({value, label(value, step, std::max(std::abs(minimum), std::abs(maximum)))});
  }
  return axis;
}

Axis make_log_axis(double minimum, double maximum) {
  // A tenth of a decade of room on both sides.
  double const low = elementary::log10(minimum) - 0.1, high = elementary::log10(maximum) + 0.1;
  Axis axis{elementary::pow(10, low), elementary::pow(10, high), {}};
  int const step = std::max(1, static_cast<int>(std::ceil((high - low) / 8)));
  for (int decade = static_cast<int>(std::floor(low)); decade <= high; ++decade) {
    auto const add = [&](double factor, std::string const& text) {
      double const value = factor * elementary::pow(10, decade);
      if (value >= axis.minimum && value <= axis.maximum) axis.ticks.push_back({value, text});
    };
    if (decade % step != 0) continue;
    std::string exponent;
    for (char const c : std::to_string(decade)) {
      constexpr const char* digits[]{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                     "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
      exponent += c == '-' ? "\u207b" : digits[c - '0'];
    }
    add(1, decade == 0 ? "1" : "10" + exponent);
    if (high - low < 3.2) {
      add(2, "2\u00b710" + exponent);
      add(5, "5\u00b710" + exponent);
    }
  }
  return axis;
}

std::string unit_text(std::string_view unit) {
  std::string text;
  for (char const c : unit)
    text += c == '2' ? "\u00b2" : c == '3' ? "\u00b3" : c == '.' ? "\u00b7" : std::string(1, c);
  return text;
}

}  // namespace delassus
