#include "model/equations/step_pose.hpp"

#include <Eigen/LU>

namespace delassus {
namespace {

// rad: f differs from 1 by the square of it, below rounding.
constexpr double least_turn = 1e-8;

}  // namespace

template <class Scalar>
BodyPoseOf<Scalar> average_pose(BodyPoseOf<Scalar> const& start, BodyPoseOf<Scalar> const& end,
                                int dimension) {
  BodyPoseOf<Scalar> middle = start;
  middle.twist.origin = (start.twist.origin + end.twist.origin) / 2;
  middle.surface.origin = (start.surface.origin + end.surface.origin) / 2;
  middle.angle = (start.angle + end.angle) / 2;
  middle.R = (start.R + end.R) / 2;
  if (dimension == 2) return middle;
  Vector3<Scalar> const O = start.R.transpose() * start.twist.omega;
  // A turn by half a revolution has no inverse; no step that long is accepted.
  Matrix3<Scalar> const inverse = middle.R.inverse();
  middle.twist.omega = inverse.transpose() * O;
  return middle;
}

template <class Scalar>
TwistOf<Scalar> twist_over_step(BodyPoseOf<Scalar> const& start, BodyPoseOf<Scalar> const& end, double h,
                                int dimension, bool spins) {
  TwistOf<Scalar> twist;
  twist.origin = (start.twist.origin + end.twist.origin) / 2;
  twist.velocity = (end.twist.origin - start.twist.origin) / h;
  if (dimension == 2 && spins) {
    twist.omega = {0, 0, (end.angle - start.angle) / h};
    return twist;
  }
  // Rodrigues' vector of the rotation from start to end: tan(angle/2) along its axis.
  Matrix3<Scalar> const turn = end.R * start.R.transpose();
  Scalar const scale = 2 / (h * (1 + turn.trace()));
  twist.omega =
      scale * Vector3<Scalar>(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
  if (!spins) return twist;
  Scalar const half = h * twist.omega.norm() / 2;
  if (half > least_turn) twist.omega *= atan2(half, Scalar(1.0)) / half;
  return twist;
}

template <class Scalar>
Scalar turn_by_cayley(Scalar const& turn) {
  Scalar const half = turn / 2;
  if (!(half > least_turn)) return Scalar(1.0);
  return sin(half) / (half * cos(half));
}

// Explicit instantiations for both scalars.
template BodyPoseOf<double> average_pose(BodyPoseOf<double> const&, BodyPoseOf<double> const&, int);
template BodyPoseOf<Dual> average_pose(BodyPoseOf<Dual> const&, BodyPoseOf<Dual> const&, int);
template TwistOf<double> twist_over_step(BodyPoseOf<double> const&, BodyPoseOf<double> const&, double, int,
                                         bool);
template TwistOf<Dual> twist_over_step(BodyPoseOf<Dual> const&, BodyPoseOf<Dual> const&, double, int, bool);
template double turn_by_cayley(double const&);
template Dual turn_by_cayley(Dual const&);

}  // namespace delassus
