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

// How values of a unit are shown: as factor value + offset.
struct ShownIn {
  std::string unit;
  double factor = 1, offset = 0;
  double operator()(double value) const { return factor * value + offset; }
};

// As the variable of this name is shown; of an expression as all variables of its unit are, where they agree. Angles of
// which nothing is known are in degrees.
ShownIn shown_in(SweepTask const& task, std::string const& unit, std::string const& name) {
  if (unit.empty()) return {};
  std::optional<ShownIn> common;
  bool agree = true;
  for (auto const& part : task.subject().parts()) {
    std::string const prefix = part.prefix.empty() ? "" : part.prefix + ".";
    for (auto const& signal : part.signals.signals()) {
      if (signal.unit != unit) continue;
      ShownIn const own = signal.display_unit.empty()
                              ? ShownIn{.unit = unit}
                              : ShownIn{signal.display_unit, signal.display_factor, signal.display_offset};
      if (prefix + signal.name == name && !signal.display_unit.empty()) return own;
      agree = agree && (!common || (common->unit == own.unit && common->factor == own.factor));
      if (!common) common = own;
    }
  }
  if (common && agree && common->unit != unit && common->offset == 0) return *common;
  if (unit == "rad") return {.unit = "deg", .factor = 180 / std::numbers::pi};
  return {.unit = unit};
}

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
    ShownIn const shown_value = shown_in(task, quantity_.unit, quantity_.text);
    for (auto const& axis : task.plan().axes()) axes_.push_back(shown_in(task, axis.unit, axis.name));
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
      gathered_[{y, x}].add(shown_value(*value));
    }
    value_axis_ = {quantity_.text, shown_value.unit};
    // The title has the name, and beside the scale of a map there is no room for it.
    if (layout_.y) value_axis_ = {value_axis_.unit.empty() ? "value" : value_axis_.unit, ""};
  }

  std::string svg() const { return layout_.y ? map() : chart(); }

 private:
  double number(std::size_t axis, std::vector<AxisValue> const& values) const {
    return axes_[axis](std::get<double>(values[axis].value));
  }
  ChartAxis named(std::size_t index) const {
    SweepAxis const& axis = task_.plan().axes()[index];
    return {axis.name, axes_[index].unit, axis.logarithmic};
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
        ShownIn const& shown = axes_[*layout_.curves];
        series.name = shown.unit == axis.unit ? fmt::format("{} = {} {}", axis.name, value.text, axis.unit)
                                              : fmt::format("{} = {:g} {}", axis.name,
                                                            shown(std::get<double>(value.value)), shown.unit);
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
        values.push_back(axes_[axis](std::get<double>(level.value)));
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
  std::vector<ShownIn> axes_;
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
