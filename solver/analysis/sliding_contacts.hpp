// Contacts that slide in known directions, and the parts of the Delassus operator that couple them (Blumentals,
// Brogliato, Bertails-Descoubes 2016, sections 3.1 to 3.4).
//
// With e_i the direction in which contact i slides, Coulomb's law is lambda_t,i = -mu_i |lambda_n,i| e_i. The paper
// writes xi_i for the sign of the speed along a fixed tangent; here the tangent is e_i itself, and xi_i = 1. What is
// left are the normal forces:
//
//   bilateral   A_n lambda_n - A_t [mu] |lambda_n| + w  = 0                        (37)
//   unilateral  A_n lambda_n - A_t [mu] lambda_n + w   >= 0, orthogonal to lambda_n >= 0   (50)
//
// with A_n = J_n M^-1 J_n^T and column i of A_t = J_n M^-1 J_t,i^T e_i. Rows without friction that hold both ways
// (joints) have been eliminated: A_n and A_t are the Schur complements of (45) and (64).
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "solver/problem/contact_problem.hpp"

namespace delassus {

struct SlidingContact {
  int block = 0;  // of the contact problem
  bool bilateral = false;
  int tangents = 0;  // 1 in the plane, 2 in space, 0 where it has no friction by nature
  double mu = 0;     // 1
  // Whether it slides, so that e_i is known. Where it does not, e_i is its first tangent.
  bool slides = false;
};

struct SlidingContacts {
  std::vector<SlidingContact> contacts;  // the bilateral ones first
  Eigen::MatrixXd A_n, A_t;              // a row and a column for each contact
  Eigen::MatrixXd A_tangents;            // the columns of all tangents, one after the other for each contact
  int eliminated = 0;                    // rows of joints
  int redundant = 0;  // of these, how many depend on the others: their forces are not unique, what follows is
  // Dry friction of known bound that does not slide: where it sticks it holds like a joint, and the paper does not
  // treat it. Where it slides its force is known and is part of w.
  std::vector<int> not_covered;

  Eigen::Index size() const { return A_n.rows(); }
  Eigen::Index bilateral() const;  // how many
  Eigen::VectorXd mu() const;
  // The columns of every direction that contacts with friction may take: e_i where they slide, all tangents where they
  // do not.
  Eigen::MatrixXd every_direction() const;
  bool all_slide() const;
  // Contacts with friction that do not slide.
  std::vector<Eigen::Index> resting() const;
  // All ways in which those may start, one set of contacts each, where they are in the plane and at most
  // `most_ways` slide one way or the other; else nothing. Without contacts at rest, these contacts themselves.
  std::vector<SlidingContacts> ways_to_slide() const;
  static constexpr int most_ways = 16;
};

// Whether A_n is positive definite.
bool normals_are_independent(SlidingContacts const& contacts);

// From the given blocks of a problem, all of them closed. `velocity` is J v of each row of the problem (Terms); a
// contact slides where the speed along its tangents is above `slip` (m/s). For reports: allocates.
SlidingContacts sliding_contacts(ContactProblem const& problem, std::span<const double> velocity,
                                 std::span<const int> blocks, double slip = 1e-8);
SlidingContacts sliding_contacts(ContactProblem const& problem, std::span<const double> velocity);

// The unilateral contacts, with the bilateral ones eliminated like joints as in (64). These have no friction.
SlidingContacts without_bilateral(SlidingContacts const& all);

}  // namespace delassus
