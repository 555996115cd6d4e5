#include "tools/sweep/sample.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace delassus {

std::vector<double> random_sample(CounterRandom const& random, std::size_t count) {
  std::vector<double> sample(count);
  for (std::size_t i = 0; i < count; ++i) sample[i] = random.uniform(i);
  return sample;
}

std::vector<double> latin_sample(CounterRandom const& random, std::size_t count) {
  std::vector<std::size_t> part(count);
  std::iota(part.begin(), part.end(), std::size_t{0});
  // Fisher and Yates. The numbers after the first `count` of the stream are for the order.
  for (std::size_t i = count; i > 1; --i) {
    auto const other = static_cast<std::size_t>(random.uniform(count + i) * static_cast<double>(i));
    std::swap(part[i - 1], part[std::min(other, i - 1)]);
  }
  std::vector<double> sample(count);
  for (std::size_t i = 0; i < count; ++i)
    sample[i] = (static_cast<double>(part[i]) + random.uniform(i)) / static_cast<double>(count);
  return sample;
}

}  // namespace delassus
