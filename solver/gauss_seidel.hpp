// Several blocks: block Gauss-Seidel around the exact one-block solver. Each sweep solves block k for
//
//   A_kk lambda_k - (b_k - sum_{j != k} A_kj lambda_j) in -lim N_{C_k}^{U_eps}(lambda_k)
//
// with the newest forces of the others, until the residual of the whole problem is within the tolerance. One
// block needs one exact solve. The law of Nakaoka (80) is a projection of A^-1 b and needs no sweep.
#pragma once

#include <Eigen/QR>

#include "solver/contact_problem.hpp"
#include "solver/residual.hpp"
#include "solver/solution.hpp"

namespace delassus {

struct SolveSettings {
  ContactLaw law = ContactLaw::coulomb;
  SolutionRule rule = SolutionRule::continuous;
  double tolerance =
      1e-13;  // scale-free residual; near rounding, so that an ODE that calls this sees a smooth function
  int iteration_limit = 2000;  // sweeps
};

class GaussSeidel {
 public:
  // `previous` is the force of the last step: the warm start, and what the rule `continuous` follows. Does
  // not allocate after the first call with a problem of this size.
  void solve(ContactProblem const& problem, SolveSettings const& settings,
             Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution);

 private:
  void sweep(ContactProblem const& problem, SolveSettings const& settings,
             Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution);
  void project_bilateral_force(ContactProblem const& problem, Solution& solution);

  ResidualWorkspace residual_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;  // of A, which may be singular
  Eigen::VectorXd bilateral_;                                       // A^-1 b, or that of least norm
};

}  // namespace delassus
