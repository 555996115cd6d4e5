#include "tools/plot/chart_area.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "model/numbers/elementary.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

class PathWriter {
 public:
  void lift() { down_ = false; }
  void point(double x, double y) {
    // Far outside of the plot the exact place does not matter, and some viewers do not take large numbers.
    text_ +=
        fmt::format("{}{:.2f} {:.2f}", down_ ? "L" : "M", std::clamp(x, -2e3, 4e3), std::clamp(y, -2e3, 4e3));
    down_ = true;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  bool down_ = false;
};

using PixelPoint = std::array<double, 2>;

double distance_from(PixelPoint const& point, PixelPoint const& a, PixelPoint const& b) {
  double const dx = b[0] - a[0], dy = b[1] - a[1], px = point[0] - a[0], py = point[1] - a[1];
  double const square = dx * dx + dy * dy;
  double const share = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0;
  return elementary::hypot(px - share * dx, py - share * dy);
}

// The places of the points without which no point would be more than `unseen` away from the line (Ramer, Douglas
// and Peucker): a smooth curve needs a tenth of them.
std::vector<std::size_t> needed_points(std::vector<PixelPoint> const& points) {
  constexpr double unseen = 0.05;  // pixels
  std::vector<bool> needed(points.size(), false);
  std::vector<std::pair<std::size_t, std::size_t>> spans;
  if (!points.empty()) {
    needed.front() = needed.back() = true;
    spans.emplace_back(0, points.size() - 1);
  }
  while (!spans.empty()) {
    auto const [first, last] = spans.back();
    spans.pop_back();
    std::size_t farthest = first;
    double distance = unseen;
    for (std::size_t i = first + 1; i < last; ++i) {
      double const here = distance_from(points[i], points[first], points[last]);
      if (here > distance) {
        farthest = i;
        distance = here;
      }
    }
    if (farthest == first) continue;
    needed[farthest] = true;
    spans.emplace_back(first, farthest);
    spans.emplace_back(farthest, last);
  }
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (needed[i]) places.push_back(i);
  }
  return places;
}

// The indices in [begin, end) to draw for one pixel column, in order and without repetition.
void append_extremes(std::span<const double> values, std::size_t begin, std::size_t end,
                     std::vector<std::size_t>& indices) {
  auto const [low, high] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                               values.begin() + static_cast<std::ptrdiff_t>(end));
  std::size_t column[4] = {begin, static_cast<std::size_t>(low - values.begin()),
                           static_cast<std::size_t>(high - values.begin()), end - 1};
  std::ranges::sort(column);
  for (std::size_t const index : column) {
    if (indices.empty() || indices.back() != index) indices.push_back(index);
  }
}

std::string_view grid_class(Axis const& axis, AxisTick const& tick) {
  bool const is_zero = tick.value == 0 && tick.label == "0";
  return is_zero && axis.minimum < 0 && axis.maximum > 0 ? "zero" : "grid";
}

}  // namespace

void draw_grid(PictureText& text, ChartArea const& area, Axis const& x, Axis const& y) {
  for (auto const& tick : x.ticks)
    text.add("<path class=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", grid_class(x, tick), area.x(tick.value),
             area.top, area.bottom);
  for (auto const& tick : y.ticks)
    text.add("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", grid_class(y, tick), area.left,
             area.y(tick.value), area.right);
}

void draw_y_axis(PictureText& text, ChartArea const& area, Axis const& axis, std::string const& name) {
  text.add("<path class=\"frame\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", area.left, area.top, area.bottom,
           area.right);
  for (auto const& tick : axis.ticks)
    text.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", area.left - 7,
             area.y(tick.value) + 4, escape_markup(tick.label));
  // Above the plot and not turned by its side: it is read without turning the head.
  text.add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", area.left, area.top - 8,
           escape_markup(name));
}

void draw_x_axis(PictureText& text, ChartArea const& area, Axis const& axis, std::string const& name) {
  for (auto const& tick : axis.ticks)
    text.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
             area.x(tick.value), area.bottom + 17, escape_markup(tick.label));
  text.add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
           (area.left + area.right) / 2, area.bottom + 39, escape_markup(name));
}

std::string line_path(std::span<const double> x, std::span<const double> y, ChartArea const& area) {
  PathWriter path;
  std::vector<std::size_t> indices;
  auto const flush = [&] {
    std::vector<PixelPoint> points;
    points.reserve(indices.size());
    for (std::size_t const index : indices) points.push_back({area.x(x[index]), area.y(y[index])});
    for (std::size_t const place : needed_points(points)) path.point(points[place][0], points[place][1]);
    indices.clear();
    path.lift();
  };
  auto const is_drawn = [&](std::size_t i) {
    return std::isfinite(area.x(x[i])) && std::isfinite(area.y(y[i]));
  };
  for (std::size_t begin = 0; begin < y.size();) {
    if (!is_drawn(begin)) {
      flush();
      ++begin;
      continue;
    }
    double const column = std::floor(area.x(x[begin]));
    std::size_t end = begin + 1;
    while (end < y.size() && is_drawn(end) && std::floor(area.x(x[end])) == column) ++end;
    append_extremes(y, begin, end, indices);
    begin = end;
  }
  flush();
  return path.take();
}

std::string step_path(std::span<const double> x, std::span<const double> y, ChartArea const& area) {
  std::vector<double> corners_x, corners_y;
  double held = std::nan("");
  auto const corner = [&](std::size_t i, double value) {
    corners_x.push_back(x[i]);
    corners_y.push_back(value);
  };
  for (std::size_t i = 0; i < y.size(); ++i) {
    bool const changed = y[i] != held;
    if (changed && std::isfinite(held)) corner(i, held);
    if (changed || i + 1 == y.size()) corner(i, y[i]);
    held = y[i];
  }
  return line_path(corners_x, corners_y, area);
}

}  // namespace delassus
