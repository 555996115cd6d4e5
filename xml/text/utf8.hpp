// Whether bytes are UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <string>
#include <string_view>

namespace delassus {

bool is_utf8(std::string_view text);

// For a terminal: bytes that are no text, which might be commands to it, as \x1b. Line breaks and tabs stay.
std::string printable_text(std::string_view text);

}  // namespace delassus
