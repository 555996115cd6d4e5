// Whether bytes are UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <string_view>

namespace delassus {

bool is_utf8(std::string_view text);

}  // namespace delassus
