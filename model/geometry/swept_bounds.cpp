// Two boxes contain the way, and so does their intersection.
//
// The first: a point of the shape at r from the centre of mass moves at most |omega| |r| T beside the way of
// the centre, so the box at the start, moved along with the centre and grown by that, contains it. This is
// tight for small turns.
//
// The second: the shape stays within the largest |r| of the centre. This is tight for fast spin.
#include "model/geometry/swept_bounds.hpp"

#include <limits>

namespace delassus {

Bounds swept_bounds(MovingShape const& moving, double duration, double margin) {
  Twist const& twist = moving.twist;
  Eigen::Vector3d const way = duration * twist.velocity;
  bool const turns = !twist.omega.isZero(0);
  if (moving.shape.kind == ShapeKind::plane && turns) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {Eigen::Vector3d::Constant(-infinity), Eigen::Vector3d::Constant(infinity)};
  }
  Bounds const start = bounds_of(moving.shape, moving.pose, margin);
  Bounds bounds{start.low + way.cwiseMin(0), start.high + way.cwiseMax(0)};
  if (!turns) return bounds;
  bool const round = moving.shape.kind == ShapeKind::sphere || moving.shape.kind == ShapeKind::capsule;
  double const core = moving.shape.kind == ShapeKind::box       ? moving.shape.half.norm()
                      : moving.shape.kind == ShapeKind::capsule ? moving.shape.half[0]
                                                                : 0,
               reach = (moving.pose.position - twist.origin).norm() + core,
               grown = twist.omega.norm() * duration * reach;
  bounds.low.array() -= grown;
  bounds.high.array() += grown;
  Eigen::Vector3d const ball = Eigen::Vector3d::Constant(reach + (round ? moving.shape.radius : 0) + margin);
  bounds.low = bounds.low.cwiseMax(twist.origin + way.cwiseMin(0) - ball);
  bounds.high = bounds.high.cwiseMin(twist.origin + way.cwiseMax(0) + ball);
  return bounds;
}

}  // namespace delassus
