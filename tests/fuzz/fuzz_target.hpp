// A fuzz target: a function of bytes that must end soon and neither crash nor throw, whatever the bytes are, and the inputs to
// begin with. libFuzzer calls it in the build with DELASSUS_FUZZ; in every other build replay.cpp does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

extern "C" {
int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);
// Changes the bytes, which become at most `most`, and returns how many they are then. Of libFuzzer or of replay.cpp.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
// Of a target whose inputs a change of any byte would break, for instance because they have a checksum.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned int seed);
}

namespace delassus::fuzz {

using Seeds = std::map<std::string, std::string>;  // by name

// Of this target, made from the examples.
Seeds seeds();

inline std::string_view text_of(std::uint8_t const* data, std::size_t size) {
  return {reinterpret_cast<char const*>(data), size};
}

// What must hold for every input. A finding, in every build.
void demand_always(bool holds, char const* what);

}  // namespace delassus::fuzz
