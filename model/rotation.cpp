#include "model/rotation.hpp"

#include <cmath>

namespace delassus {

Eigen::Matrix3d rotation_about_z(double angle) {
  double const c = std::cos(angle), s = std::sin(angle);
  return Eigen::Matrix3d{{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
}

Eigen::Matrix3d matrix_of(Quaternion const& quaternion) {
  double const squared_norm = quaternion.squaredNorm();
  if (!(squared_norm > 0)) return Eigen::Matrix3d::Identity();
  double const scale = 2 / squared_norm;
  double const w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
  return Eigen::Matrix3d{{1 - scale * (y * y + z * z), scale * (x * y - w * z), scale * (x * z + w * y)},
                         {scale * (x * y + w * z), 1 - scale * (x * x + z * z), scale * (y * z - w * x)},
                         {scale * (x * z - w * y), scale * (y * z + w * x), 1 - scale * (x * x + y * y)}};
}

Quaternion quaternion_of(Eigen::Vector3d const& rotation_vector) {
  double const angle = rotation_vector.norm();
  // sin(angle/2)/angle, by its series where the quotient would lose digits.
  double const half = angle / 2;
  double const factor = angle > 1e-4 ? std::sin(half) / angle : 0.5 - half * half / 12;
  Quaternion result;
  result << std::cos(half), factor * rotation_vector;
  return result;
}

Quaternion product(Quaternion const& a, Quaternion const& b) {
  Eigen::Vector3d const u = a.tail<3>(), v = b.tail<3>();
  Quaternion result;
  result << a[0] * b[0] - u.dot(v), a[0] * v + b[0] * u + u.cross(v);
  return result;
}

Quaternion quaternion_rate(Quaternion const& quaternion, Eigen::Vector3d const& omega) {
  Quaternion turning;
  turning << 0, omega / 2;
  return product(turning, quaternion);
}

Eigen::Matrix3d frame_with_first_axis(Eigen::Vector3d const& x) {
  Eigen::Matrix3d frame;
  if (x[2] == 0) {  // in the plane: a turn about z
    frame << x[0], -x[1], 0, x[1], x[0], 0, 0, 0, 1;
    return frame;
  }
  Eigen::Vector3d y, z;
  tangents_of(x, y, z);
  frame << x, y, z;
  return frame;
}

void tangents_of(Eigen::Vector3d const& n, Eigen::Vector3d& t1, Eigen::Vector3d& t2) {
  double const sign = std::copysign(1.0, n[2]);
  double const a = -1 / (sign + n[2]);
  double const b = n[0] * n[1] * a;
  t1 = {1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]};
  t2 = {b, sign + n[1] * n[1] * a, -n[1]};
}

}  // namespace delassus
