#include "tools/plot/contour_map.hpp"

#include <algorithm>
#include <set>

#include "model/scene/number.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// From dark blue through green to yellow: lightness rises evenly, so that the order is seen in grey print and by
// every eye (after viridis).
std::string band_colour(double share) {
  constexpr std::array<std::array<double, 3>, 6> stops{
      {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {253, 231, 37}}};
  double const place = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  auto const k = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  double const between = place - static_cast<double>(k);
  std::array<int, 3> rgb{};
  for (std::size_t i = 0; i < 3; ++i)
    rgb[i] = static_cast<int>(std::lround(stops[k][i] + between * (stops[k + 1][i] - stops[k][i])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::string count_colour(double count) {
  if (count == 0) return "#d55e00";
  if (count == 1) return "#b9d7ea";
  return std::string(picture_colours[static_cast<std::size_t>(count) % picture_colours.size()]);
}

// Each grid point stands for the rectangle around it.
double edge(std::vector<double> const& at, std::size_t i) {
  if (at.size() < 2) return at.front() + (i == 0 ? -0.5 : 0.5);
  if (i == 0) return at[0] - (at[1] - at[0]) / 2;
  if (i == at.size()) return at[i - 1] + (at[i - 1] - at[i - 2]) / 2;
  return (at[i - 1] + at[i]) / 2;
}

void draw_counts(ContourMap const& map, ChartFrame const& frame, PictureText& text) {
  ValueGrid const& grid = map.grid;
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t i = 0; i < grid.x.size();) {
      std::size_t end = i + 1;
      while (end < grid.x.size() && grid.at(end, j) == grid.at(i, j)) ++end;
      if (std::isfinite(grid.at(i, j))) {
        // On whole pixels, so that no seams show.
        double const left = std::round(frame.x(edge(grid.x, i))),
                     right = std::round(frame.x(edge(grid.x, end)));
        double const top = std::round(frame.y(edge(grid.y, j + 1))),
                     bottom = std::round(frame.y(edge(grid.y, j)));
        text.add(
            "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"{}\" "
            "shape-rendering=\"crispEdges\"/>\n",
            left, top, right - left, bottom - top, count_colour(grid.at(i, j)));
      }
      i = end;
    }
  }
}

void draw_bands(ContourMap const& map, std::vector<double> const& levels, ChartFrame const& frame,
                PictureText& text) {
  auto const colour = [&](std::size_t k) {
    return band_colour(levels.size() < 2 ? 0.5
                                         : static_cast<double>(k) / static_cast<double>(levels.size() - 1));
  };
  for (std::size_t k = 0; k < levels.size(); ++k) {
    std::string path;
    // Each band covers those above it too; the next one is painted over it, so that no seams show.
    for (auto const& polygon : polygons_above(map.grid, k == 0 ? -1e300 : levels[k])) {
      for (std::size_t i = 0; i < polygon.size(); ++i)
        path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", frame.x(polygon[i][0]),
                            frame.y(polygon[i][1]));
      path += "Z";
    }
    if (!path.empty()) text.add("<path fill=\"{}\" d=\"{}\"/>\n", colour(k), path);
  }
  for (std::size_t k = 1; k < levels.size(); ++k) {
    std::string path;
    for (auto const& [a, b] : level_line(map.grid, levels[k]))
      path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", frame.x(a[0]), frame.y(a[1]), frame.x(b[0]),
                          frame.y(b[1]));
    if (!path.empty())
      text.add(
          "<path fill=\"none\" stroke=\"#ffffff\" stroke-opacity=\".45\" stroke-width=\".8\" d=\"{}\"/>\n",
          path);
  }
}

void draw_scale(std::vector<double> const& levels, std::string const& title, ChartFrame const& frame,
                PictureText& text) {
  double const left = frame.right + 22, width = 16,
               height = (frame.bottom - frame.top) / static_cast<double>(levels.size());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    double const share =
        levels.size() < 2 ? 0.5 : static_cast<double>(k) / static_cast<double>(levels.size() - 1);
    double const bottom = frame.bottom - height * static_cast<double>(k);
    text.add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", left,
             bottom - height, width, height + 0.5, band_colour(share));
    if (k > 0 && (levels.size() <= 16 || k % 2 == 0))
      text.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{:.4g}</text>\n", left + width + 6, bottom + 4,
               levels[k]);
  }
  text.add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left, frame.top - 8,
           escape_markup(title));
}

std::vector<double> round_levels(ValueGrid const& grid) {
  std::vector<double> values;
  for (double const value : grid.values) {
    if (std::isfinite(value)) values.push_back(value);
  }
  if (values.empty()) return {0};
  std::ranges::sort(values);
  // A few huge values, such as those of a coefficient that goes to infinity, shall not take all the colours.
  double const low = values.front(), high = values[values.size() * 9 / 10];
  Axis const axis = make_axis(low, high, 12, true);
  std::vector<double> levels;
  for (auto const& tick : axis.ticks) levels.push_back(tick.value);
  return levels;
}

void draw_series(ContourMap const& map, ChartFrame const& frame, PictureText& text) {
  for (auto const& series : map.series) {
    for (std::size_t i = 0; i < series.x.size() && series.mark != ChartMark::none; ++i) {
      double const x = frame.x(series.x[i]), y = frame.y(series.y[i]);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      text.add(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.6\" fill=\"#ffffff\" stroke=\"#16202b\" "
          "stroke-width=\"1.6\"/>\n",
          x, y);
    }
    if (series.line)
      text.add("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{} d=\"{}\"/>\n",
               series.colour == -2 ? "#16202b" : "#d55e00", series.dashed ? " stroke-dasharray=\"6 4\"" : "",
               line_path(series.x, series.y, frame));
  }
}

}  // namespace

std::string write_svg(ContourMap const& map) {
  ChartHeading heading{
      map.title, map.subtitles, {}, axis_title(map.value) + " over " + map.x.name + " and " + map.y.name};
  std::vector<double> const levels = map.levels.empty() ? round_levels(map.grid) : map.levels;
  if (map.counts) {
    std::set<double> found;
    for (double const value : map.grid.values) {
      if (std::isfinite(value)) found.insert(value);
    }
    for (double const count : found)
      heading.legend.push_back(
          {static_cast<std::size_t>(count) < map.names.size()
               ? map.names[static_cast<std::size_t>(count)]
               : fmt::format("{:.0f} {}", count, count == 1 ? "solution" : "solutions"),
           fmt::format("<rect x=\"-11\" y=\"-6\" width=\"22\" height=\"12\" rx=\"2\" fill=\"{}\"/>",
                       count_colour(count))});
  }
  for (auto const& series : map.series) {
    if (series.name.empty()) continue;
    std::string const sample =
        series.mark != ChartMark::none
            ? "<circle r=\"4.6\" fill=\"#ffffff\" stroke=\"#16202b\" stroke-width=\"1.6\"/>"
            : fmt::format(
                  "<path class=\"{}\" fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2\"{} d=\"M-11 "
                  "0h22\"/>",
                  series.colour == -2 ? "ink" : "", series.dashed ? " stroke-dasharray=\"6 4\"" : "");
    heading.legend.push_back({series.name, sample});
  }
  ChartAxis x_names = map.x, y_names = map.y;
  auto const fit = [&](ChartAxis& names, std::vector<double> const& at) {
    if (!names.minimum) names.minimum = map.counts ? edge(at, 0) : at.front();
    if (!names.maximum) names.maximum = map.counts ? edge(at, at.size()) : at.back();
  };
  fit(x_names, map.grid.x);
  fit(y_names, map.grid.y);
  ChartFrame const frame(heading, x_names, {}, y_names, {}, false, map.counts ? 0 : 76);
  PictureText text;
  frame.open(text);
  if (map.counts) {
    draw_counts(map, frame, text);
  } else {
    draw_bands(map, levels, frame, text);
  }
  draw_series(map, frame, text);
  frame.close(text);
  if (!map.counts) draw_scale(levels, axis_title(map.value), frame, text);
  draw_notes(text, frame, map.notes);
  ChartFrame::end(text);
  return text.take();
}

std::string write_csv(ContourMap const& map) {
  return write_csv(map.grid, axis_title(map.x), axis_title(map.y), axis_title(map.value));
}

}  // namespace delassus
