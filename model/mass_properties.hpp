// Mass, centre and inertia of a body that is filled evenly by its shapes.
#pragma once

#include <Eigen/Core>
#include <span>

#include "model/scene.hpp"

namespace delassus {

struct MassProperties {
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();   // in the body's frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre, in the body's axes
};

// For the given density, kg/m3; in the plane shapes are 1 m deep, and only inertia(2, 2) counts. Planes weigh
// nothing, and shapes that overlap count twice.
MassProperties mass_properties(Scene const& scene, int body, double density,
                               std::span<const double> parameter);

// Whether some distribution of mass has this inertia: its principal moments are positive, and none is larger
// than the sum of the other two.
bool is_inertia(Eigen::Matrix3d const& inertia);

}  // namespace delassus
