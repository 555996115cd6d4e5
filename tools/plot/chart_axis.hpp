// Where an axis starts and ends, its ticks at round numbers, and their labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace delassus {

struct AxisTick {
  double value = 0;
  std::string label;
};

struct Axis {
  double minimum = 0, maximum = 1;
  std::vector<AxisTick> ticks;
};

// An axis over [minimum, maximum] with at most about `count` steps between ticks. `rounded`: it ends at
// ticks; otherwise exactly where told.
Axis make_axis(double minimum, double maximum, int count, bool rounded);

// For whole numbers: ticks at whole numbers, and half a step of room on both sides.
Axis make_whole_axis(double minimum, double maximum, int count);

// Ticks at powers of ten (where there are few decades, at 2 and 5 times them too); both ends must be > 0.
Axis make_log_axis(double minimum, double maximum);

// m/s2 as m/s², N.m as N·m.
std::string unit_text(std::string_view unit);

}  // namespace delassus
