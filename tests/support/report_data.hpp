// Reads the data back out of a report's page: the JSON in it, and packed numbers by the format's own rules.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/support/json.hpp"

namespace delassus::test {

inline std::string bytes_of_base64(std::string const& text) {
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (char const c : text) {
    int const digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) break;
    group = (group << 6) | static_cast<std::uint32_t>(digit);
    if ((bits += 6) < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((group >> bits) & 0xFF);
  }
  return bytes;
}

inline std::vector<double> unpack_numbers(std::string const& text, int bits, std::size_t count) {
  std::string const packed = bytes_of_base64(text);
  auto const width = static_cast<std::size_t>(bits / 8);
  std::string bytes(count * width + 1, '\0');
  auto size = static_cast<uLongf>(bytes.size());
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                       reinterpret_cast<Bytef const*>(packed.data()), static_cast<uLong>(packed.size())),
            Z_OK);
  EXPECT_EQ(size, count * width);
  std::vector<double> numbers;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < width; ++k)
      last += std::uint64_t{static_cast<unsigned char>(bytes[k * count + i])} << (8 * k);
    if (bits == 64) numbers.push_back(std::bit_cast<double>(last));
    if (bits == 32) numbers.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(last)));
    if (bits == 8) numbers.push_back(static_cast<std::uint8_t>(last));
  }
  return numbers;
}

inline std::vector<double> unpack_numbers(Json const& packed) {
  return unpack_numbers(packed.at("data").get<std::string>(), packed.at("bits").get<int>(),
                        packed.at("count").get<std::size_t>());
}

inline std::string json_in_page(std::string const& page) {
  std::string const mark = "<script type=\"application/json\" id=\"report-data\">";
  auto const begin = page.find(mark);
  EXPECT_NE(begin, std::string::npos);
  auto const end = page.find("</script>", begin);
  return page.substr(begin + mark.size(), end - begin - mark.size());
}

// The column of that name; fails where there is none.
inline Json const& column_of(Json const& report, std::string const& name) {
  for (auto const& column : report.at("columns")) {
    if (column.at("name").get<std::string>() == name) return column;
  }
  ADD_FAILURE() << "no column " << name;
  return report;
}

inline std::vector<double> values_of(Json const& report, std::string const& name) {
  return unpack_numbers(column_of(report, name).at("values"));
}

}  // namespace delassus::test
