// Which law a pair of shapes has: no pair may have two, whose forces would add up.
#include <algorithm>
#include <cmath>

#include "model/language/scene_compiler.hpp"
#include "model/scene/body_pose.hpp"
#include "model/scene/placed_shape.hpp"

namespace delassus {
namespace {

// The same for both orders of the sides.
std::array<int, 6> sides_of(Contact const& contact) {
  auto const side = [](ContactSide const& of) { return std::array{of.shape, of.point.body, of.point.point}; };
  std::array<int, 3> first = side(contact.a), last = side(contact.b);
  if (last < first) std::swap(first, last);
  return {first[0], first[1], first[2], last[0], last[1], last[2]};
}

std::array<int, 2> pair_of(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

// Before the contact is added.
void SceneCompiler::check_is_new(ElementReader const& element, Contact const& contact) {
  auto const height_of = [&](int parameter) { return parameter < 0 ? 0.0 : value_at(parameter); };
  std::vector<std::size_t>& with_same_sides = contacts_of_sides_[sides_of(contact)];
  for (std::size_t const place : with_same_sides) {
    Contact const& other = scene_.contacts[place];
    if (height_of(contact.height) != height_of(other.height)) continue;
    element.fail("contact " + quoted(contact.name) + " is between " + quoted(name_of(contact.b)) + " and " +
                 quoted(name_of(contact.a)) + ", as contact " + quoted(other.name) +
                 " is: their forces would add up; leave out one of them");
  }
  with_same_sides.push_back(scene_.contacts.size());
}

bool SceneCompiler::draws_ground(int shape, double height) {
  Shape const& of = scene_.shapes[static_cast<std::size_t>(shape)];
  if (of.kind != ShapeKind::plane || body(of.body).type != BodyType::fixed) return false;
  // Once for all planes of a scene.
  if (defaults_.size() != static_cast<std::size_t>(parameter_count_)) defaults_ = scene_.default_parameters();
  if (default_inputs_.size() != static_cast<std::size_t>(scene_.input_size))
    default_inputs_ = scene_.default_inputs();
  BodyPose const pose = initial_pose<double>(scene_, of.body, defaults_, default_inputs_);
  PlacedShape const placed = place<double>(scene_, {{of.body, -1}, shape}, -1, pose, defaults_);
  constexpr double rounding = 1e-12;
  Eigen::Vector3d const n = placed.pose.R.col(0);
  return n[scene_.normal_axis()] > 1 - rounding &&
         std::abs(placed.pose.position[scene_.normal_axis()] - height) <= rounding;
}

void SceneCompiler::share_pairs() {
  auto const size = [](ContactGroup const& group) {
    return group.shapes.size() + (group.with_ground ? 1 : 0);
  };
  auto const height_of = [&](int parameter) { return parameter < 0 ? 0.0 : value_at(parameter); };
  for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
    ContactGroup& group = scene_.groups[g];
    for (Contact const& contact : scene_.contacts) {
      bool const with_ground = contact.a.point.body == ground_body;
      if (contact.b.shape < 0 || (contact.a.shape < 0 && !with_ground)) continue;  // a point is no shape
      if (with_ground && height_of(contact.height) != height_of(group.height)) continue;
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
