#include "tools/plot/value_grid.hpp"

#include "model/scene/number.hpp"
#include "tools/support/csv.hpp"

namespace delassus {
namespace {

struct Corner {
  double x = 0, y = 0, value = 0;
};

std::array<Corner, 4> corners(ValueGrid const& grid, std::size_t i, std::size_t j) {
  auto const corner = [&](std::size_t k, std::size_t l) {
    return Corner{grid.x[k], grid.y[l], grid.at(k, l)};
  };
  return {corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)};
}

std::array<double, 2> crossing(Corner const& a, Corner const& b, double level) {
  double const share = (level - a.value) / (b.value - a.value);
  return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

// What follows along the rim of the cell: corners above, and the places where the value passes the level.
template <class Above, class Crossing>
void walk(std::array<Corner, 4> const& cell, double level, Above const& above, Crossing const& crossed) {
  for (std::size_t k = 0; k < 4; ++k) {
    Corner const &a = cell[k], &b = cell[(k + 1) % 4];
    if (a.value >= level) above(a);
    if ((a.value >= level) != (b.value >= level)) crossed(crossing(a, b, level));
  }
}

bool has_values(std::array<Corner, 4> const& cell) {
  for (auto const& corner : cell) {
    if (!std::isfinite(corner.value)) return false;
  }
  return true;
}

}  // namespace

std::vector<Polygon> polygons_above(ValueGrid const& grid, double level) {
  std::vector<Polygon> polygons;
  for (std::size_t j = 0; j + 1 < grid.y.size(); ++j) {
    std::size_t run = 0;  // whole cells before the present one
    auto const end_run = [&](std::size_t i) {
      if (run > 0)
        polygons.push_back({{grid.x[i - run], grid.y[j]},
                            {grid.x[i], grid.y[j]},
                            {grid.x[i], grid.y[j + 1]},
                            {grid.x[i - run], grid.y[j + 1]}});
      run = 0;
    };
    for (std::size_t i = 0; i + 1 < grid.x.size(); ++i) {
      auto const cell = corners(grid, i, j);
      std::size_t above = 0;
      for (auto const& corner : cell) above += corner.value >= level ? 1 : 0;
      if (!has_values(cell) || above == 0) {
        end_run(i);
      } else if (above == 4) {
        ++run;
      } else {
        end_run(i);
        Polygon polygon;
        walk(
            cell, level,
            [&](Corner const& corner) {
              polygon.push_back({corner.x, corner.y});
            },
            [&](std::array<double, 2> const& point) { polygon.push_back(point); });
        polygons.push_back(std::move(polygon));
      }
    }
    end_run(grid.x.size() - 1);
  }
  return polygons;
}

std::vector<std::array<std::array<double, 2>, 2>> level_line(ValueGrid const& grid, double level) {
  std::vector<std::array<std::array<double, 2>, 2>> pieces;
  for (std::size_t j = 0; j + 1 < grid.y.size(); ++j) {
    for (std::size_t i = 0; i + 1 < grid.x.size(); ++i) {
      auto const cell = corners(grid, i, j);
      if (!has_values(cell)) continue;
      Polygon points;
      walk(
          cell, level, [](Corner const&) {},
          [&](std::array<double, 2> const& point) { points.push_back(point); });
      for (std::size_t k = 0; k + 1 < points.size(); k += 2) pieces.push_back({points[k], points[k + 1]});
    }
  }
  return pieces;
}

std::string write_csv(ValueGrid const& grid, std::string const& x, std::string const& y,
                      std::string const& value) {
  std::string text = csv_text(x) + "," + csv_text(y) + "," + csv_text(value) + "\n";
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t i = 0; i < grid.x.size(); ++i) {
      text += format_number(grid.x[i]) + "," + format_number(grid.y[j]) + ",";
      // An empty cell, and not a word that spreadsheets do not read, where there is no value.
      if (std::isfinite(grid.at(i, j))) text += format_number(grid.at(i, j));
      text += "\n";
    }
  }
  return text;
}

}  // namespace delassus
