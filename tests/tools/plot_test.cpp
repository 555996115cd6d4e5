#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <regex>
#include <string>

#include "tools/plot/chart_area.hpp"
#include "tools/plot/signal_plot.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

Plot make_plot(std::size_t points) {
  Plot plot;
  plot.title = "rod & <wall>";
  plot.subtitles = {"stepper relaxed"};
  PlotSeries position{"rod.position[1]", "m", {}, false, {}}, height{"rod.position[2]", "m", {}, false, {}};
  PlotSeries force{"tip.force[1]", "N", {}, false, {}};
  PlotSeries mode{"tip.mode", "", {}, true, {{"detached", 1}, {"stick", 2}, {"slip", 3}}};
  PlotSeries count{"tip.solutions", "1", {}, true, {}};
  for (std::size_t i = 0; i < points; ++i) {
    double const t = static_cast<double>(i) / static_cast<double>(points);
    plot.time.push_back(t);
    position.values.push_back(std::sin(t));
    height.values.push_back(std::cos(t));
    force.values.push_back(i == points / 2 ? 1000 : 10);
    mode.values.push_back(t < 0.5 ? 1 : 3);
    count.values.push_back(1);
  }
  plot.series = {position, height, force, mode, count};
  return plot;
}

TEST(Plot, IsWellFormedAndShowsEverySeriesUnitAndItem) {
  std::string const svg = write_svg(make_plot(100));
  TreeLimits limits;
  limits.text_allowed = true;
  EXPECT_EQ(read_tree(svg, limits).name, "svg");
  for (char const* const text :
       {">rod.position[1]<", ">rod.position[2]<", ">tip.force[1]<", ">tip.mode<", ">tip.solutions<", "[m]",
        "[N]", ">detached<", ">stick<", ">slip<", "time [s]", "rod &amp; &lt;wall&gt;"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plot, StaysSmallAndKeepsThePeakOfALongSeries) {
  std::string const small = write_svg(make_plot(1000)), large = write_svg(make_plot(300'000));
  EXPECT_LT(large.size(), 200'000u);
  EXPECT_LT(small.size(), large.size());
  // The single point at 1000 N: the axis reaches it and a line goes up to the top of its panel.
  std::vector<double> time, values;
  for (int i = 0; i < 300'000; ++i) {
    time.push_back(i);
    values.push_back(i == 123'456 ? 1 : 0);
  }
  ChartArea const scale{0, 600, 0, 100, 0, 300'000, 0, 1};
  EXPECT_NE(line_path(time, values, scale).find(" 0.00"), std::string::npos);
  // Likewise where a value holds until the next one.
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i == 123'456 ? 1 : i % 2 == 0 ? 0.25 : 0.5;
  std::string const steps = step_path(time, values, scale);
  EXPECT_NE(steps.find(" 0.00"), std::string::npos);
  EXPECT_LT(steps.size(), 50'000u);
}

// Points within a twentieth of a pixel on the line between others are left out: the line goes by them no farther than that.
TEST(Plot, LeavesOutPointsThatNobodySees) {
  std::vector<double> time, straight, wave;
  for (int i = 0; i <= 1000; ++i) {
    time.push_back(i);
    straight.push_back(0.25 * i);
    wave.push_back(std::sin(i * 0.02));
  }
  ChartArea const area{0, 600, 0, 100, 0, 1000, -1, 1};
  EXPECT_EQ(line_path(time, straight, {0, 600, 0, 100, 0, 1000, 0, 250}), "M0.00 100.00L600.00 0.00");
  std::string const path = line_path(time, wave, area);
  EXPECT_LT(path.size(), 4000u);
  std::vector<std::array<double, 2>> drawn;
  std::regex const number(R"([ML](-?[\d.]+) (-?[\d.]+))");
  for (std::sregex_iterator match(path.begin(), path.end(), number), end; match != end; ++match)
    drawn.push_back({std::stod((*match)[1]), std::stod((*match)[2])});
  double farthest = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    double const x = area.x(time[i]);
    std::size_t k = 1;
    while (k + 1 < drawn.size() && drawn[k][0] < x) ++k;
    double const share = (x - drawn[k - 1][0]) / (drawn[k][0] - drawn[k - 1][0]);
    double const y = drawn[k - 1][1] + share * (drawn[k][1] - drawn[k - 1][1]);
    // The path is at most as far from the point sideways as upwards, divided by its steepness: here 2.
    farthest = std::max(farthest, std::abs(y - area.y(wave[i])));
  }
  EXPECT_LT(farthest, 0.1);
}

TEST(Plot, LeavesAGapWhereAValueIsNotFinite) {
  std::vector<double> const time{0, 1, 2, 3, 4}, values{1, 1, std::nan(""), 1, 1};
  std::string const path = line_path(time, values, {0, 400, 0, 100, 0, 4, 0, 1});
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
}

TEST(Plot, DrawsAModeAsAStepAndNotAsASlope) {
  std::vector<double> const time{0, 1, 2, 3}, values{1, 1, 3, 3};
  EXPECT_EQ(step_path(time, values, {0, 300, 0, 100, 0, 3, 0, 4}),
            "M0.00 75.00L200.00 75.00L200.00 25.00L300.00 25.00");
}

TEST(Plot, CanBeDrawnOfConstantsOfOnePointAndOfNothing) {
  for (std::size_t const points : {0u, 1u, 2u}) {
    std::string const svg = write_svg(make_plot(points));
    EXPECT_EQ(svg.find("nan"), std::string::npos) << points;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << points;
  }
  EXPECT_THROW(write_svg({"t", {}, {0, 1}, {{"x", "m", {0}, false, {}}}}), std::invalid_argument);
}

TEST(Axis, HasRoundTicksThatCoverTheRange) {
  Axis const axis = make_axis(-0.13, 0.87, 5, true);
  ASSERT_GE(axis.ticks.size(), 3u);
  EXPECT_LE(axis.minimum, -0.13);
  EXPECT_GE(axis.maximum, 0.87);
  EXPECT_EQ(axis.ticks.front().label, "\u22120.2");
  EXPECT_EQ(axis.ticks[1].label, "0");
}

TEST(Axis, LabelsVeryLargeAndVerySmallNumbersByExponent) {
  EXPECT_EQ(make_axis(0, 3e6, 3, true).ticks.back().label, "3e6");
  EXPECT_EQ(make_axis(0, 2e-5, 2, true).ticks.back().label, "2e\u22125");
}

TEST(Axis, GivesAConstantRoomInsteadOfMagnifiedRounding) {
  Axis const axis = make_axis(1, 1 + 1e-15, 4, true);
  EXPECT_LE(axis.minimum, 0.5);
  EXPECT_GE(axis.maximum, 1.5);
}

}  // namespace
}  // namespace delassus
