// Text in parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace delassus {

// What stands between the separators, empty parts too; the whole text where there is none.
inline std::vector<std::string> split_text(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    auto const end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace delassus
