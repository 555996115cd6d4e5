// Bytes with a seal: a magic word, a format version and a checksum before the payload. A truncated, damaged
// or foreign file is recognised before any of its content is used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace delassus {

// FNV-1a, 64 bits: it recognises content and does not protect against attackers.
constexpr std::uint64_t content_hash(std::string_view bytes, std::uint64_t seed = 0xcbf29ce484222325ULL) {
  std::uint64_t hash = seed;
  for (char const c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

// 128 bits as hexadecimal text.
std::string content_hash_text(std::string_view bytes);

struct SealKind {
  std::string_view magic;  // eight characters
  std::uint32_t version;
  std::string_view name;  // for messages
};

std::string seal(SealKind const& kind, std::string_view payload);
std::string_view unseal(SealKind const& kind,
                        std::string_view bytes);  // throws std::runtime_error with the reason

}  // namespace delassus
