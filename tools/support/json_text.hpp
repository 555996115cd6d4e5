// Text and numbers as JSON writes them.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "model/scene/number.hpp"

namespace delassus {

inline std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\u{:04x}", static_cast<unsigned char>(c))
                                                   : std::string(1, c);
  }
  return quoted + '"';
}

// JSON has no NaN and no infinity.
inline std::string json_number(double value) {
  return std::isfinite(value) ? format_number(value) : "null";
}

}  // namespace delassus
