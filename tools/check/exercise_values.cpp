#include "tools/check/exercise_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "model/scene/number.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// A NaN is equal to itself here: what counts is that the same comes out again.
bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

Finding make(std::string rule, std::string message, std::string remedy) {
  return {std::move(rule), Severity::error, "", 0, std::move(message), std::move(remedy)};
}

std::optional<Finding> judge_value(Signal const& signal, double value, std::size_t point) {
  std::string const where =
      fmt::format("{} is {} at communication point {}", signal.name, format_number(value), point);
  if (!std::isfinite(value))
    return make("value-finite", where, "return an error instead of a value that is not a number");
  if (!signal.items.empty() && std::ranges::none_of(signal.items, [&](SignalItem const& item) {
        return static_cast<double>(item.value) == value;
      })) {
    return make("value-item", where + ", which is no item of its enumeration",
                "declare the item, or keep to those that are declared");
  }
  auto const minimum = parse_double(signal.minimum), maximum = parse_double(signal.maximum);
  if ((minimum && value < *minimum) || (maximum && value > *maximum)) {
    return make("value-range",
                fmt::format("{}, outside of its range [{}, {}]", where, signal.minimum, signal.maximum),
                "correct the declared range or the value");
  }
  return std::nullopt;
}

std::optional<double> start_value(Signal const& signal) {
  if (signal.type == "Boolean") {
    auto const value = parse_boolean(signal.start);
    return value ? std::optional(*value ? 1.0 : 0.0) : std::nullopt;
  }
  return parse_double(signal.start);
}

}  // namespace

std::vector<Finding> judge_start_values(SignalTable const& signals, std::span<const std::size_t> read,
                                        Values const& initial) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < read.size(); ++i) {
    Signal const& signal = signals[read[i]];
    auto const start = start_value(signal);
    if ((signal.causality != "parameter" && !signal.is_input()) || !start) continue;
    double const expected =
        signal.type == "Float32" ? static_cast<double>(static_cast<float>(*start)) : *start;
    if (initial[i] == expected) continue;
    findings.push_back(make("start-value-kept",
                            fmt::format("{} is {} after the initialisation; its start value is {}",
                                        signal.name, format_number(initial[i]), signal.start),
                            "write the value that the FMU has, with all of its digits, as start"));
  }
  return findings;
}

std::vector<Finding> judge_trajectory(SignalTable const& signals, std::span<const std::size_t> read,
                                      Trajectory const& trajectory) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < read.size(); ++i) {
    for (std::size_t point = 0; point < trajectory.size(); ++point) {
      if (auto finding = judge_value(signals[read[i]], trajectory[point][i], point)) {
        findings.push_back(std::move(*finding));
        break;  // one for each signal is enough to act on
      }
    }
  }
  return findings;
}

std::vector<Finding> judge_time(SignalTable const& signals, std::span<const std::size_t> read,
                                Trajectory const& trajectory, std::span<const double> times,
                                std::span<const double> own_times) {
  for (std::size_t i = 0; i < read.size(); ++i) {
    Signal const& signal = signals[read[i]];
    if (signal.causality != "independent") continue;
    for (std::size_t point = 0; point < trajectory.size(); ++point) {
      double const value = trajectory[point][i];
      auto const is = [&](double time) {
        return std::abs(value - time) <= 1e-9 * std::max(1.0, std::abs(time));
      };
      if (is(times[point]) || is(own_times[point])) continue;
      return {make("time-value",
                   fmt::format("{} is {} at the communication point {}", signal.name, format_number(value),
                               format_number(times[point])),
                   "let the independent variable be the time that the master has reached")};
    }
  }
  return {};
}

std::optional<std::string> first_difference(SignalTable const& signals, std::span<const std::size_t> read,
                                            Trajectory const& expected, Trajectory const& repeated,
                                            std::size_t first) {
  for (std::size_t point = 0; point < repeated.size(); ++point) {
    for (std::size_t i = 0; i < read.size(); ++i) {
      double const before = expected.at(point)[i], value = repeated[point][i];
      if (same_bits(before, value)) continue;
      return fmt::format("{} at communication point {} is {} and was {}", signals[read[i]].name,
                         first + point, format_number(value), format_number(before));
    }
  }
  return std::nullopt;
}

}  // namespace delassus
