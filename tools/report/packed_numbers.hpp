// Many numbers as short text that a page can carry and a browser can read: the bit patterns of doubles or floats, each less
// the one before it (a smooth signal leaves small numbers), all first bytes together, then all second ones and so on,
// deflated (zlib's format, which a browser's DecompressionStream calls `deflate`), in base64. Nothing is lost beyond the
// rounding to a float.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

enum class NumberWidth { eight_bits = 8, single_precision = 32, double_precision = 64 };

// With eight bits, numbers are whole and from 0 to 255. A NaN is one NaN, whatever its bits were.
std::string pack_numbers(std::span<const double> numbers, NumberWidth width);

std::string base64(std::string_view bytes);

}  // namespace delassus
