// The right-hand side of the equations of motion at an instant: terms, contact problem, its solution,
// acceleration. The relaxed ODE of Kikuuwe and Brogliato 2017 is (39) with the lambda that solves (65); here
// both are evaluated together.
#pragma once

#include <span>
#include <vector>

#include "model/equations/system.hpp"
#include "solver/island/contact_solver.hpp"
#include "solver/problem/delassus_operator.hpp"

namespace delassus {

// The forces of the last step, by rising identity, in the rows of the present blocks; zero for a block that is
// not among them. And back: the forces of the blocks that there are. Both keep the memory of what they fill.
void previous_forces(Terms const& terms, std::span<const BlockForce> forces, Eigen::VectorXd& previous);
void copy_forces(Terms const& terms, Eigen::Ref<const Eigen::VectorXd> lambda,
                 std::vector<BlockForce>& forces);

class Dynamics {
 public:
  explicit Dynamics(System const& system);

  System const& system() const { return *system_; }

  // Evaluates at an instant; `previous` are the forces of the last accepted step by rising identity. A block
  // that is not among them starts from zero. What is squeezed there is tried again without the contacts of corners that
  // will have left their faces (Instant::corners_part).
  void evaluate(Instant const& at, Relaxation relaxation, SolveSettings const& settings,
                std::span<const BlockForce> previous);
  // The two halves of it: the terms and their contact problem; and its solution.
  void assemble(Instant const& at, Relaxation relaxation);
  void solve(SolveSettings const& settings, std::span<const BlockForce> previous);

  // Of the last evaluation.
  Terms const& terms() const { return terms_; }
  ContactProblem const& problem() const { return problem_; }
  Solution const& solution() const { return solution_; }
  Relaxation const& relaxation() const { return relaxation_; }
  double coarse_remainder() const { return coarse_remainder_; }  // as in SolveSettings
  // Largest number of b, beside which rounding is seen as such. m/s2
  double largest_demand() const { return largest_demand_; }
  std::span<const double> vdot() const { return vdot_; }
  // The forces of the blocks that there are, by rising identity; `forces` keeps its memory.
  void copy_forces(std::vector<BlockForce>& forces) const {
    delassus::copy_forces(terms_, solution_.lambda, forces);
  }

 private:
  void leave_out_what_is_to_come(Instant const& at);

  System const* system_;
  DelassusOperator delassus_;
  ContactSolver solver_;
  Terms terms_;
  ContactProblem problem_;
  Solution solution_;
  Relaxation relaxation_;
  double coarse_remainder_ = 0;
  double largest_demand_ = 0;
  Eigen::VectorXd previous_;  // in the rows of the present blocks
  std::vector<double> vdot_;
};

// What the relaxed constraint (64) is short of in the rows of a block, at the solved instant:
//   eta = J vdot + Jdot v + (2 zeta/delta) J v + (1/delta^2) [0; Psi]
Eigen::Vector3d eta_of(Dynamics const& dynamics, std::size_t block);

// 1/2 v^T M v, J
double kinetic_energy(Terms const& terms, std::span<const double> v);
Dual kinetic_energy(TermsOf<Dual> const& terms, std::span<const Dual> v);

}  // namespace delassus
