// Random numbers by their place: the n-th number of a stream is a function of the stream's key and n, with no state
// in between. Any worker can draw the numbers of any run, and gets the same ones. (The distributions of the standard
// library differ from one implementation to the next.)
#pragma once

#include <cstdint>
#include <string_view>

#include "fmu/content/sealed_bytes.hpp"

namespace delassus {

// Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators": SplitMix64.
class CounterRandom {
 public:
  // Streams of different names are independent, so that one axis more does not change what the others draw.
  explicit constexpr CounterRandom(std::uint64_t key) : key_(key) {}
  CounterRandom(std::uint64_t seed, std::uint64_t repetition, std::string_view name)
      : key_(mix(mix(mix(seed) + repetition) + content_hash(name))) {}

  std::uint64_t bits(std::uint64_t place) const { return mix(key_ + (place + 1) * 0x9e3779b97f4a7c15ULL); }

  // In (0, 1): neither end is ever drawn, so that logarithms and inverse distributions are finite.
  double uniform(std::uint64_t place) const {
    return (static_cast<double>(bits(place) >> 12) + 0.5) * 0x1p-52;
  }

 private:
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t key_;
};

}  // namespace delassus
