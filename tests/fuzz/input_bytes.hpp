// The bytes of a fuzzed input, taken off one by one as numbers and choices; zeros behind their end.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace delassus::fuzz {

class InputBytes {
 public:
  explicit InputBytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

  unsigned byte() {
    if (bytes_.empty()) return 0;
    unsigned const value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  unsigned below(unsigned limit) { return byte() % limit; }
  bool flag() { return (byte() & 1U) != 0; }
  unsigned word() {
    unsigned const low = byte();
    return low | (byte() << 8U);
  }
  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }

  // Mostly plausible, sometimes what arithmetic does not survive, sometimes any 64 bits.
  double real() {
    using Limits = std::numeric_limits<double>;
    constexpr double special[]{0,
                               -0.0,
                               1,
                               -1,
                               1e-3,
                               1e9,
                               1e300,
                               -1e300,
                               1e-300,
                               Limits::denorm_min(),
                               Limits::max(),
                               Limits::infinity(),
                               -Limits::infinity(),
                               Limits::quiet_NaN()};
    unsigned const kind = byte();
    if (kind < std::size(special)) return special[kind];
    if (kind < 24) return std::bit_cast<double>(number(8));
    return (kind - 128.0) / 32;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace delassus::fuzz
