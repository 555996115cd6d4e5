// Shapes of a scene with the numbers of its parameters, placed by the poses of their bodies.
#include <cmath>

#include "model/scene_system.hpp"

namespace delassus {
namespace {

double at(std::span<const double> parameter, int index) {
  return parameter[static_cast<std::size_t>(index)];
}

Eigen::Vector3d up(Scene const& scene) {
  return scene.dimension == 2 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
}

Eigen::Matrix3d frame_of_plane(Scene const& scene, Eigen::Vector3d const& normal) {
  return frame_with_first_axis(normal.isZero(0) ? up(scene) : Eigen::Vector3d(normal.stableNormalized()));
}

}  // namespace

ShapeGeometry geometry_of(Scene const& scene, Shape const& shape, std::span<const double> parameter) {
  ShapeGeometry geometry;
  geometry.kind = shape.kind;
  if (shape.radius >= 0) geometry.radius = at(parameter, shape.radius);
  if (shape.half_length >= 0) geometry.half[0] = at(parameter, shape.half_length);
  if (shape.half_size >= 0) geometry.half = vector_parameter(parameter, shape.half_size, scene.dimension);
  return geometry;
}

PlacedShape place(Scene const& scene, ContactSide const& side, int height, BodyPose const& body,
                  std::span<const double> parameter) {
  PlacedShape placed;
  if (side.shape < 0) {
    if (side.point.body != ground_body) {
      placed.geometry.kind = ShapeKind::point;
      placed.pose = {body.point(point_in_body(scene, side.point, parameter)), body.R};
      return placed;
    }
    placed.geometry.kind = ShapeKind::plane;
    placed.pose = {at(parameter, height) * up(scene), frame_with_first_axis(up(scene))};
    return placed;
  }
  Shape const& shape = scene.shapes[static_cast<std::size_t>(side.shape)];
  placed.geometry = geometry_of(scene, shape, parameter);
  placed.pose.position = body.point(vector_parameter(parameter, shape.position, scene.dimension));
  if (shape.kind == ShapeKind::plane) {
    placed.pose.R =
        body.R * frame_of_plane(scene, vector_parameter(parameter, shape.normal, scene.dimension));
  } else if (shape.rotation >= 0) {
    placed.pose.R = body.R * rotation_parameter(scene, parameter, shape.rotation);
  } else {
    placed.pose.R = body.R;
  }
  return placed;
}

}  // namespace delassus
