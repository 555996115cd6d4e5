#include "tests/benchmark/performance_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/plot/chart_area.hpp"
#include "xml/text/markup.hpp"

namespace delassus::test {
namespace {

// Pixels.
constexpr double left = 76, plot_width = 620, plot_height = 400, title_height = 46, subtitle_line = 18,
                 first_gap = 40, bottom_margin = 62, legend_gap = 20, legend_line = 21, legend_sample = 26,
                 legend_width = 210, margin = 24;

constexpr std::string_view style = R"(
text{font-family:Inter,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-size:12px;fill:#3c4854}
.title{font-size:18px;font-weight:600;fill:#16202b}
.subtitle{font-size:12.5px;fill:#5c6975}
.tick{fill:#5c6975;font-size:11.5px}
.quantity{font-weight:600;fill:#26323e}
.count{fill:#5c6975}
.grid{stroke:#e7ebef;stroke-width:1;fill:none}
.frame{stroke:#9aa5b1;stroke-width:1;fill:none}
.line{fill:none;stroke-linejoin:round}
)";

struct Curve {
  ProfiledSolver const* solver = nullptr;
  std::vector<double> factors, fractions;  // log10 of the factor
  int solved = 0;
  double area = 0;  // below the curve: the order of the legend
};

// The longest that any solver needs of the shortest, log10.
double longest_factor(std::vector<Curve> const& curves) {
  double longest = 1;
  for (auto const& curve : curves) longest = std::max(longest, curve.factors.back());
  return std::ceil(longest);
}

std::vector<Curve> make_curves(PerformanceProfile const& profile) {
  std::size_t const problems = profile.solvers.front().times.size();
  std::vector<double> best(problems, std::numeric_limits<double>::infinity());
  for (auto const& solver : profile.solvers) {
    for (std::size_t i = 0; i < problems; ++i) best[i] = std::min(best[i], solver.times[i]);
  }
  std::vector<Curve> curves;
  for (auto const& solver : profile.solvers) {
    Curve& curve = curves.emplace_back();
    curve.solver = &solver;
    for (std::size_t i = 0; i < problems; ++i) {
      if (std::isfinite(solver.times[i])) curve.factors.push_back(std::log10(solver.times[i] / best[i]));
    }
    std::sort(curve.factors.begin(), curve.factors.end());
    curve.solved = static_cast<int>(curve.factors.size());
    for (int k = 1; k <= curve.solved; ++k)
      curve.fractions.push_back(static_cast<double>(k) / static_cast<double>(problems));
    // Where it is the fastest, it starts with all of these problems at once; else with none.
    auto const first = std::upper_bound(curve.factors.begin(), curve.factors.end(), 0.0);
    auto const fastest = first - curve.factors.begin();
    double const start = static_cast<double>(fastest) / static_cast<double>(problems);
    curve.factors.erase(curve.factors.begin(), first);
    curve.fractions.erase(curve.fractions.begin(), curve.fractions.begin() + fastest);
    curve.factors.insert(curve.factors.begin(), 0.0);
    curve.fractions.insert(curve.fractions.begin(), start);
  }
  double const end = longest_factor(curves);
  for (auto& curve : curves) {
    curve.factors.push_back(end);
    curve.fractions.push_back(curve.fractions.back());
    for (std::size_t k = 1; k < curve.factors.size(); ++k)
      curve.area += curve.fractions[k - 1] * (curve.factors[k] - curve.factors[k - 1]);
  }
  std::stable_sort(curves.begin(), curves.end(),
                   [](auto const& a, auto const& b) { return a.area > b.area; });
  return curves;
}

class Drawing {
 public:
  explicit Drawing(PerformanceProfile const& profile) : profile_(profile), curves_(make_curves(profile)) {
    top_ = title_height + subtitle_line * static_cast<double>(profile.subtitles.size()) + first_gap;
    end_ = longest_factor(curves_);
    double const height = std::max(plot_height, legend_line * static_cast<double>(curves_.size()));
    scale_ = {left, left + plot_width, top_, top_ + height, 0, end_, 0, 1};
  }

  std::string draw() {
    open();
    draw_grid();
    // The emphasised one last, so that it lies above the others.
    for (bool const emphasised : {false, true}) {
      for (auto const& curve : curves_) {
        if (curve.solver->emphasised == emphasised) draw_curve(curve);
      }
    }
    add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">solved, of {}</text>\n",
        scale_.right + legend_gap + legend_width, scale_.top - 14, profile_.solvers.front().times.size());
    for (std::size_t i = 0; i < curves_.size(); ++i) draw_legend(curves_[i], i);
    return std::move(text_) + "</svg>\n";
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  void open() {
    double const width = scale_.right + legend_gap + legend_width + margin;
    double const height = scale_.bottom + bottom_margin;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n<style>{3}</style>\n",
        width, height, escape_markup(profile_.title), style);
    add("<rect width=\"{:.0f}\" height=\"{:.0f}\" rx=\"8\" fill=\"#ffffff\"/>\n", width, height);
    add("<text class=\"title\" x=\"{:.0f}\" y=\"34\">{}</text>\n", margin, escape_markup(profile_.title));
    for (std::size_t i = 0; i < profile_.subtitles.size(); ++i) {
      add("<text class=\"subtitle\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", margin,
          title_height + 10 + subtitle_line * static_cast<double>(i), escape_markup(profile_.subtitles[i]));
    }
  }

  void draw_grid() {
    for (int power = 0; power <= static_cast<int>(end_); ++power) {
      double const x = scale_.x(power);
      add("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", x, scale_.top, scale_.bottom);
      add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x,
          scale_.bottom + 18, factor_label(power));
    }
    for (auto const& tick : make_axis(0, 100, 5, true).ticks) {
      double const y = scale_.y(tick.value / 100);
      add("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/>\n", scale_.left, y, scale_.right);
      add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}\u2009%</text>\n",
          scale_.left - 8, y + 4, tick.label);
    }
    add("<path class=\"frame\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", scale_.left, scale_.top,
        scale_.bottom, scale_.right);
    add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\">problems solved</text>\n", margin,
        scale_.top - 14);
    add("<text class=\"quantity\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">within this factor of the "
        "fastest solver\u2019s time</text>\n",
        (scale_.left + scale_.right) / 2, scale_.bottom + 42);
  }

  static std::string factor_label(int power) {
    std::string digits = "1" + std::string(static_cast<std::size_t>(power), '0');
    for (int place = static_cast<int>(digits.size()) - 3; place > 0; place -= 3)
      digits.insert(static_cast<std::size_t>(place), "\u2009");
    return digits;
  }

  std::string line_attributes(ProfiledSolver const& solver) const {
    return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", solver.colour, solver.emphasised ? 3.4 : 1.6,
                       solver.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", solver.dash));
  }

  void draw_curve(Curve const& curve) {
    add("<path class=\"line\" {} d=\"{}\"><title>{}</title></path>\n", line_attributes(*curve.solver),
        step_path(curve.factors, curve.fractions, scale_), escape_markup(curve.solver->name));
  }

  void draw_legend(Curve const& curve, std::size_t place) {
    double const x = scale_.right + legend_gap;
    double const y = scale_.top + 8 + legend_line * static_cast<double>(place);
    add("<path class=\"line\" {} d=\"M{:.1f} {:.1f}h{:.0f}\"/>\n", line_attributes(*curve.solver), x, y,
        legend_sample);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x + legend_sample + 8, y + 4,
        curve.solver->emphasised ? " class=\"quantity\"" : "", escape_markup(curve.solver->name));
    add("<text class=\"count\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x + legend_width,
        y + 4, curve.solved);
  }

  PerformanceProfile const& profile_;
  std::vector<Curve> curves_;
  ChartArea scale_;
  double top_ = 0, end_ = 1;
  std::string text_;
};

}  // namespace

std::string write_svg(PerformanceProfile const& profile) {
  return Drawing(profile).draw();
}

}  // namespace delassus::test
