#include "tools/plot/signal_plot.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tools/plot/chart_area.hpp"
#include "tools/plot/panel.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// Pixels.
constexpr double signal_plot_width = 620, panel_gap = 36, signal_margin_left = 96, first_gap = 40,
                 signal_margin_bottom = 54, margin_side = 24, legend_gap = 18, signal_legend_sample = 18,
                 signal_character = 6.6;
constexpr std::size_t most_legend_characters = 34;

std::string shortened(std::string const& name) {
  if (name.size() <= most_legend_characters) return name;
  std::size_t const half = most_legend_characters / 2;
  return name.substr(0, half - 1) + "\u2026" + name.substr(name.size() - half);
}

class Drawing {
 public:
  explicit Drawing(Plot const& plot) : plot_(plot), panels_(group_into_panels(plot)) {
    std::size_t longest = 10;
    for (auto const& series : plot.series)
      longest = std::max(longest, std::min(series.name.size(), most_legend_characters));
    right_ = signal_margin_left + signal_plot_width;
    width_ = right_ + legend_gap + 26 + signal_character * static_cast<double>(longest) + margin_side;
    top_ = picture_heading_height(plot.subtitles.size()) + first_gap;
    height_ = top_ + signal_margin_bottom - panel_gap;
    for (auto const& panel : panels_) height_ += panel.height() + panel_gap;
    double const last = plot.time.empty() ? 1 : plot.time.back();
    time_axis_ = make_axis(plot.time.empty() ? 0 : plot.time.front(), last, 10, false);
  }

  std::string draw() {
    open();
    double top = top_;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      double const bottom = top + panels_[i].height();
      draw_panel(panels_[i], top, bottom, i + 1 == panels_.size());
      top = bottom + panel_gap;
    }
    text_.add("</svg>\n");
    return text_.take();
  }

 private:
  void open() {
    std::string names;
    for (auto const& series : plot_.series) names += (names.empty() ? "" : ", ") + series.name;
    open_picture(text_, width_, height_, plot_.title, plot_.subtitles, names + " over time");
  }

  void draw_panel(PlotPanel const& panel, double top, double bottom, bool last) {
    Axis const axis = panel.axis();
    ChartArea const area{signal_margin_left, right_,       top,         bottom, time_axis_.minimum,
                         time_axis_.maximum, axis.minimum, axis.maximum};
    draw_grid(text_, area, time_axis_, axis);
    draw_y_axis(text_, area, axis, panel.title());
    for (std::size_t i = 0; i < panel.series.size(); ++i) draw_series(*panel.series[i], i, panel, area);
    if (last) draw_x_axis(text_, area, time_axis_, "time [s]");
  }

  void draw_series(PlotSeries const& series, std::size_t place, PlotPanel const& panel, ChartArea area) {
    std::string_view const colour = picture_colour(place);
    // A second round of colours is dashed.
    std::string_view const dash = place >= picture_colours.size() ? " stroke-dasharray=\"6 4\"" : "";
    draw_legend(series, colour, dash, area.top + plot_legend_line * (static_cast<double>(place) + 0.5));
    if (panel.has_items()) {  // lines of the same mode lie beside each other
      double const shift =
          4 * (static_cast<double>(place) - (static_cast<double>(panel.series.size()) - 1) / 2);
      area.top += shift;
      area.bottom += shift;
    }
    std::string const path = series.stepped ? step_path(plot_.time, series.values, area)
                                            : line_path(plot_.time, series.values, area);
    text_.add("<path class=\"line\" stroke=\"{}\"{} d=\"{}\"><title>{}</title></path>\n", colour, dash, path,
              escape_markup(series.name));
  }

  void draw_legend(PlotSeries const& series, std::string_view colour, std::string_view dash, double y) {
    double const left = right_ + legend_gap;
    text_.add("<path class=\"line\" stroke=\"{}\"{} d=\"M{:.1f} {:.1f}h{:.0f}\"/>\n", colour, dash, left, y,
              signal_legend_sample);
    text_.add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left + signal_legend_sample + 7, y + 4,
              escape_markup(shortened(series.name)));
  }

  Plot const& plot_;
  std::vector<PlotPanel> panels_;
  Axis time_axis_;
  double width_ = 0, height_ = 0, top_ = 0, right_ = 0;
  PictureText text_;
};

}  // namespace

std::string write_svg(Plot const& plot) {
  for (auto const& series : plot.series) {
    if (series.values.size() != plot.time.size())
      throw std::invalid_argument(series.name + " is not as long as the time");
  }
  return Drawing(plot).draw();
}

}  // namespace delassus
