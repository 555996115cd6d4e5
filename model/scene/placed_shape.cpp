#include "model/scene/placed_shape.hpp"

#include <cmath>

namespace delassus {
namespace {

template <class Scalar>
Vector3<Scalar> up(Scene const& scene) {
  return scene.dimension == 2 ? Vector3<Scalar>::UnitY() : Vector3<Scalar>::UnitZ();
}

template <class Scalar>
Matrix3<Scalar> frame_of_plane(Scene const& scene, Vector3<Scalar> const& normal) {
  return frame_with_first_axis<Scalar>(normal.isZero(0) ? up<Scalar>(scene)
                                                        : Vector3<Scalar>(normal.stableNormalized()));
}

}  // namespace

template <class Scalar>
ShapeGeometryOf<Scalar> geometry_of(Scene const& scene, Shape const& shape,
                                    std::span<const Scalar> parameter) {
  ShapeGeometryOf<Scalar> geometry;
  geometry.kind = shape.kind;
  if (shape.radius >= 0) geometry.radius = number_parameter<Scalar>(parameter, shape.radius);
  if (shape.half_length >= 0) geometry.half[0] = number_parameter<Scalar>(parameter, shape.half_length);
  if (shape.half_size >= 0)
    geometry.half = vector_parameter<Scalar>(parameter, shape.half_size, scene.dimension);
  return geometry;
}

template <class Scalar>
PlacedShapeOf<Scalar> place(Scene const& scene, ContactSide const& side, int height,
                            BodyPoseOf<Scalar> const& body, std::span<const Scalar> parameter) {
  PlacedShapeOf<Scalar> placed;
  if (side.shape < 0) {
    if (side.point.body != ground_body) {
      placed.geometry.kind = ShapeKind::point;
      placed.pose = {body.point(point_in_body<Scalar>(scene, side.point, parameter)), body.R};
      return placed;
    }
    placed.geometry.kind = ShapeKind::plane;
    placed.pose = {number_parameter<Scalar>(parameter, height) * up<Scalar>(scene),
                   frame_with_first_axis<Scalar>(up<Scalar>(scene))};
    return placed;
  }
  Shape const& shape = scene.shapes[static_cast<std::size_t>(side.shape)];
  placed.geometry = geometry_of<Scalar>(scene, shape, parameter);
  placed.pose.position = body.point(vector_parameter<Scalar>(parameter, shape.position, scene.dimension));
  if (shape.kind == ShapeKind::plane) {
    placed.pose.R = body.R * frame_of_plane<Scalar>(
                                 scene, vector_parameter<Scalar>(parameter, shape.normal, scene.dimension));
  } else if (shape.rotation >= 0) {
    placed.pose.R = body.R * rotation_parameter<Scalar>(scene, parameter, shape.rotation);
  } else {
    placed.pose.R = body.R;
  }
  return placed;
}

PlacedShape values_of(PlacedShapeOf<Dual> const& placed) {
  PlacedShape values;
  values.geometry.kind = placed.geometry.kind;
  values.geometry.radius = placed.geometry.radius.value;
  values.geometry.half = values_of(placed.geometry.half);
  values.pose = {values_of(placed.pose.position), values_of(placed.pose.R)};
  return values;
}

// Explicit instantiations for both scalars.
template PlacedShapeOf<double> place(Scene const&, ContactSide const&, int, BodyPoseOf<double> const&,
                                     std::span<const double>);
template PlacedShapeOf<Dual> place(Scene const&, ContactSide const&, int, BodyPoseOf<Dual> const&,
                                   std::span<const Dual>);
template ShapeGeometryOf<double> geometry_of(Scene const&, Shape const&, std::span<const double>);
template ShapeGeometryOf<Dual> geometry_of(Scene const&, Shape const&, std::span<const Dual>);

}  // namespace delassus
