// Mass, centre of mass and inertia of shapes of uniform density.
#pragma once

#include <Eigen/Core>

#include "model/geometry/dual.hpp"
#include "model/geometry/shape.hpp"

namespace delassus {

template <class Scalar>
struct MassPropertiesOf {
  Scalar mass = 0;
  Vector3<Scalar> center = Vector3<Scalar>::Zero();   // in the body's frame
  Matrix3<Scalar> inertia = Matrix3<Scalar>::Zero();  // about the centre, in the body's axes
};
using MassProperties = MassPropertiesOf<double>;

// The mass properties of a shape about its centre, in its own axes, for the given density in kg/m3. In the
// plane, shapes are 1 m deep, and only inertia(2, 2) is used. Planes have no mass.
template <class Scalar>
MassPropertiesOf<Scalar> mass_properties(ShapeGeometryOf<Scalar> const& shape, int dimension, Scalar density);

// Steiner's theorem: the inertia about the origin of a mass at r.
template <class Scalar>
Matrix3<Scalar> inertia_of_point(Scalar mass, Vector3<Scalar> const& r) {
  return mass * (r.squaredNorm() * Matrix3<Scalar>::Identity() - r * r.transpose());
}

// Whether some distribution of mass has this inertia: its principal moments are positive, and none is larger
// than the sum of the other two.
bool is_inertia(Eigen::Matrix3d const& inertia);

}  // namespace delassus
