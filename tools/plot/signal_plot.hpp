// Time series as a static SVG: panels above each other that share the time axis, one for each unit and
// enumeration.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/import/signal_table.hpp"

namespace delassus {

struct PlotSeries {
  std::string name;  // rod.position[2]
  std::string unit;  // m/s2; empty or "1": none
  std::vector<double> values;
  bool stepped = false;           // holds its value until the next one: whole numbers, modes, inputs
  std::vector<SignalItem> items;  // of an enumeration: its ticks are these names
};

struct Plot {
  std::string title;
  std::vector<std::string> subtitles;  // lines below the title
  std::vector<double> time;            // s
  std::vector<PlotSeries> series;
};

// Text, lines and one embedded style; no scripts, no outside references. Throws std::invalid_argument where a
// series is not as long as the time.
std::string write_svg(Plot const& plot);

}  // namespace delassus
