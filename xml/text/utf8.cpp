#include "xml/text/utf8.hpp"

#include <cstddef>

namespace delassus {

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    auto const lead = static_cast<unsigned char>(text[i]);
    std::size_t const length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : (lead & 0xf0) == 0xe0       ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    }
    // Overlong forms, surrogates, and beyond U+10FFFF.
    auto const second = length > 1 ? static_cast<unsigned char>(text[i + 1]) : 0;
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
        (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f))
      return false;
    i += length;
  }
  return true;
}

std::string printable_text(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  bool const whole = is_utf8(text);
  std::string printable;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto const byte = static_cast<unsigned char>(text[i]);
    // The second half of these controls is written in two bytes.
    bool const second_control = whole && byte == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    bool const control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f || second_control;
    if (!control && (whole || byte < 0x80)) {
      printable += text[i];
      continue;
    }
    for (std::size_t k = 0; k < (second_control ? 2U : 1U); ++k) {
      auto const shown = static_cast<unsigned char>(text[i + k]);
      printable += "\\x";
      printable += digits[shown >> 4];
      printable += digits[shown & 15];
    }
    if (second_control) ++i;
  }
  return printable;
}

}  // namespace delassus
