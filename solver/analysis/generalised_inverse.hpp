// Static friction in redundant contacts (Oprea, Constraint forces computation for diagonal mass matrix systems using
// generalized inverses).
//
//   M qdd = h + W T,   |T_i| <= limit_i,   sticking contacts have the slip acceleration W_s^T qdd = 0.
//
// Where all of them hold, the force of least norm is
//
//   T_s = -(W_s^T M^-1 W_s)^+ W_s^T M^-1 h~,   h~ = h + W_k T_k with the known forces of sliding contacts.     (10), (14)
//
// (17) of the paper, T = -W^+ h, is the same where the blocks are held altogether, W T = -h, and only there.
//
// Where a limit is exceeded, the paper clips all forces beyond their limits at once, counts these contacts as sliding
// and computes the others anew, until none is exceeded. A contact that was clipped may have had to hold once the
// others were, or its slip acceleration may point along the friction: the scheme never revises it. The forces that obey
// the law in every contact solve the box-constrained problem
//
//   T minimises 1/2 T^T A T - b^T T over |T_i| <= limit_i,   A = W^T M^-1 W, b = -W^T M^-1 h,
//
// and among them that of least norm is taken. It is the contact problem of `interval` blocks, which ContactSolver
// solves with `least_norm`.
#pragma once

#include <Eigen/Core>

#include "solver/problem/contact_problem.hpp"

namespace delassus {

// The contact problem of static friction at rest: A and b as above, intervals of the limits (N).
ContactProblem static_friction_problem(Eigen::Ref<const Eigen::MatrixXd> M,
                                       Eigen::Ref<const Eigen::MatrixXd> W,
                                       Eigen::Ref<const Eigen::VectorXd> h,
                                       Eigen::Ref<const Eigen::VectorXd> limits);

// A^+ b: the force of least norm that holds all contacts, whatever its limits; of least squares where none does.
Eigen::VectorXd holding_forces(ContactProblem const& problem);

struct StaticForces {
  Eigen::VectorXd T;
  bool solved = false;  // obeys the law: within the limits, at the limit and against the slip where it slips
  int rounds = 0;       // of clipping
};

// The paper's scheme, for comparison.
StaticForces clipped_static_forces(ContactProblem const& problem);

// The exact ones.
StaticForces static_forces(ContactProblem const& problem);

}  // namespace delassus
