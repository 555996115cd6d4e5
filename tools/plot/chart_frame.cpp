#include "tools/plot/chart_frame.hpp"

#include <algorithm>

#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// Pixels.
constexpr double plot_width = 500, plot_height = 330, margin_left = 72, margin_right = 22, margin_bottom = 52,
                 legend_line = 19, legend_sample = 30, character = 6.3;

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
  return axis.name + " [" + unit_text(axis.unit) + "]";
}

ChartFrame::ChartFrame(ChartHeading heading, ChartAxis x_names, ChartExtent x_extent, ChartAxis y_names,
                       ChartExtent y_extent, bool equal, double side)
    : heading_(std::move(heading)), x_names_(std::move(x_names)), y_names_(std::move(y_names)) {
  x_axis_ = axis_of(x_names_, x_extent, 8);
  y_axis_ = axis_of(y_names_, y_extent, 7);
  left = margin_left;
  right = left + plot_width;
  top = picture_heading_height(heading_.subtitles.size());
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
    height = plot_width * (y_axis_.maximum - y_axis_.minimum) / (x_axis_.maximum - x_axis_.minimum);
    if (height > 460) {
      right = left + plot_width * 460 / height;
      height = 460;
    }
  }
  bottom = top + height;
  width_ = left + plot_width + margin_right + side;
  height_ = bottom + margin_bottom;
  x_minimum = x_axis_.minimum;
  x_maximum = x_axis_.maximum;
  y_minimum = y_axis_.minimum;
  y_maximum = y_axis_.maximum;
  x_logarithmic = x_names_.logarithmic;
  y_logarithmic = y_names_.logarithmic;
}

void ChartFrame::open(PictureText& text) const {
  open_picture(text, width_, height_, heading_.title, heading_.subtitles, heading_.description);
  for (std::size_t i = 0; i < legend_places_.size(); ++i) {
    auto const& [at_x, at_y] = legend_places_[i];
    text.add("<g transform=\"translate({:.1f} {:.1f})\">{}</g><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
             at_x + 12, at_y, heading_.legend[i].sample, at_x + legend_sample, at_y + 4,
             escape_markup(heading_.legend[i].name));
  }
  draw_grid(text, *this, x_axis_, y_axis_);
  // A nested document clips what it contains, and needs no name that would have to differ in one page.
  text.add(
      "<svg x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\" viewBox=\"{0:.1f} {1:.1f} "
      "{2:.1f} "
      "{3:.1f}\">\n",
      left, top, right - left, bottom - top);
}

void ChartFrame::close(PictureText& text) const {
  text.add("</svg>\n");
  draw_y_axis(text, *this, y_axis_, axis_title(y_names_));
  draw_x_axis(text, *this, x_axis_, axis_title(x_names_));
}

}  // namespace delassus
