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
  // cos(angle/2) and sin(angle/2)/angle. Below 0.06 rad, which a step rarely exceeds, by their series, exact to
  // rounding: faster, and the quotient loses no digits.
  double const square = rotation_vector.squaredNorm() / 4;
  double cosine = 0, factor = 0;
  if (square < 1e-3) {
    cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)));
    factor = 0.5 - square / 12 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72)));
  } else {
    double const half = std::sqrt(square);
    cosine = std::cos(half);
    factor = std::sin(half) / (2 * half);
  }
  return {cosine, factor * rotation_vector[0], factor * rotation_vector[1], factor * rotation_vector[2]};
}

Quaternion product(Quaternion const& a, Quaternion const& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
          a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}

Quaternion quaternion_rate(Quaternion const& quaternion, Eigen::Vector3d const& omega) {
  return product({0, omega[0] / 2, omega[1] / 2, omega[2] / 2}, quaternion);
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
