#include "tools/report/decimation.hpp"

#include <cmath>

namespace delassus {

std::vector<double> bucket_times(Buckets const& buckets, std::span<const double> time) {
  std::vector<double> kept;
  kept.reserve(2 * buckets.count);
  for (std::size_t k = 0; k < buckets.count; ++k) {
    std::size_t const begin = buckets.first(k), end = buckets.first(k + 1);
    kept.push_back(time[begin]);
    kept.push_back(time[begin + (end - begin) / 2]);
  }
  if (!kept.empty()) kept.back() = time.back();
  return kept;
}

std::vector<double> bucket_extremes(Buckets const& buckets, std::span<const double> values) {
  std::vector<double> kept;
  kept.reserve(2 * buckets.count);
  for (std::size_t k = 0; k < buckets.count; ++k) {
    std::size_t const begin = buckets.first(k), end = buckets.first(k + 1);
    std::size_t low = begin, high = begin;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (values[i] < values[low] || std::isnan(values[low])) low = i;
      if (values[i] > values[high] || std::isnan(values[high])) high = i;
    }
    kept.push_back(values[low < high ? low : high]);
    kept.push_back(values[low < high ? high : low]);
  }
  return kept;
}

}  // namespace delassus
