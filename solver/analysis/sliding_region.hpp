// Whether sliding contacts have one solution, or one at all, whatever acts on them: exact conditions, at the friction
// coefficients that are given. Over a grid of coefficients they draw the regions of Figs. 1 and 2 of Blumentals,
// Brogliato, Bertails-Descoubes 2016.
//
// With lambda^+ and lambda^- the positive and negative parts of a bilateral normal force, the normal forces solve
//
//   [p_1 ... p_m] x + [n_1 ... n_m] y = -w,   x, y >= 0, x_i y_i = 0:                          (57)
//
// a bilateral contact has x = lambda^+ and y = lambda^-, p = column of A_n - A_t[mu], n = column of -A_n - A_t[mu];
// a unilateral one has x = lambda_n, y = its normal acceleration, n = -e_i. Each choice of p_i or n_i spans a cone,
// and a load -w has as many solutions as there are cones that it lies in.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/analysis/certainty.hpp"
#include "solver/analysis/sliding_contacts.hpp"

namespace delassus {

// The matrix M_ub^mu of (58) with unknowns (lambda^-, lambda_nu): A^-1 Abar, ... Without bilateral contacts it is
// A_n - A_t[mu] of (49), without unilateral ones that of the horizontal problem (41). Not finite where
// A = A_nb - A_tb[mu_b] is singular.
Eigen::MatrixXd sliding_matrix(SlidingContacts const& contacts, Eigen::Ref<const Eigen::VectorXd> mu);

struct SlidingRegion {
  // One force for every load: M_ub^mu is a P-matrix, the cones fill space once.
  Certainty unique = Certainty::unknown;
  // At least one for every load: the cones fill space. Exact for one and two contacts. For more, yes where the
  // degree of the piecewise linear map is not zero, else not known.
  Certainty exists = Certainty::unknown;
  // Whether no normal depends on the others. Where one does, forces are not unique even without friction, though the
  // motion may be.
  bool independent = true;
  // Where it is not unique and all are unilateral: contacts that have no unique force already by themselves.
  std::vector<int> together;
};

SlidingRegion sliding_region(SlidingContacts const& contacts, Eigen::Ref<const Eigen::VectorXd> mu);

// At their own friction coefficients; where contacts are at rest, for all ways in which they may start, and unknown
// where these are too many.
SlidingRegion sliding_region(SlidingContacts const& contacts);

// All normal forces that solve (57) for this w of each contact, by the 2^m signs (section 3.2.1). At the border
// between cones a solution is listed once. Throws std::invalid_argument above 16 contacts.
std::vector<Eigen::VectorXd> sliding_solutions(SlidingContacts const& contacts,
                                               Eigen::Ref<const Eigen::VectorXd> mu,
                                               Eigen::Ref<const Eigen::VectorXd> w);

}  // namespace delassus
