// Names with stars.
#pragma once

#include <string_view>

namespace delassus {

// Whether `text` is `pattern`, in which `*` stands for any letters.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace delassus
