// The shapes that bodies touch each other with. Each is a core - a point, a segment, a plane, a box - blown
// up by a radius: a sphere is a point with a radius, a capsule a segment with one. Every contact is then one
// between two features of cores: vertices, edges, faces.
#pragma once

#include <Eigen/Core>

namespace delassus {

enum class ShapeKind { point, plane, sphere, capsule, box };

// A shape in its own frame.
struct ShapeGeometry {
  ShapeKind kind = ShapeKind::point;
  double radius = 0;                               // m, sphere and capsule
  Eigen::Vector3d half = Eigen::Vector3d::Zero();  // m, half extents: of a box along its axes; of a capsule
                                                   // half[0] along x, from the middle to a centre of a cap
};

// Where a shape is in the world. The half-space of a plane lies below its position; its normal, which points
// out of it, is the first column of R.
struct ShapePose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};

}  // namespace delassus
