// The pairs of a group that overlap, apart from the evaluation of a system: for energies and checks. It
// allocates.
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

// Pairs on different bodies, one of which can move, whose boxes overlap and whose shapes can touch.
template <class Scalar>
void for_each_pair(Scene const& scene, ContactGroup const& group, InstantOf<Scalar> const& at,
                   std::function<void(std::type_identity_t<GroupPairOf<Scalar>> const&)> const& visit);

}  // namespace delassus
