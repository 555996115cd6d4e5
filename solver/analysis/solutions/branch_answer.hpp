// How the normal motions answer the normal forces along a branch of solutions: G = d eta_n / d lambda_n over the
// contacts that press. Sticking blocks keep sticking, slipping ones slip on, and in space turn as they must:
//
//   stick           d eta = 0
//   slip, plane     d lambda_t = (lambda_t / lambda_n) d lambda_n
//   slip, space     d eta_t + s d lambda_t + lambda_t ds = 0,   lambda_t . d lambda_t = mu^2 lambda_n d lambda_n
//
// with s from eta_t = -s lambda_t. For one contact that slides in a known direction G is the A of Song et al. 2001, whose
// sign says whether a stiff, damped contact stays there. For several, each contact is taken as stiff as the others and
// well damped: the gaps then follow d/dt lambda_n = -G lambda_n, which stays where no eigenvalue has a negative real
// part.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "solver/analysis/solutions/block_options.hpp"
#include "solver/problem/block.hpp"

namespace delassus {

struct BranchAnswer {
  std::vector<int> pressing;  // blocks, rising; the rows of G
  Eigen::MatrixXd G;
  bool stable = true;
};

// Of blocks without joints at a solution lambda in these modes.
BranchAnswer branch_answer(Eigen::MatrixXd const& A, std::span<const ProblemBlock> blocks,
                           std::span<const BlockOption> options, Eigen::VectorXd const& lambda,
                           Eigen::VectorXd const& eta);

}  // namespace delassus
