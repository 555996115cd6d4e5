// Results against a reference: which columns differ, where most, and by how much.
#pragma once

#include <string>
#include <vector>

#include "tools/import/signal_table.hpp"
#include "tools/support/csv.hpp"

namespace delassus {

// In the unit of a column: what is smaller is rounding of something that is zero.
inline constexpr double smallest_scale = 1e-3;

struct Mismatch {
  std::string name;
  double time = 0;  // s, of the largest difference
  double value = 0, expected = 0;
  double allowed = 0;  // largest difference that would have passed
};

// Every column of the reference at every time of the reference. Floats may differ by `tolerance` times the
// largest magnitude of their reference column (times one where that is zero) and are interpolated between
// rows of the results; everything else must be equal. Throws UnknownSignal for a column that the results do
// not have, and CommandError for times outside of them.
std::vector<Mismatch> compare_with_reference(TimeTable const& results, TimeTable const& reference,
                                             SignalTable const& signals, double tolerance);

}  // namespace delassus
