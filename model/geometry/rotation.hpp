// Rotations: matrices, unit quaternions (w, x, y, z) and rotation vectors (axis times angle).
#pragma once

#include <Eigen/Core>
#include <span>

#include "model/geometry/dual.hpp"

namespace delassus {

template <class Scalar>
using QuaternionOf = Eigen::Matrix<Scalar, 4, 1>;  // w, x, y, z
using Quaternion = QuaternionOf<double>;

template <class Scalar>
Matrix3<Scalar> rotation_about_z(Scalar angle);

// The rotation of the normalised quaternion: rounding and integration errors change the norm, and must not
// deform a body. A zero quaternion counts as no rotation.
template <class Scalar>
Matrix3<Scalar> matrix_of(QuaternionOf<Scalar> const& quaternion);

template <class Scalar>
QuaternionOf<Scalar> quaternion_of(Vector3<Scalar> const& rotation_vector);

template <class Scalar>
QuaternionOf<Scalar> product(QuaternionOf<Scalar> const& a, QuaternionOf<Scalar> const& b);

// d/dt of the quaternion of a body that turns with omega (world axes): 1/2 (0, omega) times it.
template <class Scalar>
QuaternionOf<Scalar> quaternion_rate(QuaternionOf<Scalar> const& quaternion, Vector3<Scalar> const& omega);

// A rotation whose first column is the unit vector `x`; for x = e_y in the plane it turns about z.
template <class Scalar>
Matrix3<Scalar> frame_with_first_axis(Vector3<Scalar> const& x);

// Two unit vectors that make a right-handed frame (t1, t2, n) with n; for n = e_z they are e_x, e_y. (The
// construction of Duff et al. 2017, "Building an orthonormal basis, revisited".)
template <class Scalar>
void tangents_of(Vector3<Scalar> const& n, Vector3<Scalar>& t1, Vector3<Scalar>& t2);

}  // namespace delassus
