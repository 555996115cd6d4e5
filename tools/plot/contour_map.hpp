// A value over two coordinates as bands of colour between levels, with marked places.
#pragma once

#include <string>
#include <vector>

#include "tools/plot/chart.hpp"
#include "tools/plot/value_grid.hpp"

namespace delassus {

struct ContourMap {
  std::string title = {};
  std::vector<std::string> subtitles = {};
  ChartAxis x = {}, y = {}, value = {};
  ValueGrid grid = {};
  std::vector<double> levels = {};  // rising; empty: round numbers between the least and the largest value
  bool counts = false;              // whole numbers: one cell a grid point, one colour a number
  std::vector<std::string> names = {};   // of the numbers 0, 1, ...; empty: "3 solutions"
  std::vector<ChartSeries> series = {};  // lines and marks over the bands
  std::vector<ChartNote> notes = {};
};

std::string write_svg(ContourMap const& map);
std::string write_csv(ContourMap const& map);

}  // namespace delassus
