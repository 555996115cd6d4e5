#include "tools/package/icon.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

struct Point {
  double x = 0, y = 0;  // 0 to 100, y down
};

struct IconShape {
  std::array<int, 3> colour;  // red, green, blue
  double opacity = 1;
  std::vector<Point> outline;
};

constexpr std::array<int, 3> paper{0xf7, 0xf9, 0xfb}, edge{0xb9, 0xc2, 0xcb}, ink{0x3c, 0x48, 0x54},
    body{0x00, 0x72, 0xb2}, cone{0xe6, 0x9f, 0x00}, force{0xd5, 0x5e, 0x00};

void add_arc(std::vector<Point>& outline, Point centre, double rx, double ry, double from, double to) {
  constexpr int pieces = 16;
  for (int i = 0; i <= pieces; ++i) {
    double const angle = from + (to - from) * i / pieces;
    outline.push_back({centre.x + rx * elementary::cos(angle), centre.y + ry * elementary::sin(angle)});
  }
}

constexpr double half_turn = std::numbers::pi;

std::vector<Point> ellipse(Point centre, double rx, double ry) {
  std::vector<Point> outline;
  add_arc(outline, centre, rx, ry, 0, half_turn);
  add_arc(outline, centre, rx, ry, half_turn, 2 * half_turn);
  return outline;
}

std::vector<Point> rounded_square(double from, double to, double radius) {
  std::vector<Point> outline;
  double const low = from + radius, high = to - radius, quarter = half_turn / 2;
  add_arc(outline, {high, high}, radius, radius, 0, quarter);
  add_arc(outline, {low, high}, radius, radius, quarter, 2 * quarter);
  add_arc(outline, {low, low}, radius, radius, 2 * quarter, 3 * quarter);
  add_arc(outline, {high, low}, radius, radius, 3 * quarter, 4 * quarter);
  return outline;
}

// A line with round ends.
std::vector<Point> stroke(Point a, Point b, double width) {
  double const direction = elementary::atan2(b.y - a.y, b.x - a.x), quarter = half_turn / 2;
  std::vector<Point> outline;
  add_arc(outline, b, width / 2, width / 2, direction - quarter, direction + quarter);
  add_arc(outline, a, width / 2, width / 2, direction + quarter, direction + 3 * quarter);
  return outline;
}

std::vector<IconShape> shapes() {
  Point const tip{42, 76}, rim_left{16, 26}, rim_right{68, 26};
  double const rim_centre = (rim_left.x + rim_right.x) / 2, rim = (rim_right.x - rim_left.x) / 2;
  std::vector<IconShape> list{{edge, 1, rounded_square(2, 98, 16)}, {paper, 1, rounded_square(4, 96, 14)}};
  // The ground, hatched below.
  for (double x = 18; x < 92; x += 12) list.push_back({edge, 1, stroke({x, 80}, {x - 7, 89}, 2.2)});
  list.push_back({ink, 1, stroke({11, 79}, {89, 79}, 4)});
  // The cone: its mantle, then its rim.
  std::vector<Point> mantle{tip};
  add_arc(mantle, {rim_centre, rim_left.y}, rim, 7, half_turn, 0);
  list.push_back({cone, 0.35, mantle});
  list.push_back({cone, 0.45, ellipse({rim_centre, rim_left.y}, rim, 7)});
  list.push_back({cone, 1, stroke(tip, {rim_left.x + 0.3, rim_left.y + 1}, 1.8)});
  list.push_back({cone, 1, stroke(tip, {rim_right.x - 0.3, rim_right.y + 1}, 1.8)});
  // The rod, and the force of the ground on its tip.
  list.push_back({body, 1, stroke({tip.x + 4, tip.y - 4}, {83, 33}, 12)});
  list.push_back({paper, 1, ellipse({(tip.x + 4 + 83) / 2, (tip.y - 4 + 33) / 2}, 2.6, 2.6)});
  Point const head{33, 37};
  list.push_back({force, 1, stroke(tip, {head.x + 1.6, head.y + 7}, 4)});
  list.push_back(
      {force, 1, {{head.x - 1.6, head.y - 3}, {head.x + 8, head.y + 9}, {head.x - 4.6, head.y + 12}}});
  return list;
}

bool contains(std::vector<Point> const& outline, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, before = outline.size() - 1; i < outline.size(); before = i++) {
    Point const& a = outline[i];
    Point const& b = outline[before];
    if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

}  // namespace

std::string write_icon_svg() {
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\" width=\"100\" height=\"100\">\n"
      "<title>A rod on the ground, its contact force and the friction cone</title>\n";
  for (IconShape const& shape : shapes()) {
    std::string points;
    for (Point const& point : shape.outline)
      points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", point.x, point.y);
    svg += fmt::format("<polygon fill=\"#{:02x}{:02x}{:02x}\" fill-opacity=\"{}\" points=\"{}\"/>\n",
                       shape.colour[0], shape.colour[1], shape.colour[2], shape.opacity, points);
  }
  return svg + "</svg>\n";
}

// Each pixel is the mean of its samples; a shape lies over those before it.
PixelPicture icon_picture(int size) {
  constexpr int samples = 4;
  auto const list = shapes();
  PixelPicture picture{size, size, {}};
  double const step = 100.0 / (size * samples);
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      std::array<double, 3> sum{};
      double covered = 0;
      for (int sample = 0; sample < samples * samples; ++sample) {
        int const across = column * samples + sample % samples, down = row * samples + sample / samples;
        double const x = step * (across + 0.5), y = step * (down + 0.5);
        std::array<double, 3> colour{};
        double opacity = 0;
        for (IconShape const& shape : list) {
          if (!contains(shape.outline, x, y)) continue;
          for (std::size_t i = 0; i < 3; ++i) colour[i] += shape.opacity * (shape.colour[i] - colour[i]);
          opacity += shape.opacity * (1 - opacity);
        }
        covered += opacity;
        for (std::size_t i = 0; i < 3; ++i) sum[i] += colour[i];
      }
      for (double const channel : sum)
        picture.rgba.push_back(covered > 0 ? static_cast<std::uint8_t>(std::lround(channel / covered)) : 0);
      picture.rgba.push_back(static_cast<std::uint8_t>(std::lround(255 * covered / (samples * samples))));
    }
  }
  return picture;
}

}  // namespace delassus
