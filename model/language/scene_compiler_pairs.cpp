// Which law a pair of shapes has: no pair may have two, whose forces would add up.
#include <algorithm>
#include <cmath>

#include "model/language/scene_compiler.hpp"
#include "model/scene/body_pose.hpp"
#include "model/scene/placed_shape.hpp"

namespace delassus {
namespace {

bool same(ContactSide const& a, ContactSide const& b) {
  return a.shape == b.shape && a.point.body == b.point.body && a.point.point == b.point.point;
}

std::array<int, 2> pair_of(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

// Of the ground.
double height_of(int parameter, std::span<const double> values) {
  return parameter < 0 ? 0.0 : values[static_cast<std::size_t>(parameter)];
}

}  // namespace

void SceneCompiler::check_is_new(ElementReader const& element, Contact const& contact) const {
  for (Contact const& other : scene_.contacts) {
    bool const twice = (same(contact.a, other.a) && same(contact.b, other.b)) ||
                       (same(contact.a, other.b) && same(contact.b, other.a));
    if (!twice) continue;
    std::vector<double> const values = scene_.default_parameters();
    if (height_of(contact.height, values) != height_of(other.height, values)) continue;
    element.fail("contact " + quoted(contact.name) + " is between " + quoted(name_of(contact.b)) + " and " +
                 quoted(name_of(contact.a)) + ", as contact " + quoted(other.name) +
                 " is: their forces would add up; leave out one of them");
  }
}

bool SceneCompiler::draws_ground(int shape, double height) const {
  Shape const& of = scene_.shapes[static_cast<std::size_t>(shape)];
  if (of.kind != ShapeKind::plane || body(of.body).type != BodyType::fixed) return false;
  std::vector<double> const parameters = scene_.default_parameters(), inputs = scene_.default_inputs();
  BodyPose const pose = initial_pose<double>(scene_, of.body, parameters, inputs);
  PlacedShape const placed = place<double>(scene_, {{of.body, -1}, shape}, -1, pose, parameters);
  constexpr double rounding = 1e-12;
  Eigen::Vector3d const n = placed.pose.R.col(0);
  return n[scene_.normal_axis()] > 1 - rounding &&
         std::abs(placed.pose.position[scene_.normal_axis()] - height) <= rounding;
}

void SceneCompiler::share_pairs() {
  auto const size = [](ContactGroup const& group) {
    return group.shapes.size() + (group.with_ground ? 1 : 0);
  };
  std::vector<double> const values = scene_.default_parameters();
  for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
    ContactGroup& group = scene_.groups[g];
    for (Contact const& contact : scene_.contacts) {
      bool const with_ground = contact.a.point.body == ground_body;
      if (contact.b.shape < 0 || (contact.a.shape < 0 && !with_ground)) continue;  // a point is no shape
      if (with_ground && height_of(contact.height, values) != height_of(group.height, values)) continue;
      if (group.holds(contact.a.shape) && group.holds(contact.b.shape))
        group.declared.push_back(pair_of(contact.a.shape, contact.b.shape));
    }
    std::sort(group.declared.begin(), group.declared.end());
    for (std::size_t h = 0; h < scene_.groups.size(); ++h) {
      if (h != g && std::pair(size(scene_.groups[h]), h) < std::pair(size(group), g))
        group.yields_to.push_back(static_cast<int>(h));
    }
  }
}

}  // namespace delassus
