// Several blocks, one after the other: block Gauss-Seidel around the exact one-block solver. Each sweep
// solves block k for
//
//   A_kk lambda_k - (b_k - sum_{j != k} A_kj lambda_j) in -lim N_{C_k}^{U_eps}(lambda_k)
//
// with the newest forces of the others. It knows every law but Nakaoka's and every rule, gets near a solution
// from anywhere in many problems, and takes its time over the last digits.
#pragma once

#include <span>

#include "solver/contact_problem.hpp"
#include "solver/residual.hpp"
#include "solver/solution.hpp"
#include "solver/solve_settings.hpp"

namespace delassus {

class GaussSeidel {
 public:
  struct Result {
    double residual = 0;  // scale-free, of the island
    int sweeps = 0;
  };

  // Improves the forces of an island in solution.lambda, at least by one sweep, until the residual is within
  // the tolerance or `limit` sweeps are made; writes the modes and numbers of solutions that its blocks have
  // in the last sweep. `previous` is the force that the rule follows. Does not allocate after the first call
  // with a problem of this size.
  Result solve(ContactProblem const& problem, std::span<const int> island, SolveSettings const& settings,
               double tolerance, int limit, Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution);

  // eta = A lambda - b of the island's rows, which stay where they are in the whole problem, and the
  // residual.
  double residual(ContactProblem const& problem, std::span<const int> island, ContactLaw law,
                  Eigen::Ref<const Eigen::VectorXd> lambda);
  Eigen::VectorXd const& eta() const { return eta_; }

 private:
  static void sweep(ContactProblem const& problem, std::span<const int> island, bool backward,
                    SolveSettings const& settings, Eigen::Ref<const Eigen::VectorXd> previous,
                    Solution& solution);

  Eigen::VectorXd eta_;
};

}  // namespace delassus
