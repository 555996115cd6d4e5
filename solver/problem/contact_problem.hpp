// The contact problem (65) of Kikuuwe and Brogliato 2017: find lambda with
//
//   eta = A lambda - b in -lim N_C^{U_eps}(lambda),   A = J M^-1 J^T (22),   b of (27).
//
// A solver sees A, b and the force sets, never bodies. Where the problem comes from a system, A is given as W with
// A = W^T W, and may be multiplied out as well (`form_matrix`); a problem that is written down has only A, and W
// is empty.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "solver/linear/factor_terms.hpp"
#include "solver/problem/block.hpp"
#include "solver/problem/block_matrix.hpp"

namespace delassus {

struct ContactProblem {
  BlockMatrix A;
  FactorTerms W;
  Eigen::VectorXd b;
  std::vector<ProblemBlock> blocks;

  // For problems that are written down or read from a file.
  static ContactProblem from_dense(Eigen::Ref<const Eigen::MatrixXd> A, Eigen::Ref<const Eigen::VectorXd> b,
                                   std::vector<ProblemBlock> blocks) {
    ContactProblem problem;
    problem.A = BlockMatrix::from_dense(A, blocks);
    problem.b = b;
    problem.blocks = std::move(blocks);
    return problem;
  }

  // Whether A is there, and not only W.
  bool formed() const { return A.size() == blocks.size(); }

  // Of A in either form: its product, its trace, and all of it as a dense matrix. The first allocates only where A
  // is not formed.
  void multiply(Eigen::Ref<const Eigen::VectorXd> x, Eigen::Ref<Eigen::VectorXd> product) const;
  double trace() const;
  Eigen::MatrixXd dense() const;
};

}  // namespace delassus
