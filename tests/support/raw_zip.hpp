// Zip archives byte by byte, with what no packer writes: the hostile and broken ones that a checker must refuse
// (PKWARE's APPNOTE 6.3.3, sections 4.3.7, 4.3.12 and 4.3.16).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace delassus {

struct RawEntry {
  std::string name, content;
  std::uint16_t flags = 0;                                   // 1: encrypted
  std::uint16_t method = 0;                                  // stored
  std::uint32_t mode = 0100644;                              // of Unix
  std::optional<std::uint32_t> claimed_size = std::nullopt;  // unpacked, in the directory
  std::optional<std::size_t> at_entry = std::nullopt;        // uses the bytes of that entry
  bool wrong_checksum = false;
};

inline std::uint32_t checksum(std::string const& bytes) {
  std::uint32_t value = 0xffffffffu;
  for (unsigned char const byte : bytes) {
    value ^= byte;
    for (int i = 0; i < 8; ++i) value = (value >> 1) ^ (0xedb88320u & (0u - (value & 1u)));
  }
  return ~value;
}

inline std::string raw_zip(std::vector<RawEntry> const& entries) {
  std::string bytes, directory;
  auto const put = [](std::string& to, std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) to += static_cast<char>((value >> (8 * i)) & 0xff);
  };
  std::vector<std::size_t> places;
  for (auto const& entry : entries) {
    std::size_t const place = entry.at_entry ? places[*entry.at_entry] : bytes.size();
    std::string const& content = entry.at_entry ? entries[*entry.at_entry].content : entry.content;
    places.push_back(place);
    std::uint32_t const sum = checksum(content) ^ (entry.wrong_checksum ? 1u : 0u);
    auto const common = [&](std::string& to) {
      put(to, entry.flags, 2);
      put(to, entry.method, 2);
      put(to, 0, 2);       // time
      put(to, 0x0021, 2);  // 1980-01-01
      put(to, sum, 4);
      put(to, content.size(), 4);
    };
    if (!entry.at_entry) {
      put(bytes, 0x04034b50, 4);
      put(bytes, 20, 2);
      common(bytes);
      put(bytes, entry.claimed_size.value_or(static_cast<std::uint32_t>(content.size())), 4);
      put(bytes, entry.name.size(), 2);
      put(bytes, 0, 2);
      bytes += entry.name + content;
    }
    put(directory, 0x02014b50, 4);
    put(directory, 20 | (3 << 8), 2);  // made on Unix
    put(directory, 20, 2);
    common(directory);
    put(directory, entry.claimed_size.value_or(static_cast<std::uint32_t>(content.size())), 4);
    put(directory, entry.name.size(), 2);
    put(directory, 0, 8);  // extra field, comment, disk, internal attributes
    put(directory, std::uint64_t{entry.mode} << 16, 4);
    put(directory, place, 4);
    directory += entry.name;
  }
  std::size_t const start = bytes.size();
  bytes += directory;
  put(bytes, 0x06054b50, 4);
  put(bytes, 0, 4);
  put(bytes, entries.size(), 2);
  put(bytes, entries.size(), 2);
  put(bytes, directory.size(), 4);
  put(bytes, start, 4);
  put(bytes, 0, 2);
  return bytes;
}

}  // namespace delassus
