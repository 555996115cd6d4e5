#include "model/geometry/rotation.hpp"

#include <cmath>

namespace delassus {

template <class Scalar>
Matrix3<Scalar> rotation_about_z(Scalar angle) {
  Scalar const c = cos(angle), s = sin(angle);
  return Matrix3<Scalar>{{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
}

template <class Scalar>
Matrix3<Scalar> matrix_of(QuaternionOf<Scalar> const& quaternion) {
  Scalar const squared_norm = quaternion.squaredNorm();
  if (!(squared_norm > 0)) return Matrix3<Scalar>::Identity();
  Scalar const scale = 2 / squared_norm;
  Scalar const w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
  return Matrix3<Scalar>{{1 - scale * (y * y + z * z), scale * (x * y - w * z), scale * (x * z + w * y)},
                         {scale * (x * y + w * z), 1 - scale * (x * x + z * z), scale * (y * z - w * x)},
                         {scale * (x * z - w * y), scale * (y * z + w * x), 1 - scale * (x * x + y * y)}};
}

template <class Scalar>
QuaternionOf<Scalar> quaternion_of(Vector3<Scalar> const& rotation_vector) {
  // cos(angle/2) and sin(angle/2)/angle. Below 0.06 rad, which a step rarely exceeds, they come from their
  // series, exact to rounding: this is faster, and the quotient loses no digits.
  Scalar const square = rotation_vector.squaredNorm() / 4;
  Scalar cosine = 0, factor = 0;
  if (square < 1e-3) {
    cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)));
    factor = 0.5 - square / 12 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72)));
  } else {
    Scalar const half = sqrt(square);
    cosine = cos(half);
    factor = sin(half) / (2 * half);
  }
  return {cosine, factor * rotation_vector[0], factor * rotation_vector[1], factor * rotation_vector[2]};
}

template <class Scalar>
QuaternionOf<Scalar> product(QuaternionOf<Scalar> const& a, QuaternionOf<Scalar> const& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
          a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}

template <class Scalar>
QuaternionOf<Scalar> quaternion_rate(QuaternionOf<Scalar> const& quaternion, Vector3<Scalar> const& omega) {
  return product<Scalar>({0, omega[0] / 2, omega[1] / 2, omega[2] / 2}, quaternion);
}

template <class Scalar>
Matrix3<Scalar> frame_with_first_axis(Vector3<Scalar> const& x) {
  Matrix3<Scalar> frame;
  if (x[2] == 0) {  // in the plane: a turn about z
    frame << x[0], -x[1], 0, x[1], x[0], 0, 0, 0, 1;
    if constexpr (std::is_same_v<Scalar, Dual>) {  // if x begins to leave the plane, z tilts the other way
      frame(2, 0) = x[2];
      frame.col(2) -= x[2] * x;
    }
    return frame;
  }
  Vector3<Scalar> y, z;
  tangents_of<Scalar>(x, y, z);
  frame << x, y, z;
  return frame;
}

template <class Scalar>
void tangents_of(Vector3<Scalar> const& n, Vector3<Scalar>& t1, Vector3<Scalar>& t2) {
  Scalar const sign = copysign(1.0, n[2]);
  Scalar const a = -1 / (sign + n[2]);
  Scalar const b = n[0] * n[1] * a;
  t1 = {1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]};
  t2 = {b, sign + n[1] * n[1] * a, -n[1]};
}

// Explicit instantiations for both scalars.
template Matrix3<double> rotation_about_z(double);
template Matrix3<Dual> rotation_about_z(Dual);
template Matrix3<double> matrix_of(QuaternionOf<double> const&);
template Matrix3<Dual> matrix_of(QuaternionOf<Dual> const&);
template QuaternionOf<double> quaternion_of(Vector3<double> const&);
template QuaternionOf<Dual> quaternion_of(Vector3<Dual> const&);
template QuaternionOf<double> product(QuaternionOf<double> const&, QuaternionOf<double> const&);
template QuaternionOf<Dual> product(QuaternionOf<Dual> const&, QuaternionOf<Dual> const&);
template QuaternionOf<double> quaternion_rate(QuaternionOf<double> const&, Vector3<double> const&);
template QuaternionOf<Dual> quaternion_rate(QuaternionOf<Dual> const&, Vector3<Dual> const&);
template Matrix3<double> frame_with_first_axis(Vector3<double> const&);
template Matrix3<Dual> frame_with_first_axis(Vector3<Dual> const&);
template void tangents_of(Vector3<double> const&, Vector3<double>&, Vector3<double>&);
template void tangents_of(Vector3<Dual> const&, Vector3<Dual>&, Vector3<Dual>&);

}  // namespace delassus
