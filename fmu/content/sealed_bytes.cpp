#include "fmu/content/sealed_bytes.hpp"

#include <stdexcept>

namespace delassus {
namespace {

constexpr std::size_t magic_size = 8;
constexpr std::size_t header_size = magic_size + 4 + 8 + 8;  // magic, version, payload size, checksum

// Little-endian on every machine.
void append(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
}

std::uint64_t take(std::string_view in, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(in[at + static_cast<std::size_t>(i)]))
             << (8 * i);
  return value;
}

}  // namespace

std::string content_hash_text(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::uint64_t const parts[]{content_hash(bytes), content_hash(bytes, 0x9e3779b97f4a7c15ULL)};
  std::string text;
  for (std::uint64_t const part : parts) {
    for (int shift = 60; shift >= 0; shift -= 4) text.push_back(digits[(part >> shift) & 0xf]);
  }
  return text;
}

std::string seal(SealKind const& kind, std::string_view payload) {
  std::string bytes(kind.magic);
  append(bytes, kind.version, 4);
  append(bytes, payload.size(), 8);
  append(bytes, content_hash(payload), 8);
  bytes.append(payload);
  return bytes;
}

std::string_view unseal(SealKind const& kind, std::string_view bytes) {
  std::string const name(kind.name);
  if (bytes.size() < header_size || bytes.substr(0, magic_size) != kind.magic) {
    throw std::runtime_error("these " + std::to_string(bytes.size()) + " bytes are not a valid " + name);
  }
  std::uint64_t const version = take(bytes, magic_size, 4);
  if (version != kind.version) {
    throw std::runtime_error("the " + name + " has format version " + std::to_string(version) +
                             ", this binary reads version " + std::to_string(kind.version));
  }
  std::string_view const payload = bytes.substr(header_size);
  std::uint64_t const size = take(bytes, magic_size + 4, 8);
  if (payload.size() != size) {
    throw std::runtime_error("the " + name + " is truncated: it has " + std::to_string(payload.size()) +
                             " of " + std::to_string(size) + " bytes");
  }
  if (content_hash(payload) != take(bytes, magic_size + 12, 8))
    throw std::runtime_error("the " + name + " is damaged: its checksum is wrong");
  return payload;
}

}  // namespace delassus
