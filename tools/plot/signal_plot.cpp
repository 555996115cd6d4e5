#include "tools/plot/signal_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "tools/plot/panel.hpp"
#include "tools/plot/path.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

// Okabe and Ito's colours, which stay apart for every common colour blindness; black and yellow left out as
// too strong and too weak on white. A second round is dashed.
constexpr std::array<std::string_view, 6> colours{"#0072b2", "#d55e00", "#009e73",
                                                  "#cc79a7", "#e69f00", "#56b4e9"};

// Pixels.
constexpr double plot_width = 620, panel_gap = 36, margin_left = 96, title_height = 46, subtitle_line = 18,
                 first_gap = 44, margin_bottom = 54, margin_side = 24, legend_gap = 18, legend_sample = 18,
                 character = 6.6;
constexpr std::size_t most_legend_characters = 34;

constexpr std::string_view style = R"(
text{font-family:Inter,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-size:12px;fill:#3c4854}
.title{font-size:18px;font-weight:600;fill:#16202b}
.subtitle{font-size:12.5px;fill:#5c6975}
.tick{fill:#5c6975;font-size:11.5px}
.quantity{font-weight:600;fill:#26323e}
.grid{stroke:#e7ebef;stroke-width:1;fill:none}
.zero{stroke:#b9c2cb;stroke-width:1}
.frame{stroke:#9aa5b1;stroke-width:1;fill:none}
.line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
)";

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
    right_ = margin_left + plot_width;
    width_ = right_ + legend_gap + 26 + character * static_cast<double>(longest) + margin_side;
    top_ = title_height + subtitle_line * static_cast<double>(plot.subtitles.size()) + first_gap;
    height_ = top_ + margin_bottom - panel_gap;
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
    return std::move(text_) + "</svg>\n";
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  void open() {
    std::string names;
    for (auto const& series : plot_.series) names += (names.empty() ? "" : ", ") + series.name;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} {1:.0f}\" role=\"img\">\n",
        width_, height_);
    add("<title>{}</title>\n<desc>{} over time</desc>\n<style>{}</style>\n", escape_markup(plot_.title),
        escape_markup(names), style);
    add("<rect width=\"{:.0f}\" height=\"{:.0f}\" rx=\"8\" fill=\"#ffffff\"/>\n", width_, height_);
    add("<text class=\"title\" x=\"{:.0f}\" y=\"34\">{}</text>\n", margin_side, escape_markup(plot_.title));
    for (std::size_t i = 0; i < plot_.subtitles.size(); ++i) {
      add("<text class=\"subtitle\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", margin_side,
          title_height + 10 + subtitle_line * static_cast<double>(i), escape_markup(plot_.subtitles[i]));
    }
  }

  void draw_panel(PlotPanel const& panel, double top, double bottom, bool last) {
    Axis const axis = panel.axis();
    PlotScale const scale{margin_left,        right_,       top,         bottom, time_axis_.minimum,
                          time_axis_.maximum, axis.minimum, axis.maximum};
    draw_grid(axis, scale, last, panel.has_items());
    draw_axis_name(panel, top);
    for (std::size_t i = 0; i < panel.series.size(); ++i) draw_series(*panel.series[i], i, panel, scale);
    if (last) {
      add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">time [s]</text>\n",
          (margin_left + right_) / 2, bottom + 40);
    }
  }

  void draw_grid(Axis const& axis, PlotScale const& scale, bool last, bool has_items) {
    for (auto const& tick : time_axis_.ticks) {
      double const x = scale.x(tick.value);
      add("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", x, scale.top, scale.bottom);
      if (last)
        add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x,
            scale.bottom + 18, tick.label);
    }
    for (auto const& tick : axis.ticks) {
      double const y = scale.y(tick.value);
      bool const zero = tick.value == 0 && !has_items && axis.minimum < 0 && axis.maximum > 0;
      add("<path class=\"{0}\" d=\"M{1:.1f} {2:.1f}H{3:.1f}\"/>\n", zero ? "zero" : "grid", scale.left, y,
          scale.right);
      add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", scale.left - 8,
          y + 4, escape_markup(tick.label));
    }
    add("<path class=\"frame\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", scale.left, scale.top,
        scale.bottom, scale.right);
  }

  // Above the panel and not turned by its side: it is read without turning the head.
  void draw_axis_name(PlotPanel const& panel, double top) {
    add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", margin_left, top - 9,
        escape_markup(panel.title()));
  }

  void draw_series(PlotSeries const& series, std::size_t place, PlotPanel const& panel, PlotScale scale) {
    std::string_view const colour = colours[place % colours.size()];
    std::string_view const dash = place >= colours.size() ? " stroke-dasharray=\"6 4\"" : "";
    draw_legend(series, colour, dash, scale.top + plot_legend_line * (static_cast<double>(place) + 0.5));
    if (panel.has_items()) {  // lines of the same mode lie beside each other
      double const shift =
          4 * (static_cast<double>(place) - (static_cast<double>(panel.series.size()) - 1) / 2);
      scale.top += shift;
      scale.bottom += shift;
    }
    std::string const path = series.stepped ? step_path(plot_.time, series.values, scale)
                                            : line_path(plot_.time, series.values, scale);
    add("<path class=\"line\" stroke=\"{}\"{} d=\"{}\"><title>{}</title></path>\n", colour, dash, path,
        escape_markup(series.name));
  }

  void draw_legend(PlotSeries const& series, std::string_view colour, std::string_view dash, double y) {
    double const left = right_ + legend_gap;
    add("<path class=\"line\" stroke=\"{}\"{} d=\"M{:.1f} {:.1f}h{:.0f}\"/>\n", colour, dash, left, y,
        legend_sample);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left + legend_sample + 7, y + 4,
        escape_markup(shortened(series.name)));
  }

  Plot const& plot_;
  std::vector<PlotPanel> panels_;
  Axis time_axis_;
  double width_ = 0, height_ = 0, top_ = 0, right_ = 0;
  std::string text_;
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
