// A scene in space as pixels.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "model/numbers/elementary.hpp"
#include "tools/plot/svg_renderer.hpp"
#include "tools/report/scene_picture_parts.hpp"
#include "tools/report/shaded_bodies.hpp"

namespace delassus {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

Colour colour_of(std::string_view hex) {
  auto const part = [&](std::size_t at) {
    return std::stoi(std::string(hex.substr(at, 2)), nullptr, 16) / 255.0;
  };
  return {part(1), part(3), part(5)};
}

Colour darker(Colour colour) {
  Colour const edge = colour_of(body_edge);
  for (std::size_t i = 0; i < 3; ++i) colour[i] += 0.45 * (edge[i] - colour[i]);
  return colour;
}

// From the right, before and above, far enough to see all that moves.
SceneEye eye_of(TrackPlayer const& player, int width, int height) {
  Vector3d const middle = (player.low() + player.high()) / 2;
  double const radius = std::max(0.5 * (player.high() - player.low()).norm(), 1e-9);
  double const distance = 1.1 * radius / elementary::sin(SceneEye::field_of_view() / 2);
  return {middle + distance * Vector3d(0.45, -0.78, 0.42), middle, static_cast<double>(width),
          static_cast<double>(height)};
}

class SpacePicture {
 public:
  SpacePicture(TrackPlayer const& player, int width, int height)
      : player_(player), width_(width), height_(height), eye_(eye_of(player, width, height)) {}

  PixelPicture draw(SceneCaption const& caption) const {
    PixelPicture picture = render_pixels(below(), 1);
    ShadedBodies shaded(eye_, width_, height_);
    auto const& bodies = player_.drawing().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) shade(i, shaded);
    for (DrawnLink const& link : player_.drawing().links) {
      if (link.kind == DrawnLink::Kind::joint)
        shaded.add_ball(player_.point(link.a), Matrix3d::Identity(), 0.013 * player_.largest(),
                        {.1, .14, .19}, {.1, .14, .19});
    }
    shaded.draw_over(picture);
    render_over(picture, above(caption));
    return picture;
  }

 private:
  // A line in space, cut where it comes too near the eye.
  std::string line(Vector3d const& a, Vector3d const& b) const {
    std::string path;
    constexpr int parts = 24;
    bool down = false;
    for (int k = 0; k <= parts; ++k) {
      Vector3d const p = eye_.project(a + (b - a) * k / parts);
      bool const seen = p[2] > 20 * eye_.near() && std::abs(p[0]) < 1e4 && std::abs(p[1]) < 1e4;
      if (seen) path += fmt::format("{}{:.1f} {:.1f}", down ? "L" : "M", p[0], p[1]);
      down = seen;
    }
    return path;
  }

  void draw_lattice(PictureText& text, Vector3d const& middle, Vector3d const& u, Vector3d const& v,
                    int count, std::string_view colour) const {
    std::string path;
    for (int k = -count; k <= count; ++k) {
      double const share = static_cast<double>(k) / count;
      path += line(middle + share * u - v, middle + share * u + v);
      path += line(middle + share * v - u, middle + share * v + u);
    }
    text.add("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1\" d=\"{}\"/>\n", colour, path);
  }

  // The ground and walls, before which everything stands.
  std::string below() const {
    PictureText text;
    open_scene(text, width_, height_);
    text.add("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", width_, height_);
    Vector3d const middle = (player_.low() + player_.high()) / 2;
    double const largest = player_.largest();
    for (double const height : player_.drawing().grounds)
      draw_lattice(text, {middle[0], middle[1], height}, {1.5 * largest, 0, 0}, {0, 1.5 * largest, 0}, 12,
                   "#d3d9df");
    auto const& bodies = player_.drawing().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (DrawnShape const& shape : bodies[i].shapes) {
        if (shape.kind != "plane") continue;
        auto const [place, R] = placed(i, shape);
        Vector3d const n = R.col(0), near = middle - (middle - place).dot(n) * n;
        // As wide as the scene is along its two directions, so that walls meet in their edges.
        auto const half = [&, &R = R](Eigen::Index axis) {
          double const reach = R.col(axis).cwiseAbs().dot(player_.high() - player_.low()) / 2;
          return Vector3d(std::max(0.05 * largest, reach) * R.col(axis));
        };
        draw_lattice(text, near, half(1), half(2), 4, "#e3e7eb");
      }
    }
    text.add("</svg>\n");
    return text.take();
  }

  std::pair<Vector3d, Matrix3d> placed(std::size_t body, DrawnShape const& shape) const {
    PlayedPose const& pose = player_.poses()[body];
    Eigen::Quaterniond const turn(shape.turn[0], shape.turn[1], shape.turn[2], shape.turn[3]);
    return {pose.place + pose.R * shape.place, pose.R * turn.toRotationMatrix()};
  }

  void shade(std::size_t index, ShadedBodies& shaded) const {
    DrawnBody const& body = player_.drawing().bodies[index];
    Colour const colour = colour_of(body_colour(player_.hues()[index]));
    int const number = static_cast<int>(index);
    double const size = player_.largest();
    for (DrawnShape const& shape : body.shapes) {
      auto const [place, R] = placed(index, shape);
      if (shape.kind == "box") shaded.add_box(place, R, shape.half, colour);
      if (shape.kind == "sphere") shaded.add_ball(place, R, shape.radius, colour, darker(colour));
      if (shape.kind == "capsule") {
        Vector3d const half = shape.half[0] * R.col(0);
        shaded.add_ball(place + half, R, shape.radius, colour, darker(colour));
        shaded.add_ball(place - half, R, shape.radius, colour, darker(colour));
        shaded.add_tube(place - half, place + half, shape.radius, colour);
      }
      if (shape.kind == "box") add_marks(number, place, R, shape, shaded);
    }
    if (body.half_length > 0)
      shaded.add_tube(player_.point_on(number, {-body.half_length, 0, 0}),
                      player_.point_on(number, {body.half_length, 0, 0}), 0.009 * size, colour);
    if (body.shapes.empty() && body.half_length == 0 && body.moves) {
      Vector3d const origin = player_.poses()[index].place;
      for (Vector3d const& point : body.points)
        shaded.add_tube(origin, player_.point_on(number, point), 0.009 * size, colour);
      shaded.add_ball(origin, player_.poses()[index].R, 0.018 * size, colour, darker(colour));
    }
    Colour const edge = colour_of(body_edge);
    for (Vector3d const& point : body.points)
      shaded.add_ball(player_.point_on(number, point), Matrix3d::Identity(), 0.008 * size, edge, edge);
  }

  // Marks across the upper face of a belt, which go with its surface.
  void add_marks(int body, Vector3d const& place, Matrix3d const& R, DrawnShape const& shape,
                 ShadedBodies& shaded) const {
    Vector3d const way = player_.surface_way(body);
    if (std::ranges::none_of(player_.track().surfaces,
                             [&](SurfaceTrack const& surface) { return surface.body == body; }))
      return;
    Vector3d const direction = player_.surface_direction(body);
    Eigen::Index up = 0, along = 0;
    (R.transpose() * Vector3d::UnitZ()).cwiseAbs().maxCoeff(&up);
    Vector3d local = R.transpose() * direction;
    local[up] = 0;
    local.cwiseAbs().maxCoeff(&along);
    if (along == up) return;
    constexpr int count = 10;
    double const spacing = 2 * shape.half[along] / count, gone = way.dot(R.col(along));
    double const sign = R(2, up) < 0 ? -1 : 1;
    Vector3d half = shape.half;
    half[up] = 0.002 * player_.largest();
    half[along] = 0.12 * spacing;
    for (int k = 0; k < count; ++k) {
      double const at = -shape.half[along] + k * spacing + gone - spacing * std::floor(gone / spacing);
      shaded.add_box(place + R.col(along) * at + sign * R.col(up) * shape.half[up], R, half,
                     colour_of(body_edge));
    }
  }

  std::string above(SceneCaption const& caption) const {
    PictureText text;
    open_scene(text, width_, height_);
    for (DrawnLink const& link : player_.drawing().links) {
      if (link.kind != DrawnLink::Kind::joint)
        text.add("<path fill=\"none\" stroke=\"#1b2530\" stroke-width=\"1.6\" d=\"{}\"/>\n",
                 line(player_.point(link.a), player_.point(link.b)));
    }
    auto const forces = player_.forces();
    double const per_newton = 0.22 * player_.largest() / player_.usual_force();
    for (PlayedForce const& force : forces) {
      Vector3d const a = eye_.project(force.place), b = eye_.project(force.place + per_newton * force.force);
      if (a[2] <= eye_.near() || b[2] <= eye_.near()) continue;
      draw_arrow(text, a.head<2>(), b.head<2>(), force.input ? input_colour : force_colour,
                 forces.size() > 60 ? 1.6 : 2.8);
    }
    if (has_names(player_.drawing())) {
      std::vector<PlacedName> names;
      auto const& bodies = player_.drawing().bodies;
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        Vector3d const at = eye_.project(player_.poses()[i].place);
        if (at[2] > eye_.near() && (bodies[i].moves || has_form(bodies[i])))
          names.push_back({bodies[i].name, at.head<2>()});
      }
      draw_names(text, names, width_);
    }
    close_scene(text, caption, width_);
    return text.take();
  }

  TrackPlayer const& player_;
  int width_, height_;
  SceneEye eye_;
};

}  // namespace

PixelPicture space_picture(TrackPlayer const& player, SceneCaption const& caption, int width, int height) {
  return SpacePicture(player, width, height).draw(caption);
}

}  // namespace delassus
