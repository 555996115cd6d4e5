// One contact as the whole system answers it: the contact-space matrix A of Peiret et al. 2019, (25), and b, with
// the other constraints taken into account by Schur complement,
//
//   A = A_cc - A_cj A_jj^+ A_jc,   b = b_c - A_cj A_jj^+ b_j,
//
// so that eta = A lambda - b is what the contact's rows do when the joints answer its force. In minimal coordinates
// there are no joints, and the same numbers come out. Redundant joints make A_jj singular; the range of A_jc lies in
// that of A_jj, and the pseudo-inverse is as good as an inverse.
//
// Other contacts may be held in their present modes: one that sticks is a joint; one that slips keeps its direction,
// lambda = lambda_n (tau, 1) with eta_n = 0, where tau is its present lambda_t / lambda_n; one that is detached is not
// there; dry friction of known bound sticks or keeps its force. With a slip held, A is no longer symmetric.
#pragma once

#include <Eigen/Core>
#include <span>

#include "solver/problem/contact_problem.hpp"
#include "solver/problem/solution.hpp"

namespace delassus {

struct ReducedContact {
  ForceSet set;
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();  // the leading rows() rows and columns count, the rest is zero
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  int eliminated = 0;  // rows
  int deficiency = 0;  // of these, how many are one too many
  double unmet = 0;    // largest part of their demands that no force can meet, in the unit of b
  // The forces of all rows of the problem that go with a unit force in each row of the contact, the joints answering;
  // empty where other contacts are held. A is U^T A U of the whole problem with these columns.
  Eigen::MatrixXd forces = {};
  int rows() const { return rows_of(set.kind); }
};

// Joints and other bilateral rows eliminated, the other contacts absent.
ReducedContact reduce_to_contact(ContactProblem const& problem, int block);

// The other contacts held in the modes of a solution.
ReducedContact reduce_to_contact(ContactProblem const& problem, int block, Solution const& held);

}  // namespace delassus
