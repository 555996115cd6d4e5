// What a scene says of one of its contacts at an instant, as the papers ask: the contact as all joints answer it, its
// generalised friction cone, and its acceleration without force.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "solver/problem/generalised_friction_cone.hpp"
#include "tools/analyse/scene_instant.hpp"

namespace delassus {

// The names of blocks. A contact at several points has one name for all: they are told apart by their numbers, box#2.
std::vector<std::string> block_names(System const& system, std::vector<BlockIdentity> const& identities);

// The blocks of the scene's contacts that are there at the instant: pairs and groups, of laws that a solver has to solve.
std::vector<int> contact_blocks(SceneInstant& scene);

// Of Peiret et al. 2019, with another friction than the scene's where `mu` is given; the other contacts absent.
GeneralisedFrictionCone cone_of(SceneInstant& scene, int block);
GeneralisedFrictionCone cone_of(SceneInstant& scene, int block, double mu);

// J vdot + Jdot v of the contact without its force, the joints holding: B of the rigid problem, without what the
// relaxation demands of gap and velocity.
Eigen::Vector3d free_contact_acceleration(SceneInstant& scene, int block);

}  // namespace delassus
