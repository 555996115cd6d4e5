#include "tools/analyse/contact_view.hpp"

#include <algorithm>
#include <limits>

#include "solver/problem/rigid_problem.hpp"

namespace delassus {
namespace {

bool is_contact(ConstraintBlock const& block) {
  BlockOwner const owner = owner_of(block.identity);
  return owner == BlockOwner::contact || owner == BlockOwner::group;
}

}  // namespace

std::vector<std::string> block_names(System const& system, std::vector<BlockIdentity> const& identities) {
  std::vector<std::string> names;
  names.reserve(identities.size());
  for (auto const identity : identities) names.push_back(system.block_name(identity));
  std::vector<std::string> numbered = names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (owner_of(identities[i]) != BlockOwner::contact && owner_of(identities[i]) != BlockOwner::group)
      continue;
    auto const same = std::ranges::count(names, names[i]);
    if (same < 2) continue;
    auto const before = std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]);
    numbered[i] += "#" + std::to_string(before + 1);
  }
  return numbered;
}

std::vector<int> contact_blocks(SceneInstant& scene) {
  std::vector<int> found;
  auto const& blocks = scene.dynamics().terms().blocks;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (is_contact(blocks[k])) found.push_back(static_cast<int>(k));
  }
  return found;
}

GeneralisedFrictionCone cone_of(SceneInstant& scene, int block) {
  return cone_of(scene, block, scene.dynamics().problem().blocks[static_cast<std::size_t>(block)].set.limit);
}

GeneralisedFrictionCone cone_of(SceneInstant& scene, int block, double mu) {
  return generalised_friction_cone(reduce_to_contact(scene.dynamics().problem(), block), mu);
}

Eigen::Vector3d free_contact_acceleration(SceneInstant& scene, int block) {
  BlockIdentity const identity = scene.dynamics().terms().blocks[static_cast<std::size_t>(block)].identity;
  RigidProblem const rigid =
      rigid_problem(scene.model().system(), scene.instant(), std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < rigid.identity.size(); ++k) {
    if (rigid.identity[k] == identity) return -reduce_to_contact(rigid.problem, static_cast<int>(k)).b;
  }
  return Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace delassus
