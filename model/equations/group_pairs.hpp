// The overlapping pairs of a group, for energies and checks outside the evaluation of a system. It allocates.
#pragma once

#include <functional>

#include "model/equations/scene_system.hpp"

namespace delassus {

template <class Scalar>
struct GroupPairOf {
  ContactSide side_a, side_b;
  PlacedShapeOf<Scalar> a, b;
};
using GroupPair = GroupPairOf<double>;

// Visits the pairs on different bodies, at least one of which can move, whose bounding boxes overlap and
// whose shapes can touch.
template <class Scalar>
void for_each_pair(Scene const& scene, ContactGroup const& group, InstantOf<Scalar> const& at,
                   std::function<void(std::type_identity_t<GroupPairOf<Scalar>> const&)> const& visit);

}  // namespace delassus
