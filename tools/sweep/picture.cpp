#include "tools/sweep/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "model/scene/number.hpp"
#include "tools/plot/chart.hpp"
#include "tools/plot/contour_map.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

constexpr double degree = std::numbers::pi / 180;

// With no more levels than these, an axis is one curve a level rather than the second axis of a map.
constexpr std::size_t most_curves = 6;

// Which axes of the sweep the picture has; over the others it is the mean.
struct Layout {
  std::size_t x = 0;
  std::optional<std::size_t> y;       // of a map
  std::optional<std::size_t> curves;  // one each
  bool points = false;                // of a sample
};

Layout choose(SweepTask const& task) {
  SweepPlan const& plan = task.plan();
  std::vector<std::size_t> numbers, choices, drawn;
  for (std::size_t i = 0; i < plan.axes().size(); ++i) {
    SweepAxis const& axis = plan.axes()[i];
    bool const on_grid = plan.level(0, i).has_value();
    if (axis.is_repetition() || (on_grid && axis.levels.size() < 2)) continue;
    if (!axis.is_number) {
      if (on_grid) choices.push_back(i);
    } else {
      (on_grid ? numbers : drawn).push_back(i);
    }
  }
  if (numbers.empty() && drawn.empty())
    throw CommandError(ExitCode::usage,
                       "--plot needs something to draw over: vary a number, with more than one value");
  Layout layout;
  if (numbers.empty()) {
    layout.x = drawn.front();
    layout.points = true;
    return layout;
  }
  layout.x = numbers.front();
  if (!choices.empty()) layout.curves = choices.front();
  if (numbers.size() == 1) return layout;
  auto const levels = [&](std::size_t i) { return plan.axes()[i].levels.size(); };
  std::size_t other = numbers[1];
  if (std::min(levels(layout.x), levels(other)) > most_curves) {
    layout.curves.reset();
    layout.y = other;
  } else if (!layout.curves) {
    if (levels(other) > levels(layout.x)) std::swap(other, layout.x);
    layout.curves = other;
  }
  return layout;
}

struct Gathered {
  double sum = 0, lowest = 0, highest = 0;
  std::size_t count = 0;
  void add(double value) {
    lowest = count == 0 ? value : std::min(lowest, value);
    highest = count == 0 ? value : std::max(highest, value);
    sum += value;
    ++count;
  }
  double mean() const { return sum / static_cast<double>(count); }
};

class Picture {
 public:
  Picture(SweepTask const& task, std::vector<std::optional<std::string>> const& rows, std::size_t shown)
      : task_(task), layout_(choose(task)), quantity_(task.kept().at(shown)) {
    bool const is_angle = quantity_.unit == "rad";
    for (std::size_t run = 0; run < rows.size(); ++run) {
      RowCells const cells = read_row(rows[run].value());
      auto const value = cells.is_fine() ? parse_number(cells.values.at(shown)) : std::nullopt;
      if (!value) {
        ++missing_;
        continue;
      }
      auto const values = task.plan().values(run);
      double const x = number(layout_.x, values);
      double const y = layout_.y        ? number(*layout_.y, values)
                       : layout_.curves ? static_cast<double>(*task.plan().level(run, *layout_.curves))
                                        : 0;
      gathered_[{y, x}].add(is_angle ? *value / degree : *value);
    }
    value_axis_ = {quantity_.text, is_angle ? "deg" : quantity_.unit};
    // The title has the name, and beside the scale of a map there is no room for it.
    if (layout_.y) value_axis_ = {value_axis_.unit.empty() ? "value" : value_axis_.unit, ""};
  }

  std::string svg() const { return layout_.y ? map() : chart(); }

 private:
  double number(std::size_t axis, std::vector<AxisValue> const& values) const {
    double const value = std::get<double>(values[axis].value);
    return task_.plan().axes()[axis].unit == "rad" ? value / degree : value;
  }
  ChartAxis named(std::size_t index) const {
    SweepAxis const& axis = task_.plan().axes()[index];
    return {axis.name, axis.unit == "rad" ? "deg" : axis.unit, axis.logarithmic};
  }

  std::size_t most_at_one_place() const {
    std::size_t most = 0;
    for (auto const& [place, at] : gathered_) most = std::max(most, at.count);
    return most;
  }

  std::vector<std::string> subtitles() const {
    std::string text = fmt::format("{}: {} runs", task_.subject().title(), task_.plan().runs());
    if (missing_ > 0) text += fmt::format(", {} without a value", missing_);
    if (most_at_one_place() > 1)
      text += fmt::format("; the mean of up to {} runs at each place{}", most_at_one_place(),
                          layout_.y ? "" : ", and a band from the least to the largest");
    return {text};
  }

  std::string title() const {
    std::string text = fmt::format("{} over {}", quantity_.text, task_.plan().axes()[layout_.x].name);
    if (layout_.y) text += " and " + task_.plan().axes()[*layout_.y].name;
    return text;
  }

  std::string chart() const {
    Chart chart;
    chart.title = title();
    chart.subtitles = subtitles();
    chart.x = named(layout_.x);
    chart.y = value_axis_;
    std::map<double, std::vector<std::pair<double, Gathered>>> curves;
    for (auto const& [place, at] : gathered_) curves[place.first].emplace_back(place.second, at);
    int colour = 0;
    for (auto const& [level, points] : curves) {
      ChartSeries series;
      series.colour = colour;
      if (layout_.curves) {
        SweepAxis const& axis = task_.plan().axes()[*layout_.curves];
        AxisValue const& value = axis.levels[static_cast<std::size_t>(level)];
        series.name = axis.unit == "rad"
                          ? fmt::format("{} = {:g} deg", axis.name, std::get<double>(value.value) / degree)
                          : fmt::format("{} = {} {}", axis.name, value.text, axis.unit);
      }
      ChartRegion band;
      for (auto const& [x, at] : points) {
        series.x.push_back(x);
        series.y.push_back(at.mean());
        band.x.push_back(x);
        band.y.push_back(at.highest);
      }
      for (auto point = points.rbegin(); point != points.rend(); ++point) {
        band.x.push_back(point->first);
        band.y.push_back(point->second.lowest);
      }
      band.colour = colour++;
      series.line = !layout_.points;
      if (layout_.points || points.size() <= 60) series.mark = ChartMark::dot;
      if (!layout_.points && most_at_one_place() > 1) chart.regions.push_back(std::move(band));
      chart.series.push_back(std::move(series));
    }
    return write_svg(chart);
  }

  std::string map() const {
    ContourMap map;
    map.title = title();
    map.subtitles = subtitles();
    map.x = named(layout_.x);
    map.y = named(*layout_.y);
    map.value = value_axis_;
    auto const levels = [&](std::size_t axis) {
      std::vector<double> values;
      for (auto const& level : task_.plan().axes()[axis].levels)
        values.push_back(std::get<double>(level.value) /
                         (task_.plan().axes()[axis].unit == "rad" ? degree : 1));
      std::ranges::sort(values);
      values.erase(std::unique(values.begin(), values.end()), values.end());
      return values;
    };
    map.grid.x = levels(layout_.x);
    map.grid.y = levels(*layout_.y);
    for (double const y : map.grid.y) {
      for (double const x : map.grid.x) {
        auto const found = gathered_.find({y, x});
        map.grid.values.push_back(found == gathered_.end() ? std::nan("") : found->second.mean());
      }
    }
    return write_svg(map);
  }

  SweepTask const& task_;
  Layout layout_;
  KeptQuantity const& quantity_;
  ChartAxis value_axis_;
  std::map<std::pair<double, double>, Gathered> gathered_;  // by y or curve, then by x
  std::size_t missing_ = 0;
};

}  // namespace

std::string sweep_svg(SweepTask const& task, std::vector<std::optional<std::string>> const& rows,
                      std::size_t shown) {
  return Picture(task, rows, shown).svg();
}

void check_picture(SweepTask const& task) {
  choose(task);
}

}  // namespace delassus
