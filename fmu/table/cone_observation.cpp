#include "fmu/table/cone_observation.hpp"

#include <algorithm>
#include <cmath>

#include "model/equations/contact_law.hpp"
#include "model/numbers/elementary.hpp"
#include "solver/problem/generalised_friction_cone.hpp"

namespace delassus {
namespace {

template <class Scalar>
struct ConeNumbers {
  Scalar mu_crit = 0, mu_jam = 0, locking_angle = 0;
};

ConeNumbers<double> numbers_of(Observation const&, ReducedContact const& reduced, double mu) {
  GeneralisedFrictionCone const cone = generalised_friction_cone(reduced, mu);
  return {cone.mu_crit, cone.mu_jam, cone.locking_angle};
}

// dA = U^T dA_all U, where U are the joint forces caused by a unit contact force, and that force itself. The
// joints' rows of A U are zero, so the change of U has no effect. Then (34), (36) and (41) are
// differentiated.
ConeNumbers<Dual> numbers_of(DualObservation const& o, ReducedContact const& reduced, Dual const& mu) {
  GeneralisedFrictionCone const cone = generalised_friction_cone(reduced, mu.value);
  ConeNumbers<Dual> numbers{cone.mu_crit, cone.mu_jam, cone.locking_angle};
  if (!(cone.h.norm() > 0) || !std::isfinite(cone.mu_jam)) return numbers;
  int const rows = reduced.rows(), t = rows - 1;
  Matrix3<Dual> A = Matrix3<Dual>::Zero();
  for (int j = 0; j < rows; ++j) {
    Eigen::VectorXd const rate =
        reduced.forces.transpose() * o.sensitivity.operator_rate(reduced.forces.col(j));
    for (int i = 0; i < rows; ++i) A(i, j) = {reduced.A(i, j), rate[i]};
  }
  Vector2<Dual> h = Vector2<Dual>::Zero(), column = Vector2<Dual>::Zero(), slip = Vector2<Dual>::Zero();
  for (int i = 0; i < t; ++i) {
    h[i] = A(t, i);
    column[i] = A(i, t);
  }
  numbers.mu_jam = A(t, t) / h.norm();
  if (numbers.mu_jam < mu && numbers.mu_jam > -mu) numbers.locking_angle = 2 * acos(numbers.mu_jam / mu);
  if (t == 1) {
    if (A(0, 0) == 0) return numbers;
    slip[0] = column[0] / A(0, 0);
  } else {
    Dual const determinant = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
    if (determinant == 0) return numbers;
    slip[0] = (A(1, 1) * column[0] - A(0, 1) * column[1]) / determinant;
    slip[1] = (A(0, 0) * column[1] - A(1, 0) * column[0]) / determinant;
  }
  // Zero up to rounding: the norm has a kink there and grows in every direction.
  Dual const size = slip.norm();
  double const growth = elementary::hypot(slip[0].derivative, slip[1].derivative);
  numbers.mu_crit = size.value > 1e-12 ? size : Dual{size.value, growth};
  return numbers;
}

template <class AnyObservation>
ConeObservationOf<typename AnyObservation::Scalar> cone_of(AnyObservation const& o, int contact) {
  using Scalar = typename AnyObservation::Scalar;
  ContactParameters const& law = o.system.scene().contacts[static_cast<std::size_t>(contact)].law;
  ConeObservationOf<Scalar> worst;
  worst.mu_jam = largest_margin + friction_bound<Scalar>(law.mu, o.at.parameter, 0);
  auto const& active = SceneWorkspaceOf<Scalar>::of(o.terms()).active;
  auto const before = [&](auto const& point) { return !point.grouped && point.element < contact; };
  for (auto point = std::partition_point(active.begin(), active.end(), before);
       point != active.end() && !point->grouped && point->element == contact; ++point) {
    if (point->block < 0) continue;
    ReducedContact const reduced = reduce_to_contact(o.dynamics.problem(), point->block);
    int const tangential = reduced.rows() - 1;
    if (!has_normal(reduced.set.kind) || tangential < 1) continue;
    Scalar const mu = friction_bound<Scalar>(law.mu, o.at.parameter, point->velocity.head(tangential).norm());
    ConeNumbers<Scalar> const cone = numbers_of(o, reduced, mu);
    Scalar const largest = mu + largest_margin;
    worst.mu_crit = larger(worst.mu_crit, smaller(cone.mu_crit, largest));
    worst.mu_jam = smaller(worst.mu_jam, cone.mu_jam);
    worst.margin = smaller(worst.margin, cone.mu_jam - mu);
    worst.locking_angle = larger(worst.locking_angle, cone.locking_angle);
  }
  return worst;
}

}  // namespace

ConeObservation observe_cone(Observation const& observation, int contact) {
  return cone_of(observation, contact);
}
ConeObservationOf<Dual> observe_cone(DualObservation const& observation, int contact) {
  return cone_of(observation, contact);
}

}  // namespace delassus
