#include "tools/package/reference_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/plot/chart.hpp"

namespace delassus {
namespace {

// More lines, or more charts, than this no eye follows.
constexpr std::size_t most_series = 4, most_charts = 4;

// In SI units: what stays below is rounding about zero, which would fill a chart with noise.
constexpr double nothing = 1e-7;

bool changes(std::vector<double> const& values) {
  return std::ranges::any_of(values, [&](double value) { return value != values.front(); }) &&
         std::ranges::any_of(values, [](double value) { return std::abs(value) > nothing; });
}

// A chart's name: what its quantities are called, as far as they agree.
std::string quantity(std::string const& name) {
  std::string const last = name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1);
  return last.substr(0, last.find('['));
}

}  // namespace

std::string draw_reference(ReferenceRun const& run) {
  std::vector<Chart> charts;
  std::map<std::string, std::size_t> chart_of_unit;
  TimeTable const& table = run.result.table;
  for (std::size_t column = 0; column < table.names.size(); ++column) {
    Signal const& signal = run.signals[column];
    if (!signal.is_output() || !signal.is_float() || signal.unit.empty() || !changes(table.columns[column]))
      continue;
    auto const [place, is_new] = chart_of_unit.try_emplace(signal.unit, charts.size());
    if (is_new)
      charts.push_back(
          {.title = quantity(signal.name), .x = {.name = "time", .unit = "s"}, .y = {.unit = signal.unit}});
    Chart& chart = charts[place->second];
    if (chart.series.size() == most_series) continue;
    if (quantity(signal.name) != chart.title && chart.title.find(quantity(signal.name)) == std::string::npos)
      chart.title += ", " + quantity(signal.name);
    chart.series.push_back({.name = signal.name, .x = table.time, .y = table.columns[column]});
  }
  std::string figures;
  for (std::size_t i = 0; i < std::min(charts.size(), most_charts); ++i)
    figures += "<figure>" + write_svg(charts[i]) + "</figure>\n";
  if (figures.empty()) return "";
  return "<h2>The default experiment</h2>\n<div class=\"figures\">\n" + figures + "</div>\n";
}

}  // namespace delassus
