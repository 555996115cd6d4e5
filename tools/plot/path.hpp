// A series as the path of an SVG, no finer than its pixels.
#pragma once

#include <span>
#include <string>

namespace delassus {

// From data to pixels; y grows downwards in SVG.
struct PlotScale {
  double left = 0, right = 1, top = 0, bottom = 1;  // pixels
  double time_minimum = 0, time_maximum = 1, value_minimum = 0, value_maximum = 1;

  double x(double time) const {
    return left + (time - time_minimum) / (time_maximum - time_minimum) * (right - left);
  }
  double y(double value) const {
    return bottom - (value - value_minimum) / (value_maximum - value_minimum) * (bottom - top);
  }
};

// Straight lines between the points. Where several fall into one pixel column, the first, lowest, highest and
// last stand for all of them: peaks stay. Values that are not finite leave a gap.
std::string line_path(std::span<const double> time, std::span<const double> values, PlotScale const& scale);

// Each value holds until the next time; a point is written where the value changes.
std::string step_path(std::span<const double> time, std::span<const double> values, PlotScale const& scale);

}  // namespace delassus
