// One row of a constraint between two bodies: its dependence on their velocities, and its rates.
//
// A row measures the velocity of a point p along a direction d, on the one body (plus) relative to the other
// (minus):
//
//   w = d . (V_plus(p) - V_minus(p)),   V(p) = v + omega x (p - x)
//
// or the angular velocity about an axis. If d or p move (a contact point on a rolling sphere, a guide that
// turns), dw/dt with constant v and omega is the Jdot v of the papers:
//
//   d' . (V_plus - V_minus) + d . (omega_plus x (p' - v_plus) - omega_minus x (p' - v_minus)).
#pragma once

#include <Eigen/Core>

#include "model/geometry/narrow_phase.hpp"

namespace delassus {

template <class Scalar>
struct ConstraintRowOf {
  // Unit force and moment about the centre of mass on each side, for lambda = 1.
  Vector3<Scalar> plus_direction, plus_moment, minus_direction, minus_moment;
  Scalar velocity = 0;
  Scalar Jdot_v = 0;
  Scalar Psi = 0;  // for position rows
};
using ConstraintRow = ConstraintRowOf<double>;

// The row of a factor times what this one measures; Psi stays.
template <class Scalar>
ConstraintRowOf<Scalar> scaled(ConstraintRowOf<Scalar> row, Scalar const& factor) {
  for (Vector3<Scalar>* part :
       {&row.plus_direction, &row.plus_moment, &row.minus_direction, &row.minus_moment})
    *part *= factor;
  row.velocity *= factor;
  row.Jdot_v *= factor;
  return row;
}

// The part of the rows at one point that does not depend on their directions.
template <class Scalar>
class PointRows {
 public:
  PointRows(Vector3<Scalar> const& p, Vector3<Scalar> const& p_rate, TwistOf<Scalar> const& plus,
            TwistOf<Scalar> const& minus)
      : plus_arm_(p - plus.origin),
        minus_arm_(p - minus.origin),
        relative_((plus.velocity + plus.omega.cross(plus_arm_)) -
                  (minus.velocity + minus.omega.cross(minus_arm_))),
        turning_(plus.omega.cross(p_rate - plus.origin_rate()) -
                 minus.omega.cross(p_rate - minus.origin_rate())) {}

  void write(Vector3<Scalar> const& d, Vector3<Scalar> const& d_rate, ConstraintRowOf<Scalar>& row) const {
    row.plus_direction = d;
    row.plus_moment = plus_arm_.cross(d);
    row.minus_direction = -d;
    row.minus_moment = d.cross(minus_arm_);
    row.velocity = d.dot(relative_);
    row.Jdot_v = d_rate.dot(relative_) + d.dot(turning_);
  }

 private:
  Vector3<Scalar> plus_arm_, minus_arm_, relative_, turning_;
};

template <class Scalar>
ConstraintRowOf<Scalar> point_row(Vector3<Scalar> const& d, Vector3<Scalar> const& d_rate,
                                  Vector3<Scalar> const& p, Vector3<Scalar> const& p_rate,
                                  TwistOf<Scalar> const& plus, TwistOf<Scalar> const& minus);

template <class Scalar>
ConstraintRowOf<Scalar> turn_row(Vector3<Scalar> const& axis, Vector3<Scalar> const& axis_rate,
                                 TwistOf<Scalar> const& plus, TwistOf<Scalar> const& minus);

}  // namespace delassus
