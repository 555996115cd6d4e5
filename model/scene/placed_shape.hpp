// Shapes of a scene with their dimensions from the parameters and their poses from the bodies.
#pragma once

#include <span>

#include "model/geometry/narrow_phase.hpp"
#include "model/scene/body_pose.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

// One side of a contact: its shape and pose.
template <class Scalar>
struct PlacedShapeOf {
  ShapeGeometryOf<Scalar> geometry;
  ShapePoseOf<Scalar> pose;
};
using PlacedShape = PlacedShapeOf<double>;

template <class Scalar>
PlacedShapeOf<Scalar> place(Scene const& scene, ContactSide const& side, int height,
                            BodyPoseOf<Scalar> const& body, std::span<const Scalar> parameter);
template <class Scalar>
ShapeGeometryOf<Scalar> geometry_of(Scene const& scene, Shape const& shape,
                                    std::span<const Scalar> parameter);

// Without derivatives, for the broad phase.
inline PlacedShape const& values_of(PlacedShape const& placed) {
  return placed;
}
PlacedShape values_of(PlacedShapeOf<Dual> const& placed);

}  // namespace delassus
