#include "model/equations/shape_neighbours.hpp"

#include <algorithm>
#include <map>

namespace delassus {
namespace {

constexpr int rigid_law = -1;
bool is_rigid(ContactParameters const& law) {
  return !law.compliant() && law.normal != NormalLaw::bilateral;
}

bool is_flat(Scene const& scene, ContactSide const& side) {
  if (side.shape < 0) return side.point.body == ground_body;
  ShapeKind const kind = scene.shapes[static_cast<std::size_t>(side.shape)].kind;
  return kind == ShapeKind::box || kind == ShapeKind::plane;
}

// Neither it nor anything on it moves. The surface of a belt does, its shape does not.
bool rests(Scene const& scene, int body) {
  if (body == ground_body) return true;
  Body const& of = scene.bodies[static_cast<std::size_t>(body)];
  return of.type == BodyType::fixed || of.motion_of_surface;
}

}  // namespace

Collider collider_of(ContactSide const& side, int height) {
  if (side.shape >= 0) return side.shape;
  constexpr Collider ground = Collider{1} << 60, point = Collider{1} << 61;
  if (side.point.body == ground_body) return ground + height;
  return point + (static_cast<Collider>(side.point.body) << 30) + side.point.point + 1;
}

template <class Scalar>
void ShapeNeighbours::update(Scene const& scene, std::span<const Scalar> parameter) {
  // Without two boxes or planes that belong together no values of parameters bring neighbours.
  if (known_ && sides_.empty()) return;
  if (known_ && std::equal(parameter.begin(), parameter.end(), parameter_.begin(), parameter_.end(),
                           [](Scalar const& now, double then) { return value_of(now) == then; })) {
    return;
  }
  parameter_.clear();
  for (Scalar const& value : parameter) parameter_.push_back(value_of(value));
  if (!known_) list_partners(scene);
  known_ = true;
  find_all(scene);
}

void ShapeNeighbours::list_partners(Scene const& scene) {
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    Contact const& contact = scene.contacts[i];
    Collider const a = collider_of(contact.a, contact.height), b = collider_of(contact.b, contact.height);
    Law const law = is_rigid(contact.law) ? rigid_law : rigid_law - 1 - static_cast<int>(i);
    declared_.push_back({{a, b}, law});
    declared_.push_back({{b, a}, law});
  }
  std::ranges::sort(declared_, {}, &Declared::pair);
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    ContactGroup const& group = scene.groups[g];
    for (int const shape : group.shapes) groups_.emplace_back(shape, static_cast<int>(g));
    if (group.with_ground)
      groups_.emplace_back(collider_of({{ground_body, -1}, -1}, group.height), static_cast<int>(g));
  }
  std::sort(groups_.begin(), groups_.end());
}

std::optional<ShapeNeighbours::Law> ShapeNeighbours::law_of(Scene const& scene, Collider a,
                                                            Collider b) const {
  auto const declared = std::ranges::lower_bound(declared_, std::pair(a, b), {}, &Declared::pair);
  if (declared != declared_.end() && declared->pair == std::pair(a, b)) return declared->law;
  auto of_a = std::lower_bound(groups_.begin(), groups_.end(), std::pair(a, 0));
  auto of_b = std::lower_bound(groups_.begin(), groups_.end(), std::pair(b, 0));
  auto const shape_of = [&](Collider side) {
    return side < static_cast<Collider>(scene.shapes.size()) ? static_cast<int>(side) : -1;
  };
  while (of_a != groups_.end() && of_a->first == a && of_b != groups_.end() && of_b->first == b) {
    if (of_a->second == of_b->second) {
      int const g = of_a->second;
      ContactGroup const& group = scene.groups[static_cast<std::size_t>(g)];
      if (scene.has_law_of(group, shape_of(a), shape_of(b))) return is_rigid(group.law) ? rigid_law : g;
      ++of_a;
      continue;
    }
    ++(of_a->second < of_b->second ? of_a : of_b);
  }
  return {};
}

void ShapeNeighbours::find_all(Scene const& scene) {
  beside_.clear();
  sides_.clear();
  std::vector<Side> at_rest;
  std::map<int, std::vector<Side>> moving;
  for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
    int const body = scene.shapes[i].body;
    ContactSide const side{{body, -1}, static_cast<int>(i)};
    if (is_flat(scene, side))
      (rests(scene, body) ? at_rest : moving[body]).push_back({side, -1, rests(scene, body), {}});
  }
  std::vector<int> heights;
  for (Contact const& contact : scene.contacts)
    if (contact.a.point.body == ground_body && contact.a.shape < 0) heights.push_back(contact.height);
  for (ContactGroup const& group : scene.groups)
    if (group.with_ground) heights.push_back(group.height);
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  for (int const height : heights) at_rest.push_back({{{ground_body, -1}, -1}, height, true, {}});
  find_in_frame(scene, at_rest);
  for (auto& [body, sides] : moving) find_in_frame(scene, sides);
  std::sort(beside_.begin(), beside_.end());
}

void ShapeNeighbours::find_in_frame(Scene const& scene, std::vector<Side>& sides) {
  if (sides.size() < 2) return;
  std::span<const double> const parameter = parameter_;
  std::vector<double> const inputs(static_cast<std::size_t>(scene.input_size));
  std::vector<Bounds> bounds;
  for (Side& side : sides) {
    int const body = side.side.point.body;
    BodyPose pose;
    if (side.at_rest) pose = initial_pose<double>(scene, body, parameter, inputs);
    side.placed = place<double>(scene, side.side, side.height, pose, parameter);
    PlacedShape const& placed = side.placed;
    double const margin =
        placed.geometry.kind == ShapeKind::box ? seam_tolerance(placed.geometry, scene.dimension) : 0;
    bounds.push_back(bounds_of(placed.geometry, placed.pose, margin));
  }
  auto const first = static_cast<int>(sides_.size());
  sides_.insert(sides_.end(), sides.begin(), sides.end());
  BroadPhase broad_phase;
  for (auto const& [i, j] : broad_phase.find_pairs(bounds)) {
    Side const &a = sides[static_cast<std::size_t>(i)], &b = sides[static_cast<std::size_t>(j)];
    if (a.placed.geometry.kind == ShapeKind::box) beside_.emplace_back(a.side.shape, first + j);
    if (b.placed.geometry.kind == ShapeKind::box) beside_.emplace_back(b.side.shape, first + i);
  }
}

template <class Scalar>
void ShapeNeighbours::find(Scene const& scene, SideOnBody<Scalar> const& of, Collider other,
                           std::vector<Neighbour>& found) const {
  found.clear();
  int const shape = of.side.shape;
  if (shape < 0 || beside_.empty()) return;
  std::optional<Law> const own = law_of(scene, shape, other);
  auto entry = std::lower_bound(beside_.begin(), beside_.end(), std::pair(shape, 0));
  for (; entry != beside_.end() && entry->first == shape; ++entry) {
    Side const& beside = sides_[static_cast<std::size_t>(entry->second)];
    std::optional<Law> const law = law_of(scene, collider_of(beside.side, beside.height), other);
    if (!law) continue;
    PlacedShape const& placed = beside.placed;
    found.push_back({placed.geometry, placed.pose, law == own});
    if (beside.at_rest) continue;
    Eigen::Matrix3d const R = values_of(of.body.R);
    Eigen::Vector3d const in_body = placed.pose.position - values_of(of.body.center_of_mass);
    found.back().pose = {values_of(of.body.twist.origin) + R * in_body, R * placed.pose.R};
  }
}

template <class Scalar>
void ShapeNeighbours::keep_exposed(Scene const& scene, SideOnBody<Scalar> const& a,
                                   SideOnBody<Scalar> const& b, int height, Scalar margin,
                                   ContactPointsOf<Scalar>& contacts) {
  if (contacts.count == 0) return;
  find(scene, a, collider_of(b.side, height), beside_a_);
  find(scene, b, collider_of(a.side, height), beside_b_);
  keep_exposed_contacts<Scalar>(
      a.placed.geometry, a.placed.pose, {beside_a_, rests(scene, a.side.point.body)}, b.placed.geometry,
      b.placed.pose, {beside_b_, rests(scene, b.side.point.body)}, scene.dimension, margin, contacts);
}

// Explicit instantiations for both scalars.
template void ShapeNeighbours::update(Scene const&, std::span<const double>);
template void ShapeNeighbours::update(Scene const&, std::span<const Dual>);
template void ShapeNeighbours::keep_exposed(Scene const&, SideOnBody<double> const&,
                                            SideOnBody<double> const&, int, double, ContactPointsOf<double>&);
template void ShapeNeighbours::keep_exposed(Scene const&, SideOnBody<Dual> const&, SideOnBody<Dual> const&,
                                            int, Dual, ContactPointsOf<Dual>&);

}  // namespace delassus
