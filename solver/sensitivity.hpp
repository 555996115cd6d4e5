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
// K is factorised once for all directions, island by island; detached blocks are left out.
//
// Redundant blocks make K singular. Steppers then take the force of least norm, lambda in the range of K^T, lambda = K^T y.
// With N the null space of K, differentiating N^T lambda = 0 gives what K does not know of dlambda:
//
//   N^T dlambda = N^T (dP^T y + A dQ^T y + dA Q^T y),
//
// where dP and dQ come of the turning slips and dA u = dJ a + J M^-1 (dJ^T u - dM a), a = M^-1 J^T u.
//
// Where a block is on the edge between two modes, within rounding, the derivative is that of the side which the direction
// leads to: the modes that meet there are tried until one fulfils its inequalities.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <span>
#include <vector>

#include "solver/dynamics.hpp"
#include "solver/mode_equations.hpp"

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
  struct Member {
    int block = 0;           // in the problem
    Eigen::Index first = 0;  // row in the island
    SolvedBlock solved;
    MeetingRules rules;
    int chosen = 0;  // of the rules
    Eigen::Vector2d heading = Eigen::Vector2d::Zero();
    ModeEquations<double> equations;
  };
  struct Island {
    std::vector<Member> members;
    Eigen::Index rows = 0;
    double rounding = 0;  // N
    Eigen::MatrixXd A, K;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
    Eigen::MatrixXd null_space;  // of K, orthonormal columns
    Eigen::VectorXd y;           // K^T y = lambda where lambda has the least norm; else empty
    bool on_edge = false;
    bool contradicts = false;  // along the last direction
  };
  void add_island(std::span<const int> blocks);
  void choose_base_force();
  static void keep_bounds(Island& island);
  static void factorise(Island& island);
  void solve(Island& island, TermsOf<Dual> const& terms);
  Eigen::VectorXd solve_in_modes(Island& island, TermsOf<Dual> const& terms, Eigen::VectorXd const& g);
  void add_least_norm_part(Island const& island, TermsOf<Dual> const& terms, Eigen::VectorXd const& g,
                           Eigen::VectorXd& dlambda) const;
  void turn_apex_slips(Island& island, TermsOf<Dual> const& terms, Eigen::VectorXd const& g,
                       Eigen::VectorXd& dlambda);
  void project_nakaoka(TermsOf<Dual> const& terms);
  Eigen::VectorXd mass_solve(Eigen::VectorXd x) const;

  Dynamics const* dynamics_ = nullptr;
  TermsOf<Dual> const* terms_ = nullptr;
  ContactLaw law_ = ContactLaw::coulomb;
  std::vector<Island> islands_;
  Eigen::VectorXd base_, base_vdot_;  // lambda and vdot; under Nakaoka's law those of the bilateral force
  Eigen::VectorXd eta_;
  std::vector<Eigen::MatrixXd> mass_inverse_;
  Eigen::VectorXd g_, dlambda_, dvdot_, dvdot_fixed_;
  std::vector<BlockIdentity> edges_;
  bool contradicts_ = false;
};

}  // namespace delassus
