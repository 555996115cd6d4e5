// The blocks that come and go: contact points of declared pairs and of groups.
//
// A contact point with normal n (from a to b), tangents t and place p has the rows t . (V_b(p) - V_a(p)) and
// n . (V_b(p) - V_a(p)), the last with Psi = gap. As the shapes roll and turn, n and p move (contact_rates);
// the tangents turn with n but not about it, t' = -(t . n') n, so that the friction cone does not turn under
// the force.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/contact_law.hpp"
#include "model/scene_terms.hpp"

namespace delassus {
namespace {

// m/s2. A contact is left out where it would take more than this acceleration towards each other for it to
// carry force: the relaxed law (64) acts where Psi + 2 zeta delta Psi' + delta^2 Psi'' < 0. A body that is
// thrown at another harder than that is noticed as soon as it has the speed.
constexpr double fastest_approach = 100;

double reach(double zeta, double delta, double speed) {
  return 2 * zeta * delta * speed + fastest_approach * delta * delta;
}

}  // namespace

void contact_tangents(int dimension, Eigen::Vector3d const& n, Eigen::Vector3d& t1, Eigen::Vector3d& t2) {
  if (dimension == 3) return tangents_of(n, t1, t2);
  t1 = {n[1], -n[0], 0};
  t2 = Eigen::Vector3d::UnitZ();
}

Eigen::Vector2d deflection_rate(ContactParameters const& law, std::span<const double> parameter, double gap,
                                Eigen::Vector3d const& velocity, Eigen::Vector2d const& deflection) {
  double const normal_force = gap < 0 ? compliant_normal_force(law, parameter, -gap, -velocity[2]) : 0.0;
  return compliant_friction(law, parameter, normal_force, velocity.head<2>(), deflection).deflection_rate;
}

double SceneTerms::margin_of(ContactParameters const& law, double speed) const {
  if (law.compliant()) return 0;
  if (law.normal == NormalLaw::bilateral) return std::numeric_limits<double>::infinity();
  // The fixed-step schemes take (1/2, step) instead of (zeta, delta) for all contacts or for those that are
  // too stiff.
  double const own = reach(parameter(law.zeta), parameter(law.delta), speed);
  return at_.step > 0 ? std::max(own, reach(0.5, at_.step, speed)) : own;
}

// The fastest point of a body within `extent` of `around`.
double SceneTerms::speed_of(int body_index, Eigen::Vector3d const& around, double extent) const {
  Twist const& twist = pose(body_index).twist;
  return twist.at(around).norm() + twist.omega.norm() * extent;
}

void SceneTerms::write_contacts() {
  auto const extent = [](PlacedShape const& placed) {
    return placed.geometry.half.norm() + placed.geometry.radius;
  };
  for (std::size_t i = 0; i < scene_.contacts.size(); ++i) {
    Contact const& contact = scene_.contacts[i];
    Pair const pair{contact.a.point.body,
                    contact.b.point.body,
                    static_cast<int>(i),
                    false,
                    &contact.law,
                    identity_of(BlockOwner::contact, i),
                    contact.first_deflection};
    PlacedShape const on_a = place(scene_, contact.a, contact.height, pose(pair.body_a), at_.parameter),
                      on_b = place(scene_, contact.b, contact.height, pose(pair.body_b), at_.parameter);
    double const speed = speed_of(pair.body_a, on_b.pose.position, extent(on_b)) +
                         speed_of(pair.body_b, on_b.pose.position, extent(on_b));
    find_contacts(on_a.geometry, on_a.pose, on_b.geometry, on_b.pose, scene_.dimension,
                  margin_of(contact.law, speed), work_.points);
    write_points(pair);
  }
}

void SceneTerms::write_groups() {
  for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
    ContactGroup const& group = scene_.groups[g];
    std::size_t const count = group.shapes.size() + (group.with_ground ? 1 : 0);
    work_.shapes.resize(count);
    work_.shape_poses.resize(count);
    work_.bounds.resize(count);
    auto const body_of = [&](std::size_t k) {
      return k < group.shapes.size() ? scene_.shapes[static_cast<std::size_t>(group.shapes[k])].body
                                     : ground_body;
    };
    for (std::size_t k = 0; k < count; ++k) {
      int const body_index = body_of(k);
      ContactSide const side{{body_index, -1}, k < group.shapes.size() ? group.shapes[k] : -1};
      PlacedShape const placed = place(scene_, side, group.height, pose(body_index), at_.parameter);
      work_.shapes[k] = placed.geometry;
      work_.shape_poses[k] = placed.pose;
      double const speed =
          speed_of(body_index, placed.pose.position, placed.geometry.half.norm() + placed.geometry.radius);
      work_.bounds[k] = bounds_of(placed.geometry, placed.pose, margin_of(group.law, speed));
    }
    for (auto const& [i, j] : work_.broad_phase.find_pairs(work_.bounds)) {
      auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (body_of(a) == body_of(b)) continue;
      bool const a_moves = body_of(a) != ground_body && body(body_of(a)).moves_freely(),
                 b_moves = body_of(b) != ground_body && body(body_of(b)).moves_freely();
      if (!a_moves && !b_moves) continue;
      if (!can_collide(work_.shapes[a].kind, work_.shapes[b].kind)) continue;
      // The normal points out of what cannot move, as it does for declared pairs.
      if (!b_moves || work_.shapes[b].kind == ShapeKind::plane) std::swap(a, b);
      std::size_t const part = (static_cast<std::size_t>(i) << 28U) | (static_cast<std::size_t>(j) << 8U);
      Pair const pair{body_of(a), body_of(b), static_cast<int>(g),
                      true,       &group.law, identity_of(BlockOwner::group, g, part),
                      -1};
      double const margin =
          margin_of(group.law, speed_of(pair.body_a, work_.shape_poses[b].position, 0) +
                                   speed_of(pair.body_b, work_.shape_poses[b].position,
                                            work_.shapes[b].half.norm() + work_.shapes[b].radius));
      find_contacts(work_.shapes[a], work_.shape_poses[a], work_.shapes[b], work_.shape_poses[b],
                    scene_.dimension, margin, work_.points);
      write_points(pair);
    }
  }
}

void SceneTerms::write_points(Pair const& pair) {
  // Blocks come in the order of their identities.
  auto const end = work_.points.item.begin() + work_.points.count;
  std::sort(work_.points.item.begin(), end,
            [](ContactPoint const& x, ContactPoint const& y) { return x.feature < y.feature; });
  for (auto point = work_.points.item.begin(); point != end; ++point) write_point(pair, *point);
}

void SceneTerms::write_point(Pair const& pair, ContactPoint const& contact) {
  ContactParameters const& law = *pair.law;
  Twist const &a = pose(pair.body_a).twist, &b = pose(pair.body_b).twist;
  Twist const &surface_a = pose(pair.body_a).surface, &surface_b = pose(pair.body_b).surface;
  ContactRates const rates = contact_rates(contact, a, b);
  Eigen::Vector3d t1, t2;
  contact_tangents(scene_.dimension, contact.n, t1, t2);
  auto const tangential_rows = static_cast<std::size_t>(scene_.dimension - 1);
  std::array<ConstraintRow, 3> rows;
  for (std::size_t k = 0; k < tangential_rows; ++k) {
    Eigen::Vector3d const& t = k == 0 ? t1 : t2;
    rows[k] = point_row(t, -t.dot(rates.n) * contact.n, contact.p, rates.p, surface_b, surface_a);
  }
  ConstraintRow& normal = rows[tangential_rows];
  normal = point_row(contact.n, rates.n, contact.p, rates.p, b, a);
  normal.Psi = contact.gap;

  ActivePoint active{pair.element,
                     pair.grouped,
                     contact.feature,
                     -1,
                     contact,
                     Eigen::Vector3d::Zero(),
                     Eigen::Vector3d::Zero(),
                     false};
  for (std::size_t k = 0; k < tangential_rows; ++k)
    active.velocity[static_cast<Eigen::Index>(k)] = rows[k].velocity;
  active.velocity[2] = normal.velocity;

  std::span<const ConstraintRow> const all = std::span<const ConstraintRow>(rows).first(tangential_rows + 1);
  if (law.compliant()) {
    write_compliant_point(pair, active, all.first(tangential_rows), t1, t2);
    work_.active.push_back(active);
    return;
  }
  bool const plane = scene_.dimension == 2, bilateral = law.normal == NormalLaw::bilateral;
  ForceSet set;
  Eigen::Vector2d const slip = active.velocity.head<2>();
  if (!law.frictional()) {
    set.kind = bilateral ? ForceSetKind::free1 : ForceSetKind::half_line;
  } else if (law.friction == FrictionLaw::smooth) {
    set.kind = plane ? ForceSetKind::directed2 : ForceSetKind::directed3;
    Eigen::Vector2d const share = smooth_friction(law, at_.parameter, slip);
    set.direction = {share[0], share[1]};
  } else {
    set.kind = bilateral ? (plane ? ForceSetKind::double_cone2 : ForceSetKind::double_cone3)
                         : (plane ? ForceSetKind::cone2 : ForceSetKind::cone3);
    set.limit = friction_bound(law.mu, at_.parameter, slip.norm());
  }
  active.block =
      add_block(pair.first_identity + static_cast<BlockIdentity>(contact.feature), set, parameter(law.zeta),
                parameter(law.delta), law.frictional() ? all : all.last(1), pair.body_b, pair.body_a);
  work_.active.push_back(active);
}

// The normal force follows from the motion; so does friction, unless it is rigid: then the normal force gives
// its bound.
void SceneTerms::write_compliant_point(Pair const& pair, ActivePoint& active,
                                       std::span<const ConstraintRow> rows, Eigen::Vector3d const& t1,
                                       Eigen::Vector3d const& t2) {
  ContactParameters const& law = *pair.law;
  ContactPoint const& contact = active.geometry;
  double const normal_force = compliant_normal_force(law, at_.parameter, -contact.gap, -active.velocity[2]);
  Eigen::Vector2d const slip = active.velocity.head<2>();
  active.force[2] = normal_force;
  if (law.frictional() && normal_force > 0) {
    if (law.friction == FrictionLaw::smooth) {
      active.force.head<2>() = normal_force * smooth_friction(law, at_.parameter, slip);
    } else if (law.friction == FrictionLaw::compliant && pair.first_deflection >= 0) {
      auto const first = static_cast<std::size_t>(pair.first_deflection + 2 * contact.feature);
      CompliantFriction const friction =
          compliant_friction(law, at_.parameter, normal_force, slip, {at_.q[first], at_.q[first + 1]});
      active.force.head<2>() = friction.force;
      active.sticks = friction.sticks;
    } else {
      double const bound = friction_bound(law.mu, at_.parameter, slip.norm()) * normal_force;
      active.block = add_block(pair.first_identity + static_cast<BlockIdentity>(contact.feature),
                               {rows.size() == 1 ? ForceSetKind::interval : ForceSetKind::disc, bound}, 0.5,
                               parameter(law.delta), rows, pair.body_b, pair.body_a);
    }
  }
  Eigen::Vector3d const force = active.force[0] * t1 + active.force[1] * t2 + active.force[2] * contact.n;
  apply_force(pair.body_b, contact.p, force);
  apply_force(pair.body_a, contact.p, -force);
}

}  // namespace delassus
