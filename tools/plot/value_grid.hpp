// A value over a grid of two coordinates, and the shapes in which it lies above a level.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace delassus {

struct ValueGrid {
  std::vector<double> x = {}, y = {};  // rising
  std::vector<double> values = {};     // x runs fastest; not finite where there is none

  double at(std::size_t i, std::size_t j) const { return values[j * x.size() + i]; }
  double& at(std::size_t i, std::size_t j) { return values[j * x.size() + i]; }
};

using Polygon = std::vector<std::array<double, 2>>;

// The parts of the grid's cells in which the value, linear along their edges, is at least `level`: whole cells
// that follow one another in a row as one polygon. Cells with a corner that has no value are left out.
std::vector<Polygon> polygons_above(ValueGrid const& grid, double level);

// The line at `level` in pieces of one cell each.
std::vector<std::array<std::array<double, 2>, 2>> level_line(ValueGrid const& grid, double level);

std::string write_csv(ValueGrid const& grid, std::string const& x, std::string const& y,
                      std::string const& value);

}  // namespace delassus
