// Pictures beside each other as one.
#pragma once

#include <string>
#include <vector>

namespace delassus {

// Of SVG documents whose first element has its width and height in pixels, as those that are written here do.
std::string picture_row(std::vector<std::string> const& pictures);

}  // namespace delassus
