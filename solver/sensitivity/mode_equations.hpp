// The equations that one block of a solved contact problem fulfils in its mode, and their derivatives.
//
// In a mode the inclusion (65) is a system of equations F(lambda, eta, set) = 0, as many as the block has rows:
//
//   detached  lambda = 0
//   stick     rho eta = 0; joints and closed half-lines too
//   slip      lambda_t + limit w u = 0 with u = eta_t/|eta_t|, and rho eta_n = 0, where the weight w of the bound
//             is lambda_n of a cone, |lambda_n| of a double cone, and 1 of an interval or disc. Under Anitescu and
//             Tasora's law rho (eta_n - limit |eta_t|) = 0 instead of the last
//   directed  lambda_t - direction lambda_n = 0, rho eta_n = 0
//
// Their differential is P dlambda + Q deta + r, with r from the change of the set. The slip turns:
//
//   d u = (I - u u^T) deta_t / |eta_t|.
//
// On the edge between modes, within rounding, F has one differential for each mode that meets there, and a direction
// belongs to that mode whose inequalities the derivative fulfils:
//
//   lambda_n = 0, eta_n = 0                    detached: deta_n >= 0;   in contact: dlambda_n >= 0
//   lambda_t = limit w e, eta = 0              stick: d(limit w) - e.dlambda_t >= 0;
//                                              leaving: e.dlambda_t = d(limit w), deta_t = -kappa e, kappa >= 0
//   lambda = 0, eta = 0 (the apex)             detached; stick: dlambda in the cone; slip: on it, against deta_t
#pragma once

#include <Eigen/Core>
#include <array>

#include "model/equations/force_set.hpp"
#include "model/geometry/dual.hpp"
#include "model/scene/enumeration.hpp"

namespace delassus {

// Which equations hold. The last three are one-sided: they begin at an edge.
enum class BlockRule { detached, stick, slip, directed, leaving, apex_slip, other_side };

// A block of the problem, solved. Rows that it does not have are zero.
struct SolvedBlock {
  ForceSet set;
  ContactLaw law = ContactLaw::coulomb;
  Eigen::Vector3d lambda = Eigen::Vector3d::Zero(), eta = Eigen::Vector3d::Zero();
  double rho = 1;  // kg: from the trace of A, so that equations of force and of motion compare

  int rows() const { return rows_of(set.kind); }
  int tangential() const { return rows() - (has_normal(set.kind) ? 1 : 0); }
};

// The rules that meet at a block: one, or more on an edge. `rounding` in N is what counts as zero.
struct MeetingRules {
  std::array<BlockRule, 4> item{};
  int count = 0;
  void add(BlockRule rule) { item[static_cast<std::size_t>(count++)] = rule; }
};
MeetingRules rules_at(SolvedBlock const& block, double rounding);

template <class Scalar>
struct ModeEquations {
  Matrix3<Scalar> P = Matrix3<Scalar>::Zero(), Q = Matrix3<Scalar>::Zero();
  Vector3<Scalar> r_limit = Vector3<Scalar>::Zero();  // for d limit = 1
};

// At the block's own lambda and eta, or at others of a neighbouring problem. `heading` is the direction of an apex
// slip: that of lambda_t.
template <class Scalar>
ModeEquations<Scalar> mode_equations(SolvedBlock const& block, BlockRule rule, Vector3<Scalar> const& lambda,
                                     Vector3<Scalar> const& eta, ForceSetOf<Scalar> const& set,
                                     Eigen::Vector2d const& heading);

// Of all that the set's change does: P dlambda + Q deta + this = 0.
Eigen::Vector3d set_rate(SolvedBlock const& block, BlockRule rule, ModeEquations<double> const& equations,
                         ForceSetOf<Dual> const& set);

// By how much a derivative breaks the inequalities of a rule on an edge; not positive: it belongs to the mode. N
double violation(SolvedBlock const& block, BlockRule rule, double rounding, Eigen::Vector3d const& dlambda,
                 Eigen::Vector3d const& deta, double dlimit, Eigen::Vector2d const& heading);

}  // namespace delassus
