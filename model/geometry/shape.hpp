// The shapes that bodies touch each other with. Each is a core - a point, a segment, a plane, a box - blown
// up by a radius: a sphere is a point with a radius, a capsule a segment with one. Every contact is then one
// between two features of cores: vertices, edges, faces.
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

// Where a shape is in the world. The half-space of a plane lies below its position; its normal, which points
// out of it, is the first column of R.
template <class Scalar>
struct ShapePoseOf {
  Vector3<Scalar> position = Vector3<Scalar>::Zero();
  Matrix3<Scalar> R = Matrix3<Scalar>::Identity();
};

using ShapeGeometry = ShapeGeometryOf<double>;
using ShapePose = ShapePoseOf<double>;

}  // namespace delassus
