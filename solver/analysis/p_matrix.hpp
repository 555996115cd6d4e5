// P-matrices: all principal minors are positive. A linear complementarity problem has one solution for every
// right-hand side if and only if its matrix is one (Blumentals et al. 2016, appendix A).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/analysis/certainty.hpp"

namespace delassus {

// Above these sizes the subsets are too many to go through: 2^20 pivots, 2^12 singular value decompositions.
constexpr int largest_p_matrix = 20, largest_beta_2 = 12;

struct PMatrix {
  Certainty is_p = Certainty::unknown;
  // Rows of a principal minor that is not positive, where there is one, rising; and its value with the rows scaled
  // to a unit diagonal where that is positive.
  std::vector<int> rows;
  double minor = 0;
};

// Minors one by one, each from another by one pivot (Tsatsomeros and Li 2000): M is a P-matrix where m_11 > 0 and
// both M without the first row and column and the Schur complement of m_11 are. A matrix whose symmetric part is
// positive definite is one, whatever its size.
PMatrix test_p_matrix(Eigen::Ref<const Eigen::MatrixXd> M);

// beta_2(M) = max over d in [0, 1]^n of |(I - D + D M)^-1 D|_2 of a P-matrix (Theorem 3, of Chen and Xiang): all
// matrices nearer to M than 1/beta_2 in the same norm are P-matrices too. Infinite where M is none, NaN above
// largest_beta_2 rows.
//
// The paper maximises numerically. The maximum is at a corner: with X the matrix for one d, moving the single d_i
// moves it to X - t X e_i e_i^T X with t rising from 0 to 1/X_ii, a straight line, on which a norm is convex and
// greatest at an end. At a corner the matrix is the inverse of a principal submatrix, so that
//
//   beta_2(M) = max over subsets a of 1/sigma_min(M_aa).
double beta_2(Eigen::Ref<const Eigen::MatrixXd> M);

}  // namespace delassus
