// Names with wildcards.
#pragma once

#include <string_view>

namespace delassus {

// Whether `text` matches `pattern`, in which `*` stands for any characters.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace delassus
