// From the terms of a system to the contact problem: the Delassus operator A = J M^-1 J^T (22) and the
// right-hand side (27)
//
//   b = J M^-1 Phi - Jdot v - (2 zeta/delta) J v - (1/delta^2) [0; Psi],
//
// and back from forces to accelerations, vdot = M^-1 (J^T lambda - Phi) (39).
//
// With M = L L^T of each mass block and W = L^-1 J^T of each Jacobian term, A = W^T W. This is the form that it
// is kept in; `form_matrix` multiplies it out.
#pragma once

#include <span>
#include <vector>

#include "model/equations/system.hpp"
#include "solver/linear/mass_factor.hpp"
#include "solver/problem/contact_problem.hpp"

namespace delassus {

// Which zeta and delta the relaxation takes. The implicit scheme (70) is (65) with delta = h and zeta = 1/2.
struct Relaxation {
  enum class Source {
    blocks,     // each block's own
    step,       // delta = step, zeta = 1/2 for every block
    over_step,  // none: the terms are those of a step (System::evaluate), which ends at Psi = 0
    impact,     // none: forces are impulses, and velocities after them those in Psi
  };
  Source source = Source::blocks;
  double step = 0;     // s
  double theta = 0.5;  // of over_step, as in Instant
  // s: joints that are open are closed within this time; of `step`, contacts that overlap are moved apart, too. A motion
  // that is a small part of it would do so with a large velocity, and the work of that is energy from nowhere.
  double recovery = 0;
  // Forces between two steps of a stepper that moves bodies apart without force and lets them meet at their time: overlap
  // does not press (1e-7 m over a step of 1e-3 s would be 1 % of gravity), and contacts that are open have no force.
  bool observes = false;
};

// What multiplies J v and Psi of a row in (27): 2 zeta/delta and 1/delta^2.
struct RelaxationFactors {
  double damping = 0, stiffness = 0;
};
// Of a pair of numbers of a block; of its normal row, or of all its rows where it has none; of its tangential rows.
RelaxationFactors relaxation_factors(RelaxationPair const& own, Relaxation const& relaxation);
struct BlockFactors {
  RelaxationFactors normal, tangential;
  RelaxationFactors const& of_row(int row, int rows) const { return row + 1 < rows ? tangential : normal; }
};
BlockFactors relaxation_factors(ConstraintBlock const& block, Relaxation const& relaxation);

class DelassusOperator {
 public:
  explicit DelassusOperator(System const& system);

  // Fills W, b and the blocks of `problem`, which keeps its memory between calls; A is not formed.
  void assemble(Terms const& terms, Relaxation relaxation, ContactProblem& problem);

  // With the problem of the last assemble.
  void acceleration(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                    std::span<double> vdot) const;

 private:
  MassFactor factor_;
  std::vector<int> first_of_mass_;  // its first velocity
  Eigen::VectorXd free_;            // L^-1 Phi
};

}  // namespace delassus
