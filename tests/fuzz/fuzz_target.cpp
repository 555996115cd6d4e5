#include "tests/fuzz/fuzz_target.hpp"

#include <cstdio>
#include <cstdlib>

namespace delassus::fuzz {

void demand_always(bool holds, char const* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace delassus::fuzz
