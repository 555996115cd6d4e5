// How the contact forces and accelerations of a solved instant change along a direction, through the contact solution:
// implicit differentiation, in the modes that the blocks have.
//
// With H = Jdot v + (2 zeta/delta) J v + (1/delta^2) Psi of each row, eta = J vdot + H and vdot = M^-1 (J^T lambda - Phi).
// At fixed lambda the direction changes these by
//
//   dvdot|lambda = M^-1 (dJ^T lambda - dPhi - dM vdot),     g = dJ vdot + J dvdot|lambda + dH,
//
// so that deta = A dlambda + g without A being differentiated. Each block adds its equations (mode_equations.hpp):
//
//   K dlambda = -(Q g + r),   K = P + Q A,   and then   dvdot = dvdot|lambda + M^-1 J^T dlambda.
//
// K is factorised once for all directions, island by island (island_sensitivity.hpp). A large island is solved to fewer
// digits than its modes need; its forces are then made exact first, or the slips that are as small as what the solver left would
// turn anywhere.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/sensitivity/island_sensitivity.hpp"
#include "solver/time/dynamics.hpp"

namespace delassus {

class Sensitivity {
 public:
  // Of the last evaluation of `dynamics`, which is not to be evaluated again before the last differentiate. It allocates.
  void prepare(Dynamics const& dynamics, ContactLaw law);

  // Along a direction: `terms` are those of the instant, with their derivatives along it; `step_rate` is the derivative
  // of the relaxation's step. Throws std::runtime_error where the blocks are not those of the instant.
  void differentiate(TermsOf<Dual> const& terms, double step_rate = 0);

  // Of the last direction.
  Eigen::VectorXd const& lambda_rate() const { return dlambda_; }
  Eigen::VectorXd const& vdot_rate() const { return dvdot_; }
  // Blocks on the edge between modes: the derivative holds to this side.
  std::vector<BlockIdentity> const& edges() const { return edges_; }

  // Whether redundant blocks contradict one another along the last direction: the solution then has no derivative, and
  // this is the one of least squares.
  bool contradicts() const { return contradicts_; }

  // d(A u) at fixed u, along the last direction.
  Eigen::VectorXd operator_rate(Eigen::Ref<const Eigen::VectorXd> u) const;

 private:
  void choose_base_force();
  void solve_exactly();
  void project_nakaoka(TermsOf<Dual> const& terms);
  void move_base_to(Eigen::VectorXd const& lambda);
  Eigen::VectorXd mass_solve(Eigen::VectorXd x) const;
  Eigen::VectorXd force_at_fixed(TermsOf<Dual> const& terms, Eigen::VectorXd const& lambda,
                                 Eigen::VectorXd const& vdot) const;

  Dynamics const* dynamics_ = nullptr;
  TermsOf<Dual> const* terms_ = nullptr;
  ContactLaw law_ = ContactLaw::coulomb;
  std::vector<IslandSensitivity> islands_;
  Eigen::VectorXd base_, base_vdot_;  // lambda and vdot; under Nakaoka's law those of the bilateral force
  double residual_ = 0;               // of the base force
  Eigen::VectorXd eta_;
  std::vector<Eigen::MatrixXd> mass_inverse_;
  Eigen::VectorXd dlambda_, dvdot_;
  std::vector<BlockIdentity> edges_;
  bool contradicts_ = false;
};

}  // namespace delassus
