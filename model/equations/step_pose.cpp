#include "model/equations/step_pose.hpp"

#include <Eigen/LU>

namespace delassus {

template <class Scalar>
BodyPoseOf<Scalar> average_pose(BodyPoseOf<Scalar> const& start, BodyPoseOf<Scalar> const& end) {
  BodyPoseOf<Scalar> middle = start;
  middle.twist.origin = (start.twist.origin + end.twist.origin) / 2;
  middle.surface.origin = (start.surface.origin + end.surface.origin) / 2;
  middle.angle = (start.angle + end.angle) / 2;
  middle.R = (start.R + end.R) / 2;
  Vector3<Scalar> const O = start.R.transpose() * start.twist.omega;
  // A turn by half a revolution has no inverse; no step that long is accepted.
  Matrix3<Scalar> const inverse = middle.R.inverse();
  middle.twist.omega = inverse.transpose() * O;
  return middle;
}

template <class Scalar>
TwistOf<Scalar> twist_over_step(BodyPoseOf<Scalar> const& start, BodyPoseOf<Scalar> const& end, double h) {
  TwistOf<Scalar> twist;
  twist.origin = (start.twist.origin + end.twist.origin) / 2;
  twist.velocity = (end.twist.origin - start.twist.origin) / h;
  // Rodrigues' vector of the rotation from start to end: tan(angle/2) along its axis.
  Matrix3<Scalar> const turn = end.R * start.R.transpose();
  Scalar const scale = 2 / (h * (1 + turn.trace()));
  twist.omega =
      scale * Vector3<Scalar>(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
  return twist;
}

// Explicit instantiations for both scalars.
template BodyPoseOf<double> average_pose(BodyPoseOf<double> const&, BodyPoseOf<double> const&);
template BodyPoseOf<Dual> average_pose(BodyPoseOf<Dual> const&, BodyPoseOf<Dual> const&);
template TwistOf<double> twist_over_step(BodyPoseOf<double> const&, BodyPoseOf<double> const&, double);
template TwistOf<Dual> twist_over_step(BodyPoseOf<Dual> const&, BodyPoseOf<Dual> const&, double);

}  // namespace delassus
