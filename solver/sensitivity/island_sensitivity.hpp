// The derivative of one island's forces along a direction, in the modes that its blocks have: K dlambda = -(Q g + r) of
// sensitivity.hpp. K is factorised once for all directions; detached blocks are left out.
//
// Redundant blocks make K singular. Steppers then take the force of least norm, lambda in the range of K^T, lambda = K^T y.
// With N the null space of K, differentiating N^T lambda = 0 gives what K does not know of dlambda:
//
//   N^T dlambda = N^T (dP^T y + A dQ^T y + dA Q^T y),
//
// where dP and dQ come of the turning slips.
//
// Where a block is on the edge between two modes, within rounding, the derivative is that of the side which the direction
// leads to: the modes that meet there are tried until one fulfils its inequalities.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "model/equations/system.hpp"
#include "solver/linear/dense.hpp"
#include "solver/problem/contact_problem.hpp"
#include "solver/sensitivity/mode_equations.hpp"

namespace delassus {

// A solved problem: forces, motions, and how well they are known.
struct SolvedProblem {
  ContactProblem const& problem;
  Eigen::VectorXd const& lambda;
  Eigen::VectorXd const& eta;
  ContactLaw law;
  double residual;
  // With a SolveSettings::coarse_remainder, redundant rows that contradict a little do not yield.
  bool coarse_positions;
};

// A direction: the terms along it, and for all rows of the problem g of deta = A dlambda + g and dA u of any u.
struct IslandDirection {
  TermsOf<Dual> const& terms;
  Eigen::VectorXd const& g;
  std::function<Eigen::VectorXd(Eigen::VectorXd const&)> operator_rate;
};

class IslandSensitivity {
 public:
  IslandSensitivity(SolvedProblem const& solved, std::span<const int> blocks);

  // Writes dlambda of the island's rows.
  void solve(IslandDirection const& direction, Eigen::VectorXd& dlambda);

  // Blocks on the edge between modes.
  std::vector<int> edges() const;
  // Along the last direction: redundant blocks contradict one another, and dlambda is that of least squares.
  bool contradicts() const { return contradicts_; }

 private:
  struct Member {
    int block = 0;           // in the problem
    Eigen::Index first = 0;  // row in the island
    SolvedBlock solved;
    MeetingRules rules;
    int chosen = 0;  // of the rules
    Eigen::Vector2d heading = Eigen::Vector2d::Zero();
    ModeEquations<double> equations;

    BlockRule rule() const { return rules.item[static_cast<std::size_t>(chosen)]; }
  };
  void keep_bounds();
  void factorise();
  Eigen::VectorXd solve_on_edge(IslandDirection const& direction, Eigen::VectorXd const& g);
  Eigen::VectorXd solve_in_modes(IslandDirection const& direction, Eigen::VectorXd const& g);
  void let_friction_yield(Eigen::VectorXd const& demand, Eigen::VectorXd& dlambda) const;
  void add_least_norm_part(IslandDirection const& direction, Eigen::VectorXd const& g,
                           Eigen::VectorXd& dlambda) const;
  Eigen::VectorXd turned(IslandDirection const& direction, Eigen::VectorXd const& change,
                         Eigen::VectorXd const* g) const;
  void turn_apex_slips(IslandDirection const& direction, Eigen::VectorXd const& g, Eigen::VectorXd& dlambda);
  double worst_violation(IslandDirection const& direction, Eigen::VectorXd const& g,
                         Eigen::VectorXd const& dlambda) const;
  bool choose_next_modes();

  std::vector<Member> members_;
  Eigen::Index rows_ = 0;
  double rounding_ = 0;  // N
  bool coarse_positions_ = false;
  Eigen::MatrixXd A_, K_;
  OrthogonalDecomposition factor_;
  Eigen::MatrixXd null_space_;  // of K, orthonormal columns
  Eigen::VectorXd y_;           // K^T y = lambda where lambda has the least norm; else empty
  bool on_edge_ = false;
  bool contradicts_ = false;
};

}  // namespace delassus
