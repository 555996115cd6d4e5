// From the terms of a system to the contact problem: the Delassus operator A = J M^-1 J^T (22) and the
// right-hand side (27)
//
//   b = J M^-1 Phi - Jdot v - (2 zeta/delta) J v - (1/delta^2) [0; Psi],
//
// and back from forces to accelerations, vdot = M^-1 (J^T lambda - Phi) (39).
//
// With M = L L^T of each mass block and W = L^-1 J^T of each Jacobian term, A is the sum of W_i^T W_j over
// the pairs of terms on the same mass block: symmetric to the bit, and the work grows with these pairs alone.
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

  // Fills A, b and the blocks of `problem`, which keeps its memory between calls.
  void assemble(Terms const& terms, Relaxation relaxation, ContactProblem& problem);

  // With the terms of the last assemble.
  void acceleration(Terms const& terms, Eigen::Ref<const Eigen::VectorXd> lambda, std::span<double> vdot);

 private:
  using Weighted = Eigen::Map<const Eigen::MatrixXd>;
  Weighted weighted(JacobianTerms::Term const& term) const {
    return {weighted_.data() + term.first, term.columns, term.rows};
  }
  void factorise(Terms const& terms);
  void list_terms_of_masses(Terms const& terms);
  void assemble_row(Terms const& terms, std::size_t begin, std::size_t end, BlockMatrix& A) const;

  std::vector<Eigen::LLT<Eigen::MatrixXd>> factor_;  // of each mass block
  std::vector<double> weighted_;                     // W of each Jacobian term, columns x rows
  Eigen::VectorXd free_;                             // L^-1 Phi
  std::vector<std::size_t> first_of_mass_;           // in term_of_mass_, and one past the last
  std::vector<std::size_t> term_of_mass_;
};

}  // namespace delassus
