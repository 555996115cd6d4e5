#include "tools/plot/chart_frame.hpp"

#include <algorithm>

#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// Pixels.
constexpr double plot_width = 500, plot_height = 330, margin_left = 72, margin_right = 22, margin_bottom = 52,
                 title_line = 28, subtitle_line = 17, legend_line = 19, legend_sample = 30, character = 6.3;

Axis axis_of(ChartAxis const& names, ChartExtent const& extent, int count) {
  double const low = names.minimum.value_or(extent.minimum), high = names.maximum.value_or(extent.maximum);
  if (names.logarithmic) return make_log_axis(low, high);
  if (names.minimum && names.maximum) return make_axis(low, high, count, false);
  // A little room, so that nothing lies on the frame.
  double const room = 0.04 * (high - low);
  Axis axis = make_axis(names.minimum ? low : low - room, names.maximum ? high : high + room, count, false);
  return axis;
}

double text_width(std::string const& text) {
  auto const characters = std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
  return character * static_cast<double>(characters);
}

}  // namespace

std::string axis_title(ChartAxis const& axis) {
  if (axis.unit.empty()) return axis.name;
  std::string unit;
  for (char const c : axis.unit)
    unit += c == '2' ? "\u00b2" : c == '3' ? "\u00b3" : c == '.' ? "\u00b7" : std::string(1, c);
  return axis.name + " [" + unit + "]";
}

ChartFrame::ChartFrame(ChartHeading heading, ChartAxis x_names, ChartExtent x_extent, ChartAxis y_names,
                       ChartExtent y_extent, bool equal, double side)
    : heading_(std::move(heading)), x_names_(std::move(x_names)), y_names_(std::move(y_names)) {
  x_axis = axis_of(x_names_, x_extent, 8);
  y_axis = axis_of(y_names_, y_extent, 7);
  left = margin_left;
  right = left + plot_width;
  top = 10 + title_line + subtitle_line * static_cast<double>(heading_.subtitles.size()) + 8;
  double at = left;
  if (!heading_.legend.empty()) {
    for (auto const& entry : heading_.legend) {
      double const width = legend_sample + text_width(entry.name) + 14;
      if (at + width > right && at > left) {
        at = left;
        top += legend_line;
      }
      legend_places_.emplace_back(at, top);
      at += width;
    }
    top += legend_line;
  }
  top += 18;  // the name of the axis
  double height = plot_height;
  if (equal) {
    height = plot_width * (y_axis.maximum - y_axis.minimum) / (x_axis.maximum - x_axis.minimum);
    if (height > 460) {
      right = left + plot_width * 460 / height;
      height = 460;
    }
  }
  bottom = top + height;
  width_ = left + plot_width + margin_right + side;
  height_ = bottom + margin_bottom;
  x = ChartScale(x_axis, x_names_.logarithmic, left, right);
  y = ChartScale(y_axis, y_names_.logarithmic, bottom, top);
}

void ChartFrame::open(PictureText& text) const {
  text.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n<desc>{3}</desc>\n"
      "<style>{4}</style>\n<rect class=\"paper\" width=\"{0:.0f}\" height=\"{1:.0f}\" rx=\"8\"/>\n",
      width_, height_, escape_markup(heading_.title), escape_markup(heading_.description), picture_style);
  text.add("<text class=\"title\" x=\"18\" y=\"28\">{}</text>\n", escape_markup(heading_.title));
  for (std::size_t i = 0; i < heading_.subtitles.size(); ++i)
    text.add("<text class=\"subtitle\" x=\"18\" y=\"{:.0f}\">{}</text>\n",
             20 + title_line + subtitle_line * static_cast<double>(i), escape_markup(heading_.subtitles[i]));
  for (std::size_t i = 0; i < legend_places_.size(); ++i) {
    auto const& [at_x, at_y] = legend_places_[i];
    text.add("<g transform=\"translate({:.1f} {:.1f})\">{}</g><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
             at_x + 12, at_y, heading_.legend[i].sample, at_x + legend_sample, at_y + 4,
             escape_markup(heading_.legend[i].name));
  }
  for (auto const& tick : x_axis.ticks) {
    text.add("<path class=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n",
             tick.value == 0 && x_axis.minimum < 0 && !x_names_.logarithmic ? "zero" : "grid", x(tick.value),
             top, bottom);
  }
  for (auto const& tick : y_axis.ticks) {
    text.add("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n",
             tick.value == 0 && y_axis.minimum < 0 && !y_names_.logarithmic ? "zero" : "grid", left,
             y(tick.value), right);
  }
  // A nested document clips what it contains, and needs no name that would have to differ in one page.
  text.add(
      "<svg x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\" viewBox=\"{0:.1f} {1:.1f} "
      "{2:.1f} "
      "{3:.1f}\">\n",
      left, top, right - left, bottom - top);
}

void ChartFrame::close(PictureText& text) const {
  text.add("</svg>\n<path class=\"frame\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", left, top, bottom,
           right);
  for (auto const& tick : x_axis.ticks)
    text.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
             x(tick.value), bottom + 17, escape_markup(tick.label));
  for (auto const& tick : y_axis.ticks)
    text.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 7,
             y(tick.value) + 4, escape_markup(tick.label));
  text.add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
           (left + right) / 2, bottom + 39, escape_markup(axis_title(x_names_)));
  // Above the plot and not turned by its side: it is read without turning the head.
  text.add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left, top - 8,
           escape_markup(axis_title(y_names_)));
}

}  // namespace delassus
