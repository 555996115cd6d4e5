// What a block does at a given force, and how many solutions it has while the others' forces are held.
#pragma once

#include "model/enumeration.hpp"
#include "solver/contact_problem.hpp"

namespace delassus {

// Redundant rows whose b disagree by less than this, in the scale of the residual, count as consistent: the
// gaps of redundant rows carry rounding, which 1/delta^2 multiplies.
constexpr double consistent_fraction = 1e-9;

struct BlockClass {
  ContactMode mode = ContactMode::detached;
  int solutions = 0;
};

// By enumeration, without changing lambda: the mode is that of the solution nearest to lambda. Where lambda
// solves the whole problem (`converged`), lambda is one solution, and those that differ from it are counted
// besides: on the edge between two modes rounding may find both or none of them. `island_force` is the
// largest component of all the forces that act on one another, beside which a tiny one is rounding.
BlockClass classify_block(ContactProblem const& problem, std::size_t block,
                          Eigen::Ref<const Eigen::VectorXd> lambda, double island_force, bool converged);

}  // namespace delassus
