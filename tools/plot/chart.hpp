// Curves, points and regions over two axes as a static SVG.
#pragma once

#include <string>
#include <vector>

#include "tools/plot/chart_frame.hpp"

namespace delassus {

enum class ChartMark { none, dot, ring, cross };

struct ChartSeries {
  std::string name = {};               // in the legend; empty: not there
  std::vector<double> x = {}, y = {};  // a value that is not finite leaves a gap
  bool line = true;
  ChartMark mark = ChartMark::none;
  bool dashed = false;
  int colour = -1;  // place in picture_colours; -1: the next one, -2: that of text
};

// A filled polygon.
struct ChartRegion {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  int colour = 0;
};

struct ChartNote {
  double x = 0, y = 0;
  std::string text = {};
  double right = 8, down = -8;  // pixels from there
  bool ends_there = false;      // it stands to the left of the point
};

void draw_notes(PictureText& text, ChartArea const& area, std::vector<ChartNote> const& notes);

struct Chart {
  std::string title = {};
  std::vector<std::string> subtitles = {};
  ChartAxis x = {}, y = {};
  bool equal = false;  // one unit is as long upwards as sideways
  std::vector<ChartRegion> regions = {};
  std::vector<ChartSeries> series = {};
  std::vector<ChartNote> notes = {};
};

// Text, lines and one embedded style; no scripts, no outside references. Throws std::invalid_argument where x and
// y of a series do not belong together.
std::string write_svg(Chart const& chart);

// What the chart shows as a table: x and y of each series one below the other, with its name.
std::string write_csv(Chart const& chart);

}  // namespace delassus
