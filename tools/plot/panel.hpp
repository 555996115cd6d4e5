// Which series share a panel of a plot, and the panel's name, height and axis.
#pragma once

#include <string>
#include <vector>

#include "tools/plot/chart_axis.hpp"
#include "tools/plot/signal_plot.hpp"

namespace delassus {

struct PlotPanel {
  std::string unit;
  std::vector<PlotSeries const*> series;

  bool has_items() const { return !series.front()->items.empty(); }
  bool is_whole() const;      // counts: whole numbers without a unit
  std::string title() const;  // position [m]
  double height() const;      // pixels
  Axis axis() const;
};

inline constexpr double plot_legend_line = 18;  // pixels, of one name in a legend

// One panel for each unit and for each enumeration, in the order of the series. Refers to the series of
// `plot`.
std::vector<PlotPanel> group_into_panels(Plot const& plot);

}  // namespace delassus
