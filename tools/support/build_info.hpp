// What the build knows: made from build_info.cpp.in by CMake.
#pragma once

#include <string_view>

namespace delassus {

extern char const* const program_version;
extern std::string_view const license_text;  // the LICENSE file of the project

}  // namespace delassus
