#include "solver/problem/generalised_friction_cone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/numbers/elementary.hpp"
#include "solver/linear/dense.hpp"

namespace delassus {
namespace {

// A coupling below this fraction of sqrt(a |H|), which bounds it, is rounding of the Schur complement.
constexpr double uncoupled = 1e-12;

}  // namespace

GeneralisedFrictionCone generalised_friction_cone(Eigen::Matrix3d const& A, int rows, double mu) {
  GeneralisedFrictionCone cone;
  int const t = rows - 1;
  cone.tangential = t;
  cone.mu = mu;
  cone.A.topLeftCorner(rows, rows) = A.topLeftCorner(rows, rows);
  cone.H.topLeftCorner(t, t) = A.topLeftCorner(t, t);
  cone.h.head(t) = A.row(t).head(t);
  cone.a = A(t, t);
  double const coupled = cone.h.norm();
  double const most = std::sqrt(std::abs(cone.a) * std::abs(cone.H.trace()));
  if (coupled > uncoupled * most) {
    cone.mu_jam = cone.a / coupled;
    cone.e_jam = cone.h / coupled;
    // a >= 0; a negative one, of a sliding neighbour held, jams in every direction.
    if (mu > cone.mu_jam)
      cone.locking_angle = cone.mu_jam > -mu ? 2 * elementary::acos(cone.mu_jam / mu) : 2 * std::numbers::pi;
    cone.mu_crit = OrthogonalDecomposition(A.topLeftCorner(t, t), uncoupled).solve(A.col(t).head(t)).norm();
  } else {
    cone.mu_jam = std::numeric_limits<double>::infinity();
  }
  // Scaled to a unit diagonal before the rank is determined.
  Eigen::VectorXd scale(rows);
  for (int i = 0; i < rows; ++i) scale[i] = A(i, i) > 0 ? 1 / std::sqrt(A(i, i)) : 1;
  Eigen::MatrixXd const scaled = scale.asDiagonal() * A.topLeftCorner(rows, rows) * scale.asDiagonal();
  PivotedLu const lu(scaled, uncoupled);
  cone.solid = lu.is_invertible();
  if (!cone.solid) return cone;
  Eigen::MatrixXd const M_c = scale.asDiagonal() * lu.inverse() * scale.asDiagonal();
  Eigen::VectorXd Q_mu = Eigen::VectorXd::Ones(rows);
  Q_mu[t] = -mu * mu;
  cone.Q.topLeftCorner(rows, rows) = M_c.transpose() * Q_mu.asDiagonal() * M_c;
  return cone;
}

GeneralisedFrictionCone generalised_friction_cone(ReducedContact const& contact, double mu) {
  return generalised_friction_cone(contact.A, contact.rows(), mu);
}

Eigen::Vector3d GeneralisedFrictionCone::generator(Eigen::Vector2d const& e_t) const {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  force.head(tangential) = -mu * e_t.head(tangential);
  force[tangential] = 1;
  return A * force;
}

}  // namespace delassus
