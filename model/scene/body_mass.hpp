// Mass, centre of mass and inertia of a body whose mass is spread evenly over its shapes.
#pragma once

#include <span>

#include "model/geometry/mass_properties.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

// For the given density, kg/m3. Shapes that overlap count twice.
template <class Scalar>
MassPropertiesOf<Scalar> mass_of_body(Scene const& scene, int body, Scalar density,
                                      std::span<const Scalar> parameter);

}  // namespace delassus
