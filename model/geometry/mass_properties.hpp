// Mass, centre and inertia of a body that is filled evenly by its shapes.
#pragma once

#include <Eigen/Core>
#include <span>

#include "model/geometry/dual.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

template <class Scalar>
struct MassPropertiesOf {
  Scalar mass = 0;
  Vector3<Scalar> center = Vector3<Scalar>::Zero();   // in the body's frame
  Matrix3<Scalar> inertia = Matrix3<Scalar>::Zero();  // about the centre, in the body's axes
};
using MassProperties = MassPropertiesOf<double>;

// For the given density, kg/m3; in the plane shapes are 1 m deep, and only inertia(2, 2) counts. Planes weigh
// nothing, and shapes that overlap count twice.
template <class Scalar>
MassPropertiesOf<Scalar> mass_properties(Scene const& scene, int body, Scalar density,
                                         std::span<const Scalar> parameter);

// Whether some distribution of mass has this inertia: its principal moments are positive, and none is larger
// than the sum of the other two.
bool is_inertia(Eigen::Matrix3d const& inertia);

}  // namespace delassus
