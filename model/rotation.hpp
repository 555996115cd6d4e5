// Rotations: matrices, unit quaternions (w, x, y, z) and rotation vectors (axis times angle).
#pragma once

#include <Eigen/Core>
#include <span>

namespace delassus {

using Quaternion = Eigen::Vector4d;  // w, x, y, z

Eigen::Matrix3d rotation_about_z(double angle);

// Of the quaternion divided by its norm: rounding and integration errors change the norm, and must not change
// the shape of a body. A zero quaternion is taken for no rotation.
Eigen::Matrix3d matrix_of(Quaternion const& quaternion);

Quaternion quaternion_of(Eigen::Vector3d const& rotation_vector);

Quaternion product(Quaternion const& a, Quaternion const& b);

// d/dt of the quaternion of a body that turns with omega (world axes): 1/2 (0, omega) times it.
Quaternion quaternion_rate(Quaternion const& quaternion, Eigen::Vector3d const& omega);

// A rotation whose first column is the unit vector `x`; for x = e_y in the plane it turns about z.
Eigen::Matrix3d frame_with_first_axis(Eigen::Vector3d const& x);

// Two unit vectors that make a right-handed frame (t1, t2, n) with n; for n = e_z they are e_x, e_y. (The
// construction of Duff et al. 2017, "Building an orthonormal basis, revisited".)
void tangents_of(Eigen::Vector3d const& n, Eigen::Vector3d& t1, Eigen::Vector3d& t2);

}  // namespace delassus
