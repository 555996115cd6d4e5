// From the terms of a system to the contact problem: the Delassus operator A = J M^-1 J^T (22) and the
// right-hand side (27)
//
//   b = J M^-1 Phi - Jdot v - (2 zeta/delta) J v - (1/delta^2) [0; Psi],
//
// and back from forces to accelerations, vdot = M^-1 (J^T lambda - Phi) (39).
#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

#include "model/system.hpp"
#include "solver/contact_problem.hpp"

namespace delassus {

// Which zeta and delta the relaxation takes. The implicit scheme (70) is (65) with delta = h and zeta = 1/2.
struct Relaxation {
  enum class Source {
    blocks,              // each block's own
    step,                // delta = step, zeta = 1/2 for every block
    blocks_within_step,  // each block's own, unless a fixed step of this size is too long for it: then as
                         // `step`
  };
  Source source = Source::blocks;
  double step = 0;  // s
};

class DelassusOperator {
 public:
  explicit DelassusOperator(System const& system);

  // Fills A, b and the sets of `problem`, which keeps its memory between calls.
  void assemble(Terms const& terms, std::span<const double> v, Relaxation relaxation,
                ContactProblem& problem);

  // With the terms of the last assemble.
  void acceleration(Terms const& terms, Eigen::Ref<const Eigen::VectorXd> lambda, std::span<double> vdot);

 private:
  void factorise(Terms const& terms);

  std::span<const ConstraintBlock> blocks_;
  std::vector<Eigen::LLT<Eigen::MatrixXd>> factor_;  // of each mass block
  std::vector<Eigen::MatrixXd> weighted_;            // M^-1 J^T of each Jacobian term
  std::vector<std::size_t> mass_of_term_;
  Eigen::VectorXd free_;  // M^-1 Phi
};

}  // namespace delassus
