// The frame of a picture: title, legend, two axes with grid and names, and the scale from data to pixels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/plot/chart_area.hpp"

namespace delassus {

struct ChartAxis {
  std::string name = {};  // what is shown; empty: nothing is written
  std::string unit = {};  // m/s2; empty: none
  bool logarithmic = false;
  std::optional<double> minimum = {}, maximum = {};  // default: from the data
};

// A name with a sample of how it is drawn.
struct ChartLegend {
  std::string name = {};
  std::string sample = {};  // SVG of 24 by 12 pixels around (0, 0)
};

struct ChartHeading {
  std::string title = {};
  std::vector<std::string> subtitles = {};
  std::vector<ChartLegend> legend = {};
  std::string description = {};  // for readers who cannot see the picture
};

struct ChartExtent {
  double minimum = 0, maximum = 1;
  bool empty = true;
  void include(double value) {
    if (!std::isfinite(value)) return;
    minimum = empty ? value : std::fmin(minimum, value);
    maximum = empty ? value : std::fmax(maximum, value);
    empty = false;
  }
};

class ChartFrame : public ChartArea {
 public:
  // `equal`: one unit is as long upwards as sideways. `side`: room on the right, for a colour scale.
  ChartFrame(ChartHeading heading, ChartAxis x_names, ChartExtent x_extent, ChartAxis y_names,
             ChartExtent y_extent, bool equal, double side = 0);

  // The document up to the grid; what is drawn between these two is clipped to the plot.
  void open(PictureText& text) const;
  // Axes, their names, and the end of the clipped part; then notes may follow, and `end`.
  void close(PictureText& text) const;
  static void end(PictureText& text) { text.add("</svg>\n"); }

 private:
  ChartHeading heading_;
  ChartAxis x_names_, y_names_;
  Axis x_axis_, y_axis_;
  std::vector<std::pair<double, double>> legend_places_;
  double width_ = 0, height_ = 0;
};

// `angle [deg]`
std::string axis_title(ChartAxis const& axis);

}  // namespace delassus
