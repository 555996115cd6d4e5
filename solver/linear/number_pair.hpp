// Two numbers at a time, as every processor that we build for works on them: for the innermost loops, over columns so
// short that an expression of Eigen's costs as much as its work. Products and sums are written with * and +.
#pragma once

#include <cstring>

namespace delassus {

using NumberPair = double __attribute__((vector_size(16)));

// From and to any address, aligned or not.
[[gnu::always_inline]] inline NumberPair load_pair(double const* x) {
  NumberPair pair;
  std::memcpy(&pair, x, sizeof pair);
  return pair;
}
[[gnu::always_inline]] inline void store_pair(NumberPair pair, double* x) {
  std::memcpy(x, &pair, sizeof pair);
}

[[gnu::always_inline]] inline double sum_of(NumberPair pair) {
  return pair[0] + pair[1];
}

}  // namespace delassus
