// Escapes text for XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace delassus {

// Control characters, which neither can represent, become a replacement character.
inline std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (char const c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? "\xEF\xBF\xBD"
                                                                                  : std::string(1, c);
    }
  }
  return escaped;
}

}  // namespace delassus
