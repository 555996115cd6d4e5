// Numbers as scenes and command lines write them: `1.2`, `1e-3`, and for angles also `45deg`, for their rates `90deg/s`. They do
// not depend on the locale.
#pragma once

#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include "model/scene/unit.hpp"

namespace delassus {

// What stands behind a number that is in degrees: `deg` of an angle, `deg/s` of its rate. Empty for all other units.
constexpr std::string_view degree_suffix(UnitId unit) {
  return unit == UnitId::radian                      ? "deg"
         : unit == UnitId::radian_per_second         ? "deg/s"
         : unit == UnitId::radian_per_second_squared ? "deg/s2"
                                                     : "";
}

// The unit of this name where it has degrees; otherwise one, in which numbers have no suffix.
inline UnitId unit_with_degrees(std::string_view name) {
  for (UnitId const id : {UnitId::radian, UnitId::radian_per_second, UnitId::radian_per_second_squared}) {
    if (unit(id).name == name) return id;
  }
  return UnitId::one;
}

inline std::optional<double> parse_number(std::string_view text, UnitId unit = UnitId::one) {
  std::string_view const degrees = degree_suffix(unit);
  bool const in_degrees = !degrees.empty() && text.ends_with(degrees);
  if (in_degrees) text.remove_suffix(degrees.size());
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return in_degrees ? value * (std::numbers::pi / 180) : value;
}

// The shortest text that reads back as the same double.
inline std::string format_number(double value) {
  char buffer[32];
  auto const result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

}  // namespace delassus
