// What the blocks and masses of a scene are called in messages.
#include <algorithm>

#include "model/equations/scene_system.hpp"

namespace delassus {

std::string SceneSystem::block_name(BlockIdentity identity) const {
  std::size_t const element = element_of(identity);
  switch (owner_of(identity)) {
    case BlockOwner::joint:
      return scene_->joints.at(element).name;
    case BlockOwner::friction:
      return scene_->frictions.at(element).name;
    case BlockOwner::rolling:
      return scene_->rollings.at(element).name;
    case BlockOwner::knife_edge:
      return scene_->knife_edges.at(element).name;
    case BlockOwner::contact:
      return scene_->contacts.at(element).name;
    case BlockOwner::group:
      return scene_->groups.at(element).name;
    case BlockOwner::spring:
      return scene_->springs.at(element).name;
  }
  return "?";
}

std::string SceneSystem::block_description(BlockIdentity identity) const {
  std::string const name = "'" + block_name(identity) + "'";
  switch (owner_of(identity)) {
    case BlockOwner::joint:
      return "joint " + name;
    case BlockOwner::friction:
      return "friction " + name;
    case BlockOwner::rolling:
      return "rolling " + name;
    case BlockOwner::knife_edge:
      return "knife edge " + name;
    case BlockOwner::contact:
      return "contact " + name;
    case BlockOwner::group:
      return "a contact of " + name;
    case BlockOwner::spring:
      return "spring " + name;
  }
  return name;
}

bool SceneSystem::is_contact(BlockIdentity identity) const {
  return owner_of(identity) == BlockOwner::contact || owner_of(identity) == BlockOwner::group;
}

std::vector<std::string> SceneSystem::block_sides(BlockIdentity identity) const {
  auto const name = [this](int body) {
    return body == ground_body ? std::string("ground")
                               : scene_->bodies.at(static_cast<std::size_t>(body)).name;
  };
  std::size_t const element = element_of(identity);
  switch (owner_of(identity)) {
    case BlockOwner::contact: {
      Contact const& contact = scene_->contacts.at(element);
      return {name(contact.a.point.body), name(contact.b.point.body)};
    }
    case BlockOwner::group: {
      // As identity_of has it: two shapes of the group, 20 bits each, and a feature.
      ContactGroup const& group = scene_->groups.at(element);
      auto const side = [&](unsigned shift) {
        auto const member = static_cast<std::size_t>((identity >> shift) & 0xfffffU);
        if (member >= group.shapes.size()) return name(ground_body);
        return name(scene_->shapes.at(static_cast<std::size_t>(group.shapes[member])).body);
      };
      return {side(28), side(8)};
    }
    case BlockOwner::joint: {
      Joint const& joint = scene_->joints.at(element);
      return {name(joint.a.body), name(joint.b.body)};
    }
    default:
      return {};
  }
}

std::string SceneSystem::mass_name(int mass) const {
  for (Body const& body : scene_->bodies) {
    if (body.mass_block == mass) return body.name;
  }
  return "";
}

bool SceneSystem::is_driven() const {
  return std::any_of(scene_->bodies.begin(), scene_->bodies.end(), [](Body const& body) {
    return body.type == BodyType::prescribed || body.motion_of_surface;
  });
}

bool SceneSystem::is_prescribed(std::string const& name) const {
  return std::any_of(scene_->bodies.begin(), scene_->bodies.end(), [&](Body const& body) {
    return body.name == name && body.type == BodyType::prescribed;
  });
}

}  // namespace delassus
