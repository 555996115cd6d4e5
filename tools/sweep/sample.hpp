// Samples of the unit interval for one axis of a sweep.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/support/counter_random.hpp"

namespace delassus {

// Independent draws, each in (0, 1).
std::vector<double> random_sample(CounterRandom const& random, std::size_t count);

// A Latin hypercube's column: each of the `count` equal parts of (0, 1) has exactly one draw, at a random place within
// it; the parts are in random order. Columns of different streams make the hypercube. (McKay, Beckman and Conover, 1979.)
std::vector<double> latin_sample(CounterRandom const& random, std::size_t count);

}  // namespace delassus
