// Rows thinned out so that peaks stay: of each run of rows (a bucket) the smallest and the largest value are kept, in the order
// in which they came.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace delassus {

// How the rows of a table are cut: bucket k has the rows from first(k) up to first(k + 1).
struct Buckets {
  std::size_t rows = 0;
  std::size_t count = 0;  // no more than the rows

  std::size_t first(std::size_t bucket) const {
    return static_cast<std::size_t>(static_cast<double>(bucket) * static_cast<double>(rows) /
                                    static_cast<double>(count));
  }
};

// Two times for each bucket: those of its first row and of the row in its middle, of the last one of its last row.
std::vector<double> bucket_times(Buckets const& buckets, std::span<const double> time);

// Two values for each bucket. NaN is left out where there are other values.
std::vector<double> bucket_extremes(Buckets const& buckets, std::span<const double> values);

}  // namespace delassus
