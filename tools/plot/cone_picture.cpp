#include "tools/plot/cone_picture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "model/scene/number.hpp"
#include "tools/plot/picture_style.hpp"
#include "tools/support/csv.hpp"
#include "xml/text/markup.hpp"

namespace delassus {
namespace {

constexpr int generators = 96;
constexpr double width = 594, height = 400, middle_x = 297, middle_y = 260, scale = 200;  // pixels

std::vector<Eigen::Vector3d> rim_of(PicturedCone const& cone) {
  std::vector<Eigen::Vector3d> rim;
  double longest = 0;
  for (int k = 0; k <= generators; ++k) {
    double const angle = 2 * std::numbers::pi * k / generators;
    rim.emplace_back(cone.map *
                     Eigen::Vector3d(cone.mu * elementary::cos(angle), cone.mu * elementary::sin(angle), 1));
    longest = std::max(longest, rim.back().norm());
  }
  for (auto& point : rim) point /= longest;
  return rim;
}

class Eye {
 public:
  Eye(double azimuth, double elevation)
      : across_(-elementary::sin(azimuth), elementary::cos(azimuth), 0),
        up_(-elementary::sin(elevation) * elementary::cos(azimuth),
            -elementary::sin(elevation) * elementary::sin(azimuth), elementary::cos(elevation)),
        towards_(elementary::cos(elevation) * elementary::cos(azimuth),
                 elementary::cos(elevation) * elementary::sin(azimuth), elementary::sin(elevation)) {}
  double x(Eigen::Vector3d const& p) const { return middle_x + scale * across_.dot(p); }
  double y(Eigen::Vector3d const& p) const { return middle_y - scale * up_.dot(p); }
  double nearness(Eigen::Vector3d const& p) const { return towards_.dot(p); }
  std::string at(Eigen::Vector3d const& p) const { return fmt::format("{:.1f} {:.1f}", x(p), y(p)); }

 private:
  Eigen::Vector3d across_, up_, towards_;
};

struct Facet {
  Eigen::Vector3d a, b;
  std::size_t cone = 0;
  double nearness = 0;
};

void draw_arrow(PictureText& text, Eye const& eye, Eigen::Vector3d const& tip, std::string const& name,
                std::string const& stroke) {
  Eigen::Vector3d const origin = Eigen::Vector3d::Zero();
  double const dx = eye.x(tip) - eye.x(origin), dy = eye.y(tip) - eye.y(origin),
               length = elementary::hypot(dx, dy);
  if (length < 1) return;
  double const ex = dx / length, ey = dy / length;
  text.add("<path {} fill=\"none\" stroke-width=\"1.4\" d=\"M{}L{}M{:.1f} {:.1f}L{}L{:.1f} {:.1f}\"/>\n",
           stroke, eye.at(origin), eye.at(tip), eye.x(tip) - 8 * ex + 4 * ey, eye.y(tip) - 8 * ey - 4 * ex,
           eye.at(tip), eye.x(tip) - 8 * ex - 4 * ey, eye.y(tip) - 8 * ey + 4 * ex);
  text.add("<text class=\"note\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
           eye.x(tip) + 16 * ex, eye.y(tip) + 16 * ey + 4, escape_markup(name));
}

}  // namespace

std::string write_svg(ConePicture const& picture) {
  Eye const eye(picture.azimuth, picture.elevation);
  PictureText text;
  double line = picture_heading_height(picture.subtitles.size()) + 2;
  double const shift = line - 8 + 19 * static_cast<double>(picture.cones.size());
  std::string names;
  for (auto const& cone : picture.cones) names += (names.empty() ? "" : ", ") + cone.name;
  open_picture(text, width, height + shift, picture.title, picture.subtitles, names);
  for (std::size_t i = 0; i < picture.cones.size(); ++i) {
    text.add(
        "<rect x=\"18\" y=\"{:.0f}\" width=\"22\" height=\"12\" rx=\"2\" fill=\"{}\" fill-opacity=\".5\"/>"
        "<text x=\"48\" y=\"{:.0f}\">{}</text>\n",
        line - 9, picture_colour(i), line + 1, escape_markup(picture.cones[i].name));
    line += 19;
  }
  text.add("<g transform=\"translate(0 {:.0f})\">\n", shift);

  // Behind the plane first what is below it, then the plane, then what is above: seen from above, this is the order
  // of nearness.
  std::vector<Facet> below, above;
  for (std::size_t i = 0; i < picture.cones.size(); ++i) {
    auto const rim = rim_of(picture.cones[i]);
    for (std::size_t k = 0; k + 1 < rim.size(); ++k) {
      Eigen::Vector3d const middle = (rim[k] + rim[k + 1]) / 3;
      (middle[2] < 0 ? below : above).push_back({rim[k], rim[k + 1], i, eye.nearness(middle)});
    }
  }
  auto const draw = [&](std::vector<Facet>& facets, bool dips) {
    std::ranges::stable_sort(facets, {}, &Facet::nearness);
    for (auto const& facet : facets) {
      text.add(
          "<path fill=\"{0}\" fill-opacity=\"{1}\" stroke=\"{0}\" stroke-opacity=\".35\" stroke-width=\".5\" "
          "d=\"M{2}L{3}L{4}Z\"/>\n",
          picture_colour(facet.cone), dips ? ".75" : ".3", eye.at(Eigen::Vector3d::Zero()), eye.at(facet.a),
          eye.at(facet.b));
    }
  };
  auto const draw_rims = [&](bool dips) {
    for (std::size_t i = 0; i < picture.cones.size(); ++i) {
      auto const rim = rim_of(picture.cones[i]);
      std::string path;
      for (std::size_t k = 0; k + 1 < rim.size(); ++k) {
        if ((rim[k][2] + rim[k + 1][2] < 0) == dips) path += "M" + eye.at(rim[k]) + "L" + eye.at(rim[k + 1]);
      }
      if (!path.empty())
        text.add(
            "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linecap=\"round\"{} d=\"{}\"/>\n",
            picture_colour(i), dips ? " stroke-dasharray=\"5 3\"" : "", path);
    }
  };
  draw(below, true);
  draw_rims(true);
  text.add("<path class=\"plane\" d=\"M{}L{}L{}L{}Z\"/>\n", eye.at({-.9, -.9, 0}), eye.at({.9, -.9, 0}),
           eye.at({.9, .9, 0}), eye.at({-.9, .9, 0}));
  draw_arrow(text, eye, {1, 0, 0}, picture.tangential_1, "class=\"frame\"");
  draw_arrow(text, eye, {0, 1, 0}, picture.tangential_2, "class=\"frame\"");
  draw(above, false);
  draw_rims(false);
  draw_arrow(text, eye, {0, 0, 1.1}, picture.normal, "class=\"frame\"");
  for (auto const& [name, tip] : picture.arrows) draw_arrow(text, eye, tip, name, "class=\"ink\"");
  text.add("</g>\n</svg>\n");
  return text.take();
}

std::string write_csv(ConePicture const& picture) {
  std::string text = "cone,tangential_1,tangential_2,normal\n";
  for (auto const& cone : picture.cones) {
    for (auto const& point : rim_of(cone))
      text += csv_text(cone.name) + "," + format_number(point[0]) + "," + format_number(point[1]) + "," +
              format_number(point[2]) + "\n";
  }
  return text;
}

}  // namespace delassus
