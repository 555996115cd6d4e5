#include "tools/plot/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

// Pixels.
constexpr double value_height = 128, item_height = 24, whole_height = 64;

bool same_items(PlotSeries const& a, PlotSeries const& b) {
  return std::ranges::equal(a.items, b.items, [](SignalItem const& one, SignalItem const& other) {
    return one.name == other.name && one.value == other.value;
  });
}

std::string unit_of(PlotSeries const& series) {
  return series.unit == "1" ? "" : series.unit;
}

bool belongs(PlotPanel const& panel, PlotSeries const& series) {
  PlotSeries const& first = *panel.series.front();
  // Counts beside coefficients say nothing; without a unit they go apart.
  return panel.unit == unit_of(series) && same_items(first, series) &&
         (!panel.unit.empty() || first.stepped == series.stepped);
}

// rod.position[2] is the quantity `position` of `rod`.
std::string without_index(std::string name) {
  if (name.ends_with(']')) name.resize(name.rfind('['));
  return name;
}
std::string quantity_of(std::string const& name) {
  std::string const plain = without_index(name);
  return plain.substr(plain.rfind('.') + 1);
}
std::string owner_of(std::string const& name) {
  std::string const plain = without_index(name);
  auto const dot = plain.rfind('.');
  return dot == std::string::npos ? "" : plain.substr(0, dot);
}

Axis item_axis(std::vector<SignalItem> const& items) {
  Axis axis{static_cast<double>(items.front().value), static_cast<double>(items.front().value), {}};
  for (auto const& item : items) {
    auto const value = static_cast<double>(item.value);
    axis.ticks.push_back({value, item.name});
    axis.minimum = std::min(axis.minimum, value);
    axis.maximum = std::max(axis.maximum, value);
  }
  axis.minimum -= 0.5;
  axis.maximum += 0.5;
  return axis;
}

}  // namespace

bool PlotPanel::is_whole() const {
  return unit.empty() && !has_items() && std::ranges::all_of(series, [](PlotSeries const* one) {
           return one->stepped &&
                  std::ranges::all_of(one->values, [](double value) { return value == std::floor(value); });
         });
}

std::string PlotPanel::title() const {
  std::vector<std::string> quantities;
  std::string const owner = owner_of(series.front()->name);
  bool one_owner = !owner.empty();
  for (auto const* const one : series) {
    std::string const name = quantity_of(one->name);
    if (std::ranges::find(quantities, name) == quantities.end()) quantities.push_back(name);
    one_owner = one_owner && owner_of(one->name) == owner;
  }
  // energy.kinetic, energy.potential and energy.total are `energy`.
  if (one_owner && quantities.size() > 2) quantities = {owner};
  if (quantities.size() > 3) quantities = {quantities[0], quantities[1], "\u2026"};
  std::string text = fmt::format("{}", fmt::join(quantities, ", "));
  std::ranges::replace(text, '_', ' ');
  return unit.empty() ? text : text + " [" + unit_text(unit) + "]";
}

double PlotPanel::height() const {
  double const legend = plot_legend_line * static_cast<double>(series.size());
  double const lines = has_items()  ? item_height * static_cast<double>(series.front()->items.size())
                       : is_whole() ? whole_height
                                    : value_height;
  return std::max(legend, lines);
}

Axis PlotPanel::axis() const {
  if (has_items()) return item_axis(series.front()->items);
  double low = INFINITY, high = -INFINITY;
  for (auto const* const one : series) {
    for (double const value : one->values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(low <= high)) return make_axis(0, 1, 5, true);
  return is_whole() ? make_whole_axis(low, high, 4) : make_axis(low, high, 5, true);
}

std::vector<PlotPanel> group_into_panels(Plot const& plot) {
  std::vector<PlotPanel> panels;
  for (auto const& series : plot.series) {
    auto const panel =
        std::ranges::find_if(panels, [&](PlotPanel const& candidate) { return belongs(candidate, series); });
    if (panel == panels.end()) {
      panels.push_back({unit_of(series), {&series}});
    } else {
      panel->series.push_back(&series);
    }
  }
  return panels;
}

}  // namespace delassus
