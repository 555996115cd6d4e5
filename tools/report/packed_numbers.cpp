#include "tools/report/packed_numbers.hpp"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace delassus {
namespace {

std::string deflate_bytes(std::string const& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  int const status =
      compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<Bytef const*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw std::runtime_error("zlib cannot pack the numbers of the report");
  packed.resize(size);
  return packed;
}

// Differences of bit patterns wrap around, as unsigned numbers do, and add up to the patterns again.
template <class Bits, class Pattern>
std::string shuffled_differences(std::span<const double> numbers, Pattern const& pattern) {
  std::size_t const count = numbers.size();
  std::string bytes(count * sizeof(Bits), '\0');
  Bits last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Bits const bits = pattern(numbers[i]);
    Bits const difference = static_cast<Bits>(bits - last);
    last = bits;
    for (std::size_t byte = 0; byte < sizeof(Bits); ++byte)
      bytes[byte * count + i] = static_cast<char>((difference >> (8 * byte)) & 0xFF);
  }
  return bytes;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = (group << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

std::string pack_numbers(std::span<const double> numbers, NumberWidth width) {
  switch (width) {
    case NumberWidth::eight_bits:
      return base64(deflate_bytes(shuffled_differences<std::uint8_t>(
          numbers, [](double number) { return static_cast<std::uint8_t>(number); })));
    case NumberWidth::single_precision:
      return base64(deflate_bytes(shuffled_differences<std::uint32_t>(numbers, [](double number) {
        return std::bit_cast<std::uint32_t>(std::isnan(number) ? std::numeric_limits<float>::quiet_NaN()
                                                               : static_cast<float>(number));
      })));
    case NumberWidth::double_precision:
      break;
  }
  return base64(deflate_bytes(shuffled_differences<std::uint64_t>(numbers, [](double number) {
    return std::bit_cast<std::uint64_t>(std::isnan(number) ? std::numeric_limits<double>::quiet_NaN()
                                                           : number);
  })));
}

}  // namespace delassus
