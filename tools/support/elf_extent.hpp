// Whether a shared library is all there: the loader maps what the header promises, and the process ends with a bus
// error where the file ends before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace delassus {

// What is missing, in words; empty for a file that is whole, and for what is no ELF library of 64 bits. `head` is the
// begin of the file (or all of it), `size` the bytes that the file has.
std::string missing_of_elf(std::string_view head, std::uint64_t size);
std::string missing_of_elf(std::filesystem::path const& file);

}  // namespace delassus
