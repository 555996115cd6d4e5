// What a shared library says of itself, read from its bytes without loading it: the ELF form of Linux, and of
// the others only the machine. The bytes are not trusted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

struct BinaryFile {
  std::string format;                 // ELF, PE, Mach-O
  std::string machine;                // x86_64, aarch64, x86, aarch32, unknown
  std::vector<std::string> needed;    // ELF: libraries that it needs
  std::vector<std::string> exported;  // ELF: symbols that it defines for others
};

// Nothing where the bytes are no library of these forms, or damaged.
std::optional<BinaryFile> read_binary(std::string_view bytes);

}  // namespace delassus
