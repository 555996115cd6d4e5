// Numbers as scenes and command lines write them: `1.2`, `1e-3`, and for angles also `45deg`. They do
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

inline std::optional<double> parse_number(std::string_view text, UnitId unit = UnitId::one) {
  constexpr std::string_view degrees = "deg";
  bool const in_degrees = unit == UnitId::radian && text.ends_with(degrees);
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
