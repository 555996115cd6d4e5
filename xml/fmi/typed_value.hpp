// Parses values of FMI's types, with the bounds of each type.
#pragma once

#include <optional>
#include <string_view>

namespace delassus {

// Wide enough for every float and every 64-bit integer.
using TypedNumber = long double;

// Floats, integers, Enumeration (a 64-bit integer) and Boolean (0 or 1); none if the text is not a value of
// the type.
std::optional<TypedNumber> parse_typed(std::string_view type, std::string_view text);

// A value of the type in words: "a whole number from -128 to 127".
std::string_view typed_form(std::string_view type);

bool is_hexadecimal(std::string_view text);  // FMI 3 Binary: xs:hexBinary

}  // namespace delassus
