// The shapes that can touch. Each is a core (point, segment, plane or box) with a radius around it: a sphere
// is a point with a radius, a capsule a segment with a radius. Every contact is then between two features of
// cores: vertices, edges or faces.
#pragma once

#include <Eigen/Core>

#include "model/geometry/dual.hpp"

namespace delassus {

enum class ShapeKind { point, plane, sphere, capsule, box };

// A shape in its own frame.
template <class Scalar>
struct ShapeGeometryOf {
  ShapeKind kind = ShapeKind::point;
  Scalar radius = 0;                               // m, sphere and capsule
  Vector3<Scalar> half = Vector3<Scalar>::Zero();  // m, half extents: of a box along its axes; of a capsule
                                                   // half[0] along x, from the middle to a centre of a cap
};

// The pose of a shape in the world. The first column of R of a plane is its normal, which points out of the
// half-space.
template <class Scalar>
struct ShapePoseOf {
  Vector3<Scalar> position = Vector3<Scalar>::Zero();
  Matrix3<Scalar> R = Matrix3<Scalar>::Identity();
};

using ShapeGeometry = ShapeGeometryOf<double>;
using ShapePose = ShapePoseOf<double>;

}  // namespace delassus
