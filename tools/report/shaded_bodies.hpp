// Bodies in space as shaded pixels: triangles with a depth for each sample, four samples a pixel, light from the sky and the sun. The same
// scene gives the same pixels on every machine of one kind, without a graphics card.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "tools/image/png_writer.hpp"

namespace delassus {

using Colour = std::array<double, 3>;  // 0 to 1

// An eye that looks at a place, z up, in perspective.
class SceneEye {
 public:
  // `from` and `at` in m; `width` and `height` in pixels.
  SceneEye(Eigen::Vector3d const& from, Eigen::Vector3d const& at, double width, double height);
  // Pixels right and down, and the distance along the view, m: what is not in front of the eye has none that is > near().
  Eigen::Vector3d project(Eigen::Vector3d const& point) const;
  double near() const { return near_; }
  static double field_of_view();  // rad, upwards

 private:
  Eigen::Vector3d from_, right_, up_, forward_;
  double width_, height_, focal_, near_;
};

class ShadedBodies {
 public:
  ShadedBodies(SceneEye const& eye, int width, int height);

  struct Corner {
    Eigen::Vector3d place, normal;
  };
  void add_triangle(Corner const& a, Corner const& b, Corner const& c, Colour const& colour);
  void add_box(Eigen::Vector3d const& place, Eigen::Matrix3d const& R, Eigen::Vector3d const& half,
               Colour const& colour);
  // Eight fields, light and dark, so that it is seen to turn.
  void add_ball(Eigen::Vector3d const& place, Eigen::Matrix3d const& R, double radius, Colour const& colour,
                Colour const& dark);
  // Without its ends.
  void add_tube(Eigen::Vector3d const& a, Eigen::Vector3d const& b, double radius, Colour const& colour);

  void draw_over(PixelPicture& picture) const;

 private:
  struct Sample {
    float depth;
    std::uint8_t r, g, b;
    bool covered;
  };
  SceneEye eye_;
  int width_, height_;  // of samples
  std::vector<Sample> samples_;
};

}  // namespace delassus
