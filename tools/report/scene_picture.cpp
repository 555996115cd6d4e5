#include "tools/report/scene_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/plot/svg_renderer.hpp"
#include "tools/report/scene_picture_parts.hpp"
#include "xml/text/markup.hpp"

namespace delassus {

using Eigen::Vector2d;

void open_scene(PictureText& text, int width, int height) {
  text.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"DejaVu Sans,sans-serif\" font-size=\"13\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\">\n",
      width, height);
}

void close_scene(PictureText& text, SceneCaption const& caption, int width) {
  auto const line = [&](double x, std::string_view anchor, std::string_view weight, std::string const& what) {
    text.add(
        "<text x=\"{:.0f}\" y=\"24\" text-anchor=\"{}\" font-size=\"15\" font-weight=\"{}\" fill=\"#1b2530\" "
        "stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\">{}</text>\n",
        x, anchor, weight, escape_markup(what));
  };
  line(14, "start", "bold", caption.title);
  line(width - 14, "end", "normal", caption.time);
  text.add("</svg>\n");
}

void draw_arrow(PictureText& text, Vector2d const& from, Vector2d const& to, std::string_view colour,
                double width) {
  Vector2d const way = to - from;
  double const length = way.norm();
  if (!(length > 0.5) || length > 1e5) return;
  Vector2d const u = way / length, v(-u[1], u[0]);
  double const head = std::min(4 * width, 0.6 * length);
  Vector2d const neck = to - 0.8 * head * u, a = to - head * u + 0.45 * head * v,
                 b = to - head * u - 0.45 * head * v;
  text.add(
      "<path fill=\"none\" stroke=\"{0}\" stroke-width=\"{1:.1f}\" d=\"M{2:.1f} {3:.1f}L{4:.1f} "
      "{5:.1f}\"/><path fill=\"{0}\" d=\"M{6:.1f} {7:.1f}L{8:.1f} {9:.1f}L{10:.1f} {11:.1f}Z\"/>\n",
      colour, width, from[0], from[1], neck[0], neck[1], to[0], to[1], a[0], a[1], b[0], b[1]);
}

void draw_names(PictureText& text, std::vector<PlacedName> const& names, int width) {
  constexpr double letter = 7.6, line = 15;  // pixels
  struct Taken {
    double x, y, half;
  };
  std::vector<Taken> taken;
  for (auto const& [name, at] : names) {
    double const half = letter * static_cast<double>(name.size()) / 2;
    if (!at.allFinite() || at[0] < -half || at[0] > width + half) continue;
    double const x = std::clamp(at[0], half, std::max(half, width - half));
    double down = -12;
    for (double const tried : {-12.0, 24.0, -28.0, 40.0, -44.0, 56.0}) {
      if (std::ranges::any_of(taken, [&](Taken const& other) {
            return std::abs(other.x - x) < other.half + half && std::abs(other.y - at[1] - tried) < line;
          }))
        continue;
      down = tried;
      break;
    }
    taken.push_back({x, at[1] + down, half});
    text.add(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"#1b2530\" stroke=\"#ffffff\" "
        "stroke-width=\"3\" paint-order=\"stroke\">{}</text>\n",
        x, at[1] + down, escape_markup(name));
  }
}

bool has_names(SceneDrawing const& drawing) {
  return drawing.bodies.size() <= 12;
}

bool has_form(DrawnBody const& body) {
  return std::ranges::any_of(body.shapes, [](DrawnShape const& shape) { return shape.kind != "plane"; });
}

PixelPicture draw_picture(TrackPlayer const& player, SceneCaption const& caption, int width, int height) {
  return player.drawing().dimension == 2 ? render_pixels(plane_svg(player, caption, width, height), 1)
                                         : space_picture(player, caption, width, height);
}

}  // namespace delassus
