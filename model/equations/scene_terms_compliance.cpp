// Contact points that give way: the forces of compliant laws and of compliant friction, at an instant and over a step.
#include <algorithm>
#include <array>
#include <limits>

#include "model/equations/contact_law.hpp"
#include "model/equations/scene_terms.hpp"

namespace delassus {
namespace {

// Features of a contact with compliant friction, one with a plane, are below. Blocks of friction follow the normal ones.
constexpr int first_rubbing_feature = 0x80;

}  // namespace

template <class Scalar>
Vector2<Scalar> deflection_rate(ContactParameters const& law, std::span<const Scalar> parameter, Scalar gap,
                                Vector3<Scalar> const& velocity, Vector2<Scalar> const& deflection) {
  Scalar const normal_force =
      gap < 0 ? compliant_normal_force<Scalar>(law, parameter, -gap, -velocity[2]) : 0.0;
  return compliant_friction<Scalar>(law, parameter, normal_force, velocity.template head<2>(), deflection)
      .deflection_rate;
}

template <class Scalar>
Vector2<Scalar> deflection_rate_over_step(ContactParameters const& law, std::span<const Scalar> parameter,
                                          Scalar gap, Vector3<Scalar> const& velocity,
                                          Vector2<Scalar> const& deflection, double h) {
  Scalar const normal_force =
      gap < std::numeric_limits<double>::infinity()
          ? compliant_force_over_step<Scalar>(law, parameter, -gap, -gap - h * velocity[2], h)
          : Scalar(0.0);
  Vector2<Scalar> const slip = velocity.template head<2>();
  return compliant_friction_over_step<Scalar>(law, parameter, std::max<Scalar>(normal_force, 0.0), slip,
                                              deflection, h)
             .change(h * slip) /
         h;
}

// The normal force follows from the motion. So does friction, unless it is rigid Coulomb friction, whose
// bound follows from the normal force.
template <class Scalar>
void SceneTerms<Scalar>::write_compliant_point(Pair const& pair, ContactPointOf<Scalar> const& contact,
                                               ActivePointOf<Scalar>& active,
                                               std::span<const ConstraintRowOf<Scalar>> rows,
                                               Vector3<Scalar> const& t1, Vector3<Scalar> const& t2) {
  ContactParameters const& law = *pair.law;
  Scalar const normal_force =
      compliant_normal_force<Scalar>(law, at_.parameter, -contact.gap, -active.velocity[2]);
  Vector2<Scalar> const slip = active.velocity.template head<2>();
  active.force[2] = normal_force;
  double spare = 0;
  bool const rubs = law.frictional() && law.friction == FrictionLaw::compliant && pair.first_deflection >= 0;
  if (law.frictional() && normal_force > 0) {
    if (law.friction == FrictionLaw::smooth) {
      active.force.template head<2>() = normal_force * smooth_friction<Scalar>(law, at_.parameter, slip);
    } else if (rubs) {
      auto const first = static_cast<std::size_t>(pair.first_deflection + 2 * contact.feature);
      CompliantFrictionOf<Scalar> const friction = compliant_friction<Scalar>(
          law, at_.parameter, normal_force, slip, {at_.q[first], at_.q[first + 1]});
      active.force.template head<2>() = friction.force;
      active.sticks = friction.sticks;
      spare = value_of(friction.spare);
    } else {
      Scalar const bound = friction_bound<Scalar>(law.mu, at_.parameter, slip.norm()) * normal_force;
      active.block = add_block(pair.first_identity + static_cast<BlockIdentity>(contact.feature),
                               {rows.size() == 1 ? ForceSetKind::interval : ForceSetKind::disc, bound},
                               {0.5, parameter(law.delta)}, rows, pair.body_b, pair.body_a);
    }
  }
  if (!pair.grouped)
    terms_.touches.push_back(
        {pair.element, value_of(normal_force), rubs, active.sticks, value_of(contact.gap), spare});
  Vector3<Scalar> const force = active.force[0] * t1 + active.force[1] * t2 + active.force[2] * contact.n;
  apply_force(pair.body_b, contact.p, force);
  apply_force(pair.body_a, contact.p, -force);
}

// The mean force of compliant friction, as far as it follows from the last estimate: all of a soft one. A stiff one is
// also a block, whose force is within share bound and gives way by 1/(share stiffness):
//
//   h J v_mid + lambda/(share stiffness) - at_start/stiffness = 0
template <class Scalar>
Vector2<Scalar> SceneTerms<Scalar>::rub_over_step(Pair const& pair, int feature, Scalar const& normal_force,
                                                  Vector2<Scalar> const& slip,
                                                  std::span<const ConstraintRowOf<Scalar>> rows) {
  double const h = at_.step;
  auto const first = static_cast<std::size_t>(pair.first_deflection + 2 * feature);
  CompliantFrictionStepOf<Scalar> const step = compliant_friction_over_step<Scalar>(
      *pair.law, at_.parameter, normal_force, slip, {at_.q[first], at_.q[first + 1]}, h);
  Scalar const stiffness = step.share * step.stiffness;
  Scalar least = response(rows[0], pair.body_b, pair.body_a);
  if (rows.size() > 1) least = std::max<Scalar>(least, response(rows[1], pair.body_b, pair.body_a));
  if (!(stiffness * h * h * at_.theta * least > stiff_share)) return step.mean(h * slip);
  if (!(step.bound > 0)) return step.given;
  RubbingPointOf<Scalar>& point = work_.rubbing.emplace_back();
  point.identity = pair.first_identity + static_cast<BlockIdentity>(first_rubbing_feature + feature);
  point.set = {rows.size() == 1 ? ForceSetKind::interval : ForceSetKind::disc, step.share * step.bound};
  point.compliance = 1 / (at_.theta * h * h * stiffness);
  std::copy(rows.begin(), rows.end(), point.rows.begin());
  for (std::size_t k = 0; k < rows.size(); ++k)
    point.rows[k].Psi = -step.at_start[static_cast<Eigen::Index>(k)] / step.stiffness;
  return step.given;
}

// The mean force F(x_1) over the step depends on where it ends, x_1 = x_0 - h J v_mid. Newton's method from the last
// estimate x_1, with the slope F', makes it a contact that gives way,
//
//   lambda = F + F' (x_0 - x_1) - F' h J v_mid,   lambda >= 0,
//
// which is stable however stiff it is. A soft one is taken from the last estimate.
template <class Scalar>
void SceneTerms<Scalar>::write_compliant_point_over_step(
    Pair const& pair, ContactPointOf<Scalar> const& contact, ActivePointOf<Scalar>& active,
    std::span<const ConstraintRowOf<Scalar>> given, Vector3<Scalar> const& t1, Vector3<Scalar> const& t2) {
  ContactParameters const& law = *pair.law;
  double const h = at_.step;
  std::array<ConstraintRowOf<Scalar>, 3> fitted;
  std::copy(given.begin(), given.end(), fitted.begin());
  std::span<const ConstraintRowOf<Scalar>> const rows =
      std::span<const ConstraintRowOf<Scalar>>(fitted).first(given.size());
  bool const plane = scene_.dimension == 2;
  Vector3<Scalar> const relative = move(pair.body_b).at(contact.p) - move(pair.body_a).at(contact.p);
  Scalar const start = -contact.gap;
  Scalar const end = contact.gap_at_end == contact.gap_at_end ? Scalar(-contact.gap_at_end)
                                                              : Scalar(start - h * contact.n.dot(relative));
  // The average of both normals is exact for a vertex on a face only; of others, the row is scaled so that its work is
  // that of the force over the gap. (Not where the gap hardly changes, beside itself or the rounding of positions, or the
  // point slides to another feature.)
  Scalar const straight = h * contact.n.dot(relative), change = start - end;
  Vector3<Scalar> n = contact.n;
  Scalar const far = contact.p.norm() + (contact.p - pose(pair.body_a).twist.origin).norm() +
                     (contact.p - pose(pair.body_b).twist.origin).norm();
  if (abs(straight) > 1e-6 * (abs(start) + abs(end)) + 1e-9 * far) {
    Scalar const factor = change / straight;
    if (factor > 0.5 && factor < 2) {
      fitted[given.size() - 1] = scaled<Scalar>(given.back(), factor);
      n *= factor;
    }
  }
  auto const force_at = [&](Scalar const& x) {
    return compliant_force_over_step<Scalar>(law, at_.parameter, start, x, h);
  };
  Scalar const force = force_at(end);
  // A share of how deep it is; any of a contact that just touches.
  Scalar const depth = abs(end - start) + abs(end), shift = depth > 0 ? Scalar(1e-6 * depth) : Scalar(1e-12);
  Scalar const slope = (force_at(end + shift) - force) / shift;
  if (!(force > 0) && !(slope > 0)) return;
  Vector2<Scalar> const slip{t1.dot(relative), plane ? Scalar(0.0) : t2.dot(relative)};
  Scalar const pressing = std::max<Scalar>(force, 0.0);
  bool const rubs = law.frictional() && law.friction == FrictionLaw::compliant && pair.first_deflection >= 0;
  if (rubs) {
    active.force.template head<2>() =
        rub_over_step(pair, contact.feature, pressing, slip, rows.first(given.size() - 1));
  }
  bool const coulomb = law.frictional() && law.friction != FrictionLaw::compliant;
  if (slope * h * h * at_.theta * response(rows.back(), pair.body_b, pair.body_a) > stiff_share || coulomb) {
    Scalar const least = stiff_share / (at_.theta * h * h * response(rows.back(), pair.body_b, pair.body_a));
    Scalar const used = std::max<Scalar>(slope, least);  // the contact problem stays well scaled
    std::array<ConstraintRowOf<Scalar>, 3> with_bias;
    std::copy(rows.begin(), rows.end(), with_bias.begin());
    with_bias[rows.size() - 1].Psi = -(force + used * (start - end)) / used;
    ForceSetOf<Scalar> set{ForceSetKind::half_line};
    if (coulomb)
      set = {plane ? ForceSetKind::cone2 : ForceSetKind::cone3,
             friction_bound<Scalar>(law.mu, at_.parameter, slip.norm())};
    auto const all = std::span<const ConstraintRowOf<Scalar>>(with_bias).first(rows.size());
    active.block = add_block(pair.first_identity + static_cast<BlockIdentity>(contact.feature), set, {},
                             coulomb ? all : all.last(1), pair.body_b, pair.body_a);
    ConstraintBlockOf<Scalar>& block = terms_.blocks[static_cast<std::size_t>(active.block)];
    block.compliance = 1 / (at_.theta * h * h * used);
    if (coulomb && law.friction == FrictionLaw::smooth)
      block.slip_compliance = slip_compliance(law, slip, pressing);
  } else {
    active.force[2] = pressing;
  }
  if (!pair.grouped)
    terms_.touches.push_back({pair.element, value_of(pressing), rubs, active.sticks, value_of(contact.gap)});
  Vector3<Scalar> const applied = active.force[0] * t1 + active.force[1] * t2 + active.force[2] * n;
  apply_force(pair.body_b, contact.p, applied);
  apply_force(pair.body_a, contact.p, -applied);
}

// Explicit instantiations for both scalars.
template Vector2<double> deflection_rate(ContactParameters const&, std::span<const double>, double,
                                         Vector3<double> const&, Vector2<double> const&);
template Vector2<Dual> deflection_rate(ContactParameters const&, std::span<const Dual>, Dual,
                                       Vector3<Dual> const&, Vector2<Dual> const&);
template Vector2<double> deflection_rate_over_step(ContactParameters const&, std::span<const double>, double,
                                                   Vector3<double> const&, Vector2<double> const&, double);
template Vector2<Dual> deflection_rate_over_step(ContactParameters const&, std::span<const Dual>, Dual,
                                                 Vector3<Dual> const&, Vector2<Dual> const&, double);
template void SceneTerms<double>::write_compliant_point(Pair const&, ContactPointOf<double> const&,
                                                        ActivePointOf<double>&,
                                                        std::span<const ConstraintRowOf<double>>,
                                                        Vector3<double> const&, Vector3<double> const&);
template void SceneTerms<double>::write_compliant_point_over_step(Pair const&, ContactPointOf<double> const&,
                                                                  ActivePointOf<double>&,
                                                                  std::span<const ConstraintRowOf<double>>,
                                                                  Vector3<double> const&,
                                                                  Vector3<double> const&);
template void SceneTerms<Dual>::write_compliant_point(Pair const&, ContactPointOf<Dual> const&,
                                                      ActivePointOf<Dual>&,
                                                      std::span<const ConstraintRowOf<Dual>>,
                                                      Vector3<Dual> const&, Vector3<Dual> const&);
template void SceneTerms<Dual>::write_compliant_point_over_step(Pair const&, ContactPointOf<Dual> const&,
                                                                ActivePointOf<Dual>&,
                                                                std::span<const ConstraintRowOf<Dual>>,
                                                                Vector3<Dual> const&, Vector3<Dual> const&);

}  // namespace delassus
