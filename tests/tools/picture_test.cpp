// Charts, contour maps and cones: what is drawn is what was given.
#include <algorithm>
#include <cmath>

#include "tests/support/markup_check.hpp"
#include "tests/support/program_run.hpp"
#include "tools/plot/chart.hpp"
#include "tools/plot/cone_picture.hpp"
#include "tools/plot/contour_map.hpp"
#include "tools/plot/picture_row.hpp"

namespace delassus {
namespace {

double area(std::vector<Polygon> const& polygons) {
  double sum = 0;
  for (auto const& polygon : polygons) {
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      auto const &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
      sum += (a[0] * b[1] - b[0] * a[1]) / 2;
    }
  }
  return sum;
}

ValueGrid paraboloid(int n) {
  ValueGrid grid;
  for (int i = 0; i <= n; ++i) grid.x.push_back(-1 + 2.0 * i / n);
  grid.y = grid.x;
  grid.values.resize(grid.x.size() * grid.y.size());
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t i = 0; i < grid.x.size(); ++i)
      grid.at(i, j) = 1 - grid.x[i] * grid.x[i] - grid.y[j] * grid.y[j];
  }
  return grid;
}

TEST(ValueGrid, HasTheAreaOfACircleAboveALevelWithOrderTwo) {
  double previous = 0;
  for (int const n : {20, 40, 80}) {
    double const error = std::abs(area(polygons_above(paraboloid(n), 0.36)) - M_PI * 0.64);
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), 2, 0.3) << n;
    }
    previous = error;
  }
  EXPECT_NEAR(area(polygons_above(paraboloid(10), -5)), 4, 1e-12);
  EXPECT_EQ(area(polygons_above(paraboloid(10), 2)), 0);
}

TEST(ValueGrid, HasLevelLinesWhereTheValueIsThatOfTheLevel) {
  double length = 0;
  for (auto const& [a, b] : level_line(paraboloid(60), 0.36)) {
    EXPECT_NEAR(a[0] * a[0] + a[1] * a[1], 0.64, 2e-3);
    length += std::hypot(a[0] - b[0], a[1] - b[1]);
  }
  EXPECT_NEAR(length, 2 * M_PI * 0.8, 0.01);
}

TEST(ValueGrid, LeavesOutCellsWithoutAValue) {
  ValueGrid grid = paraboloid(10);
  grid.at(5, 5) = std::nan("");
  EXPECT_NEAR(area(polygons_above(grid, -5)), 4 - 4 * 0.04, 1e-12);
  EXPECT_CONTAINS(write_csv(grid, "x", "y", "z"), "\n0,0,\n");
}

TEST(LogAxis, HasTicksAtPowersOfTen) {
  Axis const axis = make_log_axis(2e-5, 3e-2);
  std::vector<double> ticks;
  for (auto const& tick : axis.ticks) ticks.push_back(tick.value);
  ASSERT_EQ(ticks.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(ticks[i] / std::pow(10, static_cast<double>(i) - 4), 1, 1e-12);
  EXPECT_LT(axis.minimum, 2e-5);
  EXPECT_GT(axis.maximum, 3e-2);
}

TEST(Chart, DrawsEverySeriesNamesItAndLeavesGaps) {
  Chart chart;
  chart.title = "a < b";
  chart.x = {"time", "s"};
  chart.y = {"force", "N"};
  chart.series = {{"one & two", {0, 1, 2, 3, 4}, {0, 1, std::nan(""), 1, 0}},
                  {"points", {1, 2}, {.5, .5}, false, ChartMark::dot}};
  chart.regions = {{"region", {0, 1, 1}, {0, 0, 1}, 2}};
  chart.notes = {{1, 1, "here <", 4, 4}};
  std::string const svg = write_svg(chart);
  test::expect_picture(svg, "chart");
  EXPECT_CONTAINS(svg, "one &amp; two");
  EXPECT_CONTAINS(svg, "force [N]");
  EXPECT_CONTAINS(write_csv(chart), "points,2,0.5\n");
  std::string::size_type const path =
      svg.find("class=\"line\" stroke=\"#0072b2\" d=\"M", svg.find("<svg x="));
  ASSERT_NE(path, std::string::npos);
  std::string const drawn = svg.substr(path, svg.find("\"/>", path) - path);
  EXPECT_EQ(std::ranges::count(drawn, 'M'), 2) << drawn;
  chart.series[0].x.pop_back();
  EXPECT_THROW(write_svg(chart), std::invalid_argument);
}

TEST(ContourMap, IsWellFormedForBandsAndForCounts) {
  ContourMap map;
  map.title = "map";
  map.x = {"x", "m"};
  map.y = {"y", "m"};
  map.value = {"z", ""};
  map.grid = paraboloid(20);
  test::expect_picture(write_svg(map), "bands");
  for (double& value : map.grid.values) value = value > 0 ? 1 : 3;
  map.counts = true;
  std::string const svg = write_svg(map);
  test::expect_picture(svg, "counts");
  EXPECT_CONTAINS(svg, "1 solution<");
  EXPECT_CONTAINS(svg, "3 solutions<");
}

TEST(ConePicture, ShowsWhichPartLiesBelowThePlane) {
  ConePicture picture;
  picture.title = "cone";
  picture.cones = {{"classic", Eigen::Matrix3d::Identity(), 0.5}};
  std::string const above = write_svg(picture);
  test::expect_picture(above, "classic cone");
  EXPECT_EQ(above.find("stroke-dasharray"), std::string::npos) << "a classic cone lies above the plane";
  picture.cones[0].map(2, 0) = -3;  // coupled strongly
  EXPECT_CONTAINS(write_svg(picture), "stroke-dasharray");
  std::string const row = picture_row({above, above});
  test::expect_picture(row, "row");
  EXPECT_CONTAINS(row, "<svg x=\"606\"");
}

}  // namespace
}  // namespace delassus
