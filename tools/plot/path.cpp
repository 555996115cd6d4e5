#include "tools/plot/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace delassus {
namespace {

class PathWriter {
 public:
  void lift() { down_ = false; }
  void point(double x, double y) {
    text_ += fmt::format("{}{:.2f} {:.2f}", down_ ? "L" : "M", x, y);
    down_ = true;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  bool down_ = false;
};

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

}  // namespace

std::string line_path(std::span<const double> time, std::span<const double> values, PlotScale const& scale) {
  PathWriter path;
  std::vector<std::size_t> indices;
  auto const flush = [&] {
    for (std::size_t const index : indices) path.point(scale.x(time[index]), scale.y(values[index]));
    indices.clear();
    path.lift();
  };
  for (std::size_t begin = 0; begin < values.size();) {
    if (!std::isfinite(values[begin])) {
      flush();
      ++begin;
      continue;
    }
    double const column = std::floor(scale.x(time[begin]));
    std::size_t end = begin + 1;
    while (end < values.size() && std::isfinite(values[end]) && std::floor(scale.x(time[end])) == column)
      ++end;
    append_extremes(values, begin, end, indices);
    begin = end;
  }
  flush();
  return path.take();
}

std::string step_path(std::span<const double> time, std::span<const double> values, PlotScale const& scale) {
  PathWriter path;
  double held = std::nan("");
  for (std::size_t i = 0; i < values.size(); ++i) {
    bool const changed = values[i] != held;
    if (changed && std::isfinite(held)) path.point(scale.x(time[i]), scale.y(held));
    if (!std::isfinite(values[i])) path.lift();
    if (changed && std::isfinite(values[i])) path.point(scale.x(time[i]), scale.y(values[i]));
    if (!changed && i + 1 == values.size()) path.point(scale.x(time[i]), scale.y(values[i]));
    held = values[i];
  }
  return path.take();
}

}  // namespace delassus
