#include "tools/plot/chart.hpp"

#include <algorithm>
#include <stdexcept>

#include "model/scene/number.hpp"
#include "tools/support/csv.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

std::string stroke_of(ChartSeries const& series, std::size_t place) {
  if (series.colour == -2) return "class=\"line ink\"";
  return fmt::format("class=\"line\" stroke=\"{}\"",
                     picture_colour(series.colour >= 0 ? static_cast<std::size_t>(series.colour) : place));
}

std::string fill_of(ChartSeries const& series, std::size_t place) {
  if (series.colour == -2) return "class=\"inkfill\"";
  return fmt::format("fill=\"{}\"",
                     picture_colour(series.colour >= 0 ? static_cast<std::size_t>(series.colour) : place));
}

std::string mark_at(ChartSeries const& series, std::size_t place, double x, double y) {
  switch (series.mark) {
    case ChartMark::none:
      return "";
    case ChartMark::dot:
      return fmt::format("<circle {} cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.6\"/>", fill_of(series, place), x, y);
    case ChartMark::ring:
      return fmt::format("<circle {} cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4.6\"/>", stroke_of(series, place), x,
                         y);
    case ChartMark::cross:
      return fmt::format("<path {} d=\"M{:.2f} {:.2f}l8 8m0 -8l-8 8\"/>", stroke_of(series, place), x - 4,
                         y - 4);
  }
  return "";
}

std::string_view dash_of(ChartSeries const& series) {
  return series.dashed ? " stroke-dasharray=\"6 4\"" : "";
}

}  // namespace

void draw_notes(PictureText& text, ChartArea const& area, std::vector<ChartNote> const& notes) {
  for (auto const& note : notes)
    text.add("<text class=\"note\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", area.x(note.x) + note.right,
             area.y(note.y) + note.down, note.ends_there ? " text-anchor=\"end\"" : "",
             escape_markup(note.text));
}

std::string write_svg(Chart const& chart) {
  ChartExtent x, y;
  ChartHeading heading{chart.title, chart.subtitles, {}, ""};
  auto const describe = [&](std::string const& name) {
    heading.description += (heading.description.empty() ? "" : ", ") + name;
  };
  for (auto const& region : chart.regions) {
    for (double const value : region.x) x.include(value);
    for (double const value : region.y) y.include(value);
    if (region.name.empty()) continue;
    describe(region.name);
    heading.legend.push_back(
        {region.name, fmt::format("<rect x=\"-11\" y=\"-6\" width=\"22\" height=\"12\" rx=\"2\" fill=\"{}\" "
                                  "fill-opacity=\".28\"/>",
                                  picture_colour(static_cast<std::size_t>(region.colour)))});
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    ChartSeries const& series = chart.series[i];
    if (series.x.size() != series.y.size())
      throw std::invalid_argument("the series '" + series.name + "' has not as many x as y");
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      if (!std::isfinite(series.y[k]) || !std::isfinite(series.x[k])) continue;
      if ((chart.x.logarithmic && series.x[k] <= 0) || (chart.y.logarithmic && series.y[k] <= 0)) continue;
      x.include(series.x[k]);
      y.include(series.y[k]);
    }
    if (series.name.empty()) continue;
    describe(series.name);
    std::string sample;
    if (series.line)
      sample += fmt::format("<path {}{} d=\"M-11 0h22\"/>", stroke_of(series, i), dash_of(series));
    heading.legend.push_back({series.name, sample + mark_at(series, i, 0, 0)});
  }
  ChartFrame const frame(heading, chart.x, x, chart.y, y, chart.equal);
  PictureText text;
  frame.open(text);
  for (auto const& region : chart.regions) {
    std::string path;
    for (std::size_t i = 0; i < region.x.size(); ++i)
      path += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", frame.x(region.x[i]), frame.y(region.y[i]));
    text.add("<path fill=\"{}\" fill-opacity=\".28\" d=\"{}Z\"/>\n",
             picture_colour(static_cast<std::size_t>(region.colour)), path);
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    ChartSeries const& series = chart.series[i];
    if (series.line)
      text.add("<path {}{} d=\"{}\"/>\n", stroke_of(series, i), dash_of(series),
               line_path(series.x, series.y, frame));
  }
  frame.close(text);
  // Marks may reach over the frame by their half: a point at zero is a whole point.
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    ChartSeries const& series = chart.series[i];
    for (std::size_t k = 0; k < series.x.size() && series.mark != ChartMark::none; ++k) {
      double const at_x = frame.x(series.x[k]), at_y = frame.y(series.y[k]);
      bool const inside =
          at_x > frame.left - 1 && at_x < frame.right + 1 && at_y > frame.top - 1 && at_y < frame.bottom + 1;
      if (inside) text.add("{}\n", mark_at(series, i, at_x, at_y));
    }
  }
  draw_notes(text, frame, chart.notes);
  ChartFrame::end(text);
  return text.take();
}

std::string write_csv(Chart const& chart) {
  std::string text = "series," + csv_text(axis_title(chart.x)) + "," + csv_text(axis_title(chart.y)) + "\n";
  auto const add = [&](std::string const& name, std::vector<double> const& x, std::vector<double> const& y) {
    for (std::size_t i = 0; i < x.size(); ++i)
      text += csv_text(name) + "," + format_number(x[i]) + "," + format_number(y[i]) + "\n";
  };
  for (auto const& region : chart.regions) add(region.name, region.x, region.y);
  for (auto const& series : chart.series) add(series.name, series.x, series.y);
  return text;
}

}  // namespace delassus
