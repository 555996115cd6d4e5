// A scene in the plane as SVG.
#include <Eigen/Geometry>
#include <cmath>

#include "model/numbers/elementary.hpp"
#include "model/scene/number.hpp"
#include "tools/report/scene_picture_parts.hpp"

namespace delassus {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

class PlanePicture {
 public:
  PlanePicture(TrackPlayer const& player, int width, int height)
      : player_(player), width_(width), height_(height) {
    double const largest = player.largest(), room = 0.16 * largest;
    Vector3d const size = player.high() - player.low();
    scale_ = std::min(width / (std::max(size[0], 0.25 * largest) + 2 * room),
                      (height - 40) / (std::max(size[1], 0.25 * largest) + 2 * room));
    middle_ = ((player.low() + player.high()) / 2).head<2>();
  }

  std::string draw(SceneCaption const& caption) {
    open_scene(text_, width_, height_);
    text_.add("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", width_, height_);
    draw_grid();
    for (double const ground : player_.drawing().grounds) draw_half_plane({0, ground}, {0, 1}, 0);
    auto const& bodies = player_.drawing().bodies;
    for (bool const moves : {false, true}) {
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].moves == moves) draw_body(i);
      }
    }
    for (DrawnLink const& link : player_.drawing().links) draw_link(link);
    double const per_newton = 0.22 * player_.largest() * scale_ / player_.usual_force();
    for (PlayedForce const& force : player_.forces()) {
      Vector2d const from = screen(force.place), way(force.force[0], -force.force[1]);
      draw_arrow(text_, from, from + per_newton * way, force.input ? input_colour : force_colour, 2.8);
    }
    if (has_names(player_.drawing())) draw_names(text_, names_, width_);
    close_scene(text_, caption, width_);
    return text_.take();
  }

 private:
  Vector2d screen(Vector3d const& point) const {
    return {width_ / 2.0 + (point[0] - middle_[0]) * scale_,
            (height_ + 20) / 2.0 - (point[1] - middle_[1]) * scale_};
  }
  std::string at(Vector3d const& point) const { return at(screen(point)); }
  static std::string at(Vector2d const& pixel) { return fmt::format("{:.1f} {:.1f}", pixel[0], pixel[1]); }

  // Lines at round lengths, and how long one of their squares is.
  void draw_grid() {
    double const wanted = 90 / scale_, power = elementary::pow(10, std::floor(elementary::log10(wanted)));
    double step = power;
    for (double const digit : {2.0, 5.0, 10.0}) {
      if (step < wanted) step = digit * power;
    }
    double const half_width = width_ / 2.0 / scale_, half_height = (height_ + 20) / 2.0 / scale_;
    std::string path;
    for (double k = std::ceil((middle_[0] - half_width) / step); k * step < middle_[0] + half_width; ++k)
      path += fmt::format("M{:.1f} 0V{}", screen({k * step, 0, 0})[0], height_);
    for (double k = std::ceil((middle_[1] - half_height) / step); k * step < middle_[1] + half_height; ++k)
      path += fmt::format("M0 {:.1f}H{}", screen({0, k * step, 0})[1], width_);
    text_.add("<path stroke=\"{}\" fill=\"none\" d=\"{}\"/>\n", grid_colour, path);
    double const right = width_ - 16, left = right - step * scale_, low = height_ - 14;
    text_.add(
        "<path stroke=\"{0}\" stroke-width=\"1.5\" fill=\"none\" d=\"M{1:.1f} {2:.1f}v4H{3:.1f}v-4\"/><text "
        "x=\"{4:.1f}\" y=\"{5:.1f}\" text-anchor=\"middle\" fill=\"{0}\">{6:.3g} m</text>\n",
        soft_ink, left, low - 4, right, (left + right) / 2, low - 5, step);
  }

  // A line, and strokes on the side where nothing can be; `gone`: how far they went along it to the right, seen with the normal up.
  void draw_half_plane(Vector2d const& place, Vector2d const& normal, double gone) {
    Vector2d const along(normal[1], normal[0]), out(normal[0], -normal[1]);
    Vector2d const origin = screen({place[0], place[1], 0});
    Vector2d const centre(width_ / 2.0, height_ / 2.0);
    double const shift = (centre - origin).dot(along), reach = width_ + height_;
    Vector2d const base = origin + shift * along;
    std::string path;
    double const spacing = 14, offset = shift - gone * scale_;
    for (double s = -reach - (offset - spacing * std::floor(offset / spacing)); s < reach; s += spacing) {
      Vector2d const p = base + s * along;
      if (p[0] < -20 || p[0] > width_ + 20 || p[1] < -20 || p[1] > height_ + 20) continue;
      path += "M" + at(p) + "L" + at(Vector2d(p - 9 * out - 7 * along));
    }
    text_.add("<path stroke=\"{}\" fill=\"none\" d=\"{}\"/>\n", still_colour, path);
    text_.add("<path stroke=\"#9aa5b1\" stroke-width=\"2\" d=\"M{}L{}\"/>\n",
              at(Vector2d(base - reach * along)), at(Vector2d(base + reach * along)));
  }

  void draw_body(std::size_t index) {
    DrawnBody const& body = player_.drawing().bodies[index];
    PlayedPose const& pose = player_.poses()[index];
    int const number = static_cast<int>(index);
    std::string_view const colour = body_colour(player_.hues()[index]);
    Vector3d const way = player_.surface_way(number);
    bool const belt = std::ranges::any_of(
        player_.track().surfaces, [&](SurfaceTrack const& surface) { return surface.body == number; });
    if (belt && body.shapes.empty()) draw_belt(body, player_.surface_direction(number), way);
    for (DrawnShape const& shape : body.shapes) draw_shape(pose, shape, colour, belt, way);
    Vector2d const origin = screen(pose.place);
    if (body.half_length > 0)
      draw_bar(player_.point_on(number, {-body.half_length, 0, 0}),
               player_.point_on(number, {body.half_length, 0, 0}), 7, colour);
    if (body.shapes.empty() && body.half_length == 0 && !belt) {
      for (Vector3d const& point : body.points)
        draw_bar(pose.place, player_.point_on(number, point), 4, colour);
      if (body.moves || body.points.empty())
        text_.add(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\" fill=\"{}\" stroke=\"{}\" "
            "stroke-width=\"1.6\"/>\n",
            origin[0] - 7, origin[1] - 7, colour, body_edge);
    }
    for (Vector3d const& point : body.points) {
      Vector2d const p = screen(player_.point_on(number, point));
      text_.add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", p[0], p[1], body_edge);
    }
    if (body.moves || belt || body.shapes.empty() || has_form(body))
      names_.push_back(
          {body.name, belt && body.shapes.empty() ? Vector2d(origin[0], origin[1] + 40) : origin});
  }

  void draw_shape(PlayedPose const& pose, DrawnShape const& shape, std::string_view colour, bool belt,
                  Vector3d const& way) {
    Eigen::Quaterniond const turn(shape.turn[0], shape.turn[1], shape.turn[2], shape.turn[3]);
    Eigen::Matrix3d const R = pose.R * turn.toRotationMatrix();
    Vector3d const place = pose.place + pose.R * shape.place;
    if (shape.kind == "plane") {
      Vector3d const n = R.col(0);
      draw_half_plane(place.head<2>(), n.head<2>(), way[0] * n[1] - way[1] * n[0]);
      return;
    }
    double const radius = shape.radius * scale_;
    std::string path;
    Vector3d const a = shape.half[0] * R.col(0), b = shape.half[1] * R.col(1);
    if (shape.kind == "box") {
      path = "M" + at(Vector3d(place - a + b)) + "L" + at(Vector3d(place + a + b)) + "L" +
             at(Vector3d(place + a - b)) + "L" + at(Vector3d(place - a - b)) + "Z";
    } else if (shape.kind == "sphere") {
      Vector3d const right = shape.radius * R.col(0);
      path = fmt::format("M{0}A{1:.2f} {1:.2f} 0 1 0 {2}A{1:.2f} {1:.2f} 0 1 0 {0}",
                         at(Vector3d(place + right)), radius, at(Vector3d(place - right)));
      path += "L" + at(place);  // so that it is seen to turn
    } else {
      Vector3d const up = shape.radius * R.col(1);
      path = fmt::format("M{0}L{1}A{4:.2f} {4:.2f} 0 0 1 {2}L{3}A{4:.2f} {4:.2f} 0 0 1 {0}Z",
                         at(Vector3d(place - a + up)), at(Vector3d(place + a + up)),
                         at(Vector3d(place + a - up)), at(Vector3d(place - a - up)), radius);
    }
    text_.add("<path fill=\"{}\" fill-opacity=\".85\" stroke=\"{}\" stroke-width=\"1.6\" d=\"{}\"/>\n",
              colour, body_edge, path);
    if (belt)  // marks that run around the outline, on its upper side as the surface does
      text_.add(
          "<path fill=\"none\" stroke=\"{}\" stroke-width=\"4\" stroke-dasharray=\"10 12\" "
          "stroke-dashoffset=\"{:.1f}\" stroke-linecap=\"butt\" d=\"{}\"/>\n",
          body_edge, -std::fmod(way.dot(R.col(0)) * scale_, 22), path);
  }

  // A belt whose form is not known: a band below what slides on it, with marks that go with it.
  void draw_belt(DrawnBody const& body, Vector3d const& direction, Vector3d const& way) {
    Vector2d const u(direction[0], -direction[1]);
    Vector2d const n = u[0] >= 0 ? Vector2d(-u[1], u[0]) : Vector2d(u[1], -u[0]);
    Vector2d const origin = screen(body.place) + 9 * n;
    double const reach = 2 * width_, spacing = 26, gone = way.dot(direction) * scale_;
    Vector2d const a = origin - reach * u, b = origin + reach * u;
    text_.add("<path fill=\"{}\" stroke=\"{}\" stroke-width=\"1.4\" d=\"M{}L{}L{}L{}Z\"/>\n", still_colour,
              body_edge, at(a), at(b), at(Vector2d(b + 9 * n)), at(Vector2d(a + 9 * n)));
    std::string path;
    for (double s = -reach + gone - spacing * std::floor(gone / spacing); s < reach; s += spacing) {
      Vector2d const tip = origin + s * u + 4.5 * n;
      path +=
          "M" + at(Vector2d(tip - 4 * u - 3 * n)) + "L" + at(tip) + "L" + at(Vector2d(tip - 4 * u + 3 * n));
    }
    text_.add("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" d=\"{}\"/>\n", body_edge, path);
  }

  void draw_bar(Vector3d const& a, Vector3d const& b, double width, std::string_view colour) {
    for (auto const& [stroke, wide] : {std::pair{body_edge, width + 2.5}, {colour, width}})
      text_.add("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\" d=\"M{}L{}\"/>\n", stroke, wide,
                at(a), at(b));
  }

  void draw_link(DrawnLink const& link) {
    Vector2d const a = screen(player_.point(link.a));
    if (link.kind == DrawnLink::Kind::joint) {
      text_.add(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" fill=\"#ffffff\" stroke=\"#1b2530\" "
          "stroke-width=\"1.6\"/>\n",
          a[0], a[1]);
      return;
    }
    Vector2d const b = screen(player_.point(link.b)), way = b - a;
    std::string path = "M" + at(a);
    if (link.kind == DrawnLink::Kind::spring && way.norm() > 1) {
      Vector2d const side = Vector2d(-way[1], way[0]).normalized();
      constexpr int turns = 12;
      for (int k = 1; k < turns; ++k) {
        double const out = k == 1 || k == turns - 1 ? 0 : k % 2 == 0 ? 6 : -6;
        path += "L" + at(Vector2d(a + way * k / turns + out * side));
      }
    }
    text_.add("<path fill=\"none\" stroke=\"#1b2530\" stroke-width=\"1.6\" d=\"{}L{}\"/>\n", path, at(b));
  }

  TrackPlayer const& player_;
  int width_, height_;
  double scale_ = 1;
  Vector2d middle_;
  PictureText text_;
  std::vector<PlacedName> names_;
};

}  // namespace

std::string plane_svg(TrackPlayer const& player, SceneCaption const& caption, int width, int height) {
  return PlanePicture(player, width, height).draw(caption);
}

}  // namespace delassus
