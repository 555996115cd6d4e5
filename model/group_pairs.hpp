// The pairs of a group that overlap, apart from the evaluation of a system: for energies and checks. It
// allocates.
#pragma once

#include <functional>

#include "model/scene_system.hpp"

namespace delassus {

struct GroupPair {
  ContactSide side_a, side_b;
  PlacedShape a, b;
};

// Pairs on different bodies, one of which can move, whose boxes overlap and whose shapes can touch.
void for_each_pair(Scene const& scene, ContactGroup const& group, Instant const& at,
                   std::function<void(GroupPair const&)> const& visit);

}  // namespace delassus
