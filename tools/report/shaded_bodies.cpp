#include "tools/report/shaded_bodies.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/numbers/elementary.hpp"

namespace delassus {
namespace {

using Eigen::Vector3d;

constexpr int samples_across = 2;  // of a pixel
constexpr double pi = std::numbers::pi;

double light_on(Vector3d const& normal) {
  static Vector3d const sun = Vector3d(0.5, -1, 1.6).normalized();
  double const sky = 0.62 + 0.2 * normal[2];
  return std::min(1.12, sky + 0.42 * std::max(0.0, normal.dot(sun)));
}

std::uint8_t channel(double value) {
  return static_cast<std::uint8_t>(std::clamp(value * 255 + 0.5, 0.0, 255.0));
}

// Two directions across an axis.
std::array<Vector3d, 2> across(Vector3d const& axis) {
  Vector3d const u = axis.unitOrthogonal();
  return {u, axis.cross(u)};
}

}  // namespace

double SceneEye::field_of_view() {
  return 38 * pi / 180;
}

SceneEye::SceneEye(Vector3d const& from, Vector3d const& at, double width, double height)
    : from_(from),
      forward_((at - from).normalized()),
      width_(width),
      height_(height),
      focal_(height / 2 / elementary::tan(field_of_view() / 2)),
      near_(1e-3 * (at - from).norm()) {
  right_ = forward_.cross(Vector3d::UnitZ()).normalized();
  up_ = right_.cross(forward_);
}

Vector3d SceneEye::project(Vector3d const& point) const {
  Vector3d const way = point - from_;
  double const depth = forward_.dot(way), scale = focal_ / std::max(depth, near_);
  return {width_ / 2 + scale * right_.dot(way), height_ / 2 - scale * up_.dot(way), depth};
}

ShadedBodies::ShadedBodies(SceneEye const& eye, int width, int height)
    : eye_(eye),
      width_(samples_across * width),
      height_(samples_across * height),
      samples_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_),
               Sample{std::numeric_limits<float>::infinity(), 0, 0, 0, false}) {}

void ShadedBodies::add_triangle(Corner const& a, Corner const& b, Corner const& c, Colour const& colour) {
  std::array<Vector3d, 3> p;
  std::array<double, 3> light{};
  std::size_t k = 0;
  for (Corner const* const corner : {&a, &b, &c}) {
    p[k] = eye_.project(corner->place);
    if (p[k][2] <= eye_.near()) return;
    p[k].head<2>() *= samples_across;
    light[k++] = light_on(corner->normal);
  }
  auto const edge = [](Vector3d const& u, Vector3d const& v, double x, double y) {
    return (v[0] - u[0]) * (y - u[1]) - (v[1] - u[1]) * (x - u[0]);
  };
  double const area = edge(p[0], p[1], p[2][0], p[2][1]);
  if (!(std::abs(area) > 1e-12)) return;
  auto const range = [&](Eigen::Index axis, int size) {
    auto const [low, high] = std::minmax({p[0][axis], p[1][axis], p[2][axis]});
    auto const last = static_cast<double>(size - 1);
    return std::array{static_cast<int>(std::clamp(std::floor(low), 0.0, last)),
                      static_cast<int>(std::clamp(std::ceil(high), -1.0, last))};
  };
  auto const [left, right] = range(0, width_);
  auto const [top, bottom] = range(1, height_);
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      double const sx = x + 0.5, sy = y + 0.5;
      double const w0 = edge(p[1], p[2], sx, sy) / area, w1 = edge(p[2], p[0], sx, sy) / area;
      double const w2 = 1 - w0 - w1;
      if (w0 < 0 || w1 < 0 || w2 < 0) continue;
      // One over the depth is linear on the screen.
      double const inverse = w0 / p[0][2] + w1 / p[1][2] + w2 / p[2][2];
      auto const depth = static_cast<float>(1 / inverse);
      Sample& sample = samples_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                static_cast<std::size_t>(x)];
      if (depth >= sample.depth) continue;
      double const shade = w0 * light[0] + w1 * light[1] + w2 * light[2];
      sample = {depth, channel(colour[0] * shade), channel(colour[1] * shade), channel(colour[2] * shade),
                true};
    }
  }
}

void ShadedBodies::add_box(Vector3d const& place, Eigen::Matrix3d const& R, Vector3d const& half,
                           Colour const& colour) {
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    for (double const side : {-1.0, 1.0}) {
      Vector3d const normal = side * R.col(axis), middle = place + half[axis] * normal;
      Vector3d const u = R.col((axis + 1) % 3) * half[(axis + 1) % 3],
                     v = R.col((axis + 2) % 3) * half[(axis + 2) % 3];
      Corner const a{middle - u - v, normal}, b{middle + u - v, normal}, c{middle + u + v, normal},
          d{middle - u + v, normal};
      add_triangle(a, b, c, colour);
      add_triangle(a, c, d, colour);
    }
  }
}

void ShadedBodies::add_ball(Vector3d const& place, Eigen::Matrix3d const& R, double radius,
                            Colour const& colour, Colour const& dark) {
  constexpr int around = 24, up = 12;
  auto const corner = [&](int i, int j) {
    double const turn = 2 * pi * i / around, rise = pi * j / up - pi / 2;
    Vector3d const out = R * Vector3d(elementary::cos(rise) * elementary::cos(turn),
                                      elementary::cos(rise) * elementary::sin(turn), elementary::sin(rise));
    return Corner{place + radius * out, out};
  };
  for (int j = 0; j < up; ++j) {
    for (int i = 0; i < around; ++i) {
      bool const field = (i / (around / 4) + j / (up / 2)) % 2 == 0;
      Corner const a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
      add_triangle(a, b, c, field ? colour : dark);
      add_triangle(a, c, d, field ? colour : dark);
    }
  }
}

void ShadedBodies::add_tube(Vector3d const& a, Vector3d const& b, double radius, Colour const& colour) {
  if ((b - a).norm() < 1e-12) return;
  constexpr int around = 20;
  auto const [u, v] = across((b - a).normalized());
  for (int i = 0; i < around; ++i) {
    auto const out = [&, u = u, v = v](int k) {
      double const turn = 2 * pi * k / around;
      return Vector3d(elementary::cos(turn) * u + elementary::sin(turn) * v);
    };
    Vector3d const one = out(i), two = out(i + 1);
    Corner const p{a + radius * one, one}, q{b + radius * one, one}, r{b + radius * two, two},
        s{a + radius * two, two};
    add_triangle(p, q, r, colour);
    add_triangle(p, r, s, colour);
  }
}

void ShadedBodies::draw_over(PixelPicture& picture) const {
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::size_t const at = 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                                  static_cast<std::size_t>(x));
      std::array<int, 3> sum{};
      for (int k = 0; k < samples_across * samples_across; ++k) {
        int const sx = samples_across * x + k % samples_across, sy = samples_across * y + k / samples_across;
        Sample const& sample = samples_[static_cast<std::size_t>(sy) * static_cast<std::size_t>(width_) +
                                        static_cast<std::size_t>(sx)];
        std::array<std::uint8_t, 3> const shown =
            sample.covered ? std::array{sample.r, sample.g, sample.b}
                           : std::array{picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]};
        for (std::size_t i = 0; i < 3; ++i) sum[i] += shown[i];
      }
      constexpr int count = samples_across * samples_across;
      for (std::size_t i = 0; i < 3; ++i)
        picture.rgba[at + i] = static_cast<std::uint8_t>((sum[i] + count / 2) / count);
    }
  }
}

}  // namespace delassus
