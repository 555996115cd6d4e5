#include "model/equations/constraint_row.hpp"

namespace delassus {

template <class Scalar>
ConstraintRowOf<Scalar> point_row(Vector3<Scalar> const& d, Vector3<Scalar> const& d_rate,
                                  Vector3<Scalar> const& p, Vector3<Scalar> const& p_rate,
                                  TwistOf<Scalar> const& plus, TwistOf<Scalar> const& minus) {
  ConstraintRowOf<Scalar> row;
  PointRows<Scalar>(p, p_rate, plus, minus).write(d, d_rate, row);
  return row;
}

template <class Scalar>
ConstraintRowOf<Scalar> turn_row(Vector3<Scalar> const& axis, Vector3<Scalar> const& axis_rate,
                                 TwistOf<Scalar> const& plus, TwistOf<Scalar> const& minus) {
  ConstraintRowOf<Scalar> row;
  row.plus_direction = row.minus_direction = Vector3<Scalar>::Zero();
  row.plus_moment = axis;
  row.minus_moment = -axis;
  Vector3<Scalar> const relative = plus.omega - minus.omega;
  row.velocity = axis.dot(relative);
  row.Jdot_v = axis_rate.dot(relative);
  return row;
}

// Explicit instantiations for both scalars.
template ConstraintRowOf<double> point_row(Vector3<double> const&, Vector3<double> const&,
                                           Vector3<double> const&, Vector3<double> const&,
                                           TwistOf<double> const&, TwistOf<double> const&);
template ConstraintRowOf<Dual> point_row(Vector3<Dual> const&, Vector3<Dual> const&, Vector3<Dual> const&,
                                         Vector3<Dual> const&, TwistOf<Dual> const&, TwistOf<Dual> const&);
template ConstraintRowOf<double> turn_row(Vector3<double> const&, Vector3<double> const&,
                                          TwistOf<double> const&, TwistOf<double> const&);
template ConstraintRowOf<Dual> turn_row(Vector3<Dual> const&, Vector3<Dual> const&, TwistOf<Dual> const&,
                                        TwistOf<Dual> const&);

}  // namespace delassus
