// A hash of the bits of numbers: FNV-1a of 64 bits (Fowler, Noll, Vo). All NaNs count as one, because IEEE 754 leaves their
// sign and payload to the processor.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>

namespace delassus::test {

class BitsHash {
 public:
  void add(double x) {
    std::uint64_t const bits = x != x ? 0x7ff8000000000000U : std::bit_cast<std::uint64_t>(x);
    for (unsigned shift = 0; shift < 64; shift += 8)
      value_ = (value_ ^ ((bits >> shift) & 0xffU)) * 0x100000001b3U;
  }
  std::string text() const {
    char digits[20];
    std::snprintf(digits, sizeof digits, "%08lx%08lx", static_cast<unsigned long>(value_ >> 32U),
                  static_cast<unsigned long>(value_ & 0xffffffffU));
    return digits;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace delassus::test
