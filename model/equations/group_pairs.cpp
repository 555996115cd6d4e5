#include "model/equations/group_pairs.hpp"

namespace delassus {

template <class Scalar>
void for_each_pair(Scene const& scene, ContactGroup const& group, InstantOf<Scalar> const& at,
                   std::function<void(std::type_identity_t<GroupPairOf<Scalar>> const&)> const& visit) {
  std::vector<ContactSide> sides;
  for (int const shape : group.shapes)
    sides.push_back({{scene.shapes[static_cast<std::size_t>(shape)].body, -1}, shape});
  if (group.with_ground) sides.push_back({{ground_body, -1}, -1});
  std::vector<PlacedShapeOf<Scalar>> placed;
  std::vector<Bounds> bounds;
  for (ContactSide const& side : sides) {
    placed.push_back(place(scene, side, group.height, pose_of(scene, side.point.body, at), at.parameter));
    PlacedShape const& values = values_of(placed.back());
    bounds.push_back(bounds_of(values.geometry, values.pose, 0));
  }
  auto const moves = [&](ContactSide const& side) {
    return side.point.body != ground_body &&
           scene.bodies[static_cast<std::size_t>(side.point.body)].moves_freely();
  };
  BroadPhase broad_phase;
  for (auto const& [i, j] : broad_phase.find_pairs(bounds)) {
    auto const a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    if (sides[a].point.body == sides[b].point.body || (!moves(sides[a]) && !moves(sides[b]))) continue;
    if (!can_collide(placed[a].geometry.kind, placed[b].geometry.kind)) continue;
    if (!scene.has_law_of(group, sides[a].shape, sides[b].shape)) continue;
    visit({sides[a], sides[b], placed[a], placed[b]});
  }
}

// Explicit instantiations for both scalars.
template void for_each_pair(Scene const&, ContactGroup const&, InstantOf<double> const&,
                            std::function<void(GroupPairOf<double> const&)> const&);
template void for_each_pair(Scene const&, ContactGroup const&, InstantOf<Dual> const&,
                            std::function<void(GroupPairOf<Dual> const&)> const&);

}  // namespace delassus
