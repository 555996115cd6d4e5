// What a block does at a given force, and how many solutions it has while the others' forces are held.
#pragma once

#include <Eigen/Core>

#include "model/equations/force_set.hpp"
#include "model/scene/enumeration.hpp"

namespace delassus {

// Redundant rows whose b disagree by less than this, in the scale of the residual, count as consistent: the
// gaps of redundant rows carry rounding, which 1/delta^2 multiplies.
constexpr double consistent_fraction = 1e-9;

struct BlockClass {
  ContactMode mode = ContactMode::detached;
  int solutions = 0;
};

// The block of this set with A_kk of the Delassus operator at its force lambda, where eta = A lambda - b in its
// rows. By enumeration, without changing lambda: the mode is that of the solution nearest to lambda. Where
// lambda solves the whole problem (`converged`), lambda is one solution, and those that differ from it are
// counted besides: on the edge between two modes rounding may find both or none of them. `island_force` is
// the largest component of all the forces that act on one another, beside which a tiny one is rounding.
BlockClass classify_block(ForceSet const& set, Eigen::Matrix3d const& A, Eigen::Vector3d const& lambda,
                          Eigen::Vector3d const& eta, double island_force, bool converged);

}  // namespace delassus
