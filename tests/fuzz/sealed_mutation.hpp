// Changes of bytes with a seal (fmu/content/sealed_bytes.hpp) that mend its size and checksum, so that what reads the content sees
// them: numbers become others, vectors longer and shorter.
#pragma once

#include <cstddef>
#include <cstdint>

namespace delassus::fuzz {

// The sealed bytes begin behind the first `before` ones. As LLVMFuzzerCustomMutator.
std::size_t mutate_sealed(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                          std::size_t before);

}  // namespace delassus::fuzz
