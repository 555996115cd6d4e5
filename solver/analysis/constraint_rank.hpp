// What the ranks of the mass matrix and of the constraints leave determined, without friction (Blumentals, Brogliato,
// Bertails-Descoubes 2016, Propositions 1 to 8 and appendix E).
//
//   M qdd + F = J_b^T lambda_b + J_u^T lambda_u,   J_b qdd + c_b = 0,
//   0 <= lambda_u orthogonal to J_u qdd + c_u >= 0                                             (16)
//
// with M symmetric and only semidefinite, rows that may depend on one another, and c = d/dt(J) qdot. This is the
// optimality condition of the least constraint (27), min 1/2 z^T M z + z^T F over the z that the constraints allow. A
// convex quadratic problem over a polyhedron has a solution where the polyhedron is not empty and the function is
// bounded below on it, and then M qdd is the same in all solutions. So, whatever the ranks:
//
//   compatible  some z has J_b z + c_b = 0 and J_u z + c_u >= 0 (Assumptions 1, 3, 4; Propositions 3(iv) and 8).
//   balanced    F is of the form M x + J_b^T l_b + J_u^T l_u, l_u >= 0; always where M > 0. For every F where
//               Ker M, Ker J_b and the z with J_u z >= 0 have only zero in common (Propositions 3(vi), 7(vii)).
//   solvable    both.
//   unique      J^T lambda always; qdd where Ker M and Ker J_b have only zero in common (6); lambda where J has
//               independent rows (Propositions 1(i), 3(i), 7(i)); J_u^T lambda_u alone where no force of J_u is one of
//               J_b (7(iii)); one multiplier where no dependency among the rows has a part in it.
//
// Proposition 7(v) as printed asks for lambda_u >= 0, J_u^T lambda_u = 0 => lambda_u^T c_u >= 0. That is the condition
// for A_c lambda_u = 0, with J_u^T lambda_u = -J_b^T lambda_b and lambda_u^T c_u + lambda_b^T c_b >= 0, only where 7(iii)
// holds; `compatible` is right in every case.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "model/equations/system.hpp"
#include "solver/analysis/certainty.hpp"

namespace delassus {

struct FrictionlessProblem {
  Eigen::MatrixXd M, J_b, J_u;  // J has a row for each constraint: the transposed gradients of the paper
  Eigen::VectorXd F, c_b, c_u;
  std::vector<int> blocks_b, blocks_u;  // the block of each row, where it comes from terms
};

// The rows of the given blocks: joints and normals of bilateral contacts as J_b, normals of unilateral ones as J_u.
// Friction is left out, and so are bodies that no such row touches.
FrictionlessProblem frictionless_problem(Terms const& terms, std::span<const int> blocks);

struct ConstraintRank {
  int velocities = 0, rows_b = 0, rows_u = 0;
  int mass = 0;                                // rank of M
  int bilateral = 0, unilateral = 0, all = 0;  // ranks of J_b, J_u and both together

  bool compatible = false, balanced = false, balanced_for_every_force = false;
  bool solvable = false;
  bool regular =
      false;  // the matrix of (4), with M and J_b: one (qdd, lambda_b) for every right-hand side (E, iii')

  // Where it is solvable:
  Certainty acceleration_unique = Certainty::unknown;  // unknown: M is singular, and it depends on the load
  bool unilateral_force_unique = false;  // J_u^T lambda_u and J_b^T lambda_b each, not only their sum
  bool multipliers_unique = false;       // for every load
  // Rows that depend on others, rising: J_b first, then J_u. Their multipliers are not determined, those of all other
  // rows are.
  std::vector<int> dependent;
  // A choice of rows that could go without a change of the motion as long as all hold; J_u is preferred to J_b.
  std::vector<int> redundant;

  bool mass_definite() const { return mass == velocities; }
};

ConstraintRank constraint_rank(FrictionlessProblem const& problem);

// What exists and what is unique, in sentences.
std::string explain(ConstraintRank const& rank);

// rank of [M N; F^T 0], (69) and (70): with N = -F the matrix of (4), with N = -F + H_t[mu xi sgn] that of (36).
int kkt_rank(Eigen::Ref<const Eigen::MatrixXd> M, Eigen::Ref<const Eigen::MatrixXd> F,
             Eigen::Ref<const Eigen::MatrixXd> N);

}  // namespace delassus
