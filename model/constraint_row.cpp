#include "model/constraint_row.hpp"

namespace delassus {

ConstraintRow point_row(Eigen::Vector3d const& d, Eigen::Vector3d const& d_rate, Eigen::Vector3d const& p,
                        Eigen::Vector3d const& p_rate, Twist const& plus, Twist const& minus) {
  ConstraintRow row;
  PointRows(p, p_rate, plus, minus).write(d, d_rate, row);
  return row;
}

ConstraintRow turn_row(Eigen::Vector3d const& axis, Eigen::Vector3d const& axis_rate, Twist const& plus,
                       Twist const& minus) {
  ConstraintRow row;
  row.plus_direction = row.minus_direction = Eigen::Vector3d::Zero();
  row.plus_moment = axis;
  row.minus_moment = -axis;
  Eigen::Vector3d const relative = plus.omega - minus.omega;
  row.velocity = axis.dot(relative);
  row.Jdot_v = axis_rate.dot(relative);
  return row;
}

}  // namespace delassus
