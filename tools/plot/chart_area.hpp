// The rectangle that data is drawn into: its scales, its grid and axes, and series as paths no finer than its pixels.
#pragma once

#include <cmath>
#include <span>
#include <string>

#include "model/numbers/elementary.hpp"
#include "tools/plot/chart_axis.hpp"
#include "tools/plot/picture_style.hpp"

namespace delassus {

// From data to pixels; y grows downwards in SVG.
struct ChartArea {
  double left = 0, right = 1, top = 0, bottom = 1;                    // pixels
  double x_minimum = 0, x_maximum = 1, y_minimum = 0, y_maximum = 1;  // data
  bool x_logarithmic = false, y_logarithmic = false;

  double x(double value) const {
    return left + share(value, x_minimum, x_maximum, x_logarithmic) * (right - left);
  }
  double y(double value) const {
    return bottom - share(value, y_minimum, y_maximum, y_logarithmic) * (bottom - top);
  }

 private:
  static double share(double value, double minimum, double maximum, bool logarithmic) {
    return logarithmic ? elementary::log(value / minimum) / elementary::log(maximum / minimum)
                       : (value - minimum) / (maximum - minimum);
  }
};

// A line for each tick.
void draw_grid(PictureText& text, ChartArea const& area, Axis const& x, Axis const& y);

// The two lines of the axes, the labels of their ticks, and their names.
void draw_y_axis(PictureText& text, ChartArea const& area, Axis const& axis, std::string const& name);
void draw_x_axis(PictureText& text, ChartArea const& area, Axis const& axis, std::string const& name);

// Straight lines between the points. Where several that follow each other fall into one pixel column, the first, lowest,
// highest and last stand for all of them: peaks stay. Points that lie within a twentieth of a pixel on the line between others
// are left out. What is not finite leaves a gap.
std::string line_path(std::span<const double> x, std::span<const double> y, ChartArea const& area);

// Each value holds until the next one; where it changes, two corners are drawn.
std::string step_path(std::span<const double> x, std::span<const double> y, ChartArea const& area);

}  // namespace delassus
