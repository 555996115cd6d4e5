#include "fmu/table/wrench_observation.hpp"

#include "fmu/table/contact_observation.hpp"
#include "model/equations/scene_terms.hpp"
#include "model/equations/spring.hpp"

namespace delassus {
namespace {

// A contact point in the world.
template <class AnyObservation, class Scalar = typename AnyObservation::Scalar>
Vector3<Scalar> world_force(AnyObservation const& o, ActivePointOf<Scalar> const& point) {
  Vector3<Scalar> const components = force_of(o, point);
  Vector3<Scalar> t1, t2;
  contact_tangents<Scalar>(o.system.scene().dimension, point.n, t1, t2);
  return components[0] * t1 + components[1] * t2 + components[2] * point.n;
}

BlockIdentity identity_of(std::size_t joint, JointPart part) {
  return identity_of(BlockOwner::joint, joint, static_cast<std::size_t>(part));
}

// The force in a row of a block; zero while there is no such block.
template <class AnyObservation>
typename AnyObservation::Scalar force_in(AnyObservation const& o, BlockIdentity identity, int row) {
  int const block = find_block(o.dynamics.terms(), identity);
  if (block < 0) return 0.0;
  return o.lambda(o.dynamics.terms().blocks[static_cast<std::size_t>(block)].first_row + row);
}

}  // namespace

template <class AnyObservation>
WrenchOf<typename AnyObservation::Scalar> observe_contact_wrench(AnyObservation const& o, int contact) {
  using Scalar = typename AnyObservation::Scalar;
  Scene const& scene = o.system.scene();
  int const body = scene.contacts[static_cast<std::size_t>(contact)].b.point.body;
  Vector3<Scalar> const origin = pose_of<Scalar>(scene, body, o.at).point(Vector3<Scalar>::Zero());
  WrenchOf<Scalar> wrench;
  visit_points(o, contact, false, [&](ActivePointOf<Scalar> const& point) {
    Vector3<Scalar> const force = world_force(o, point);
    wrench.force += force;
    wrench.torque += Vector3<Scalar>(point.p - origin).cross(force);
  });
  return wrench;
}

template <class AnyObservation>
WrenchOf<typename AnyObservation::Scalar> observe_group_wrench(AnyObservation const& o, int group) {
  using Scalar = typename AnyObservation::Scalar;
  auto const moves = [&](int body) {
    return body != ground_body && o.system.scene().bodies[static_cast<std::size_t>(body)].moves_freely();
  };
  WrenchOf<Scalar> wrench;
  visit_points(o, group, true, [&](ActivePointOf<Scalar> const& point) {
    bool const a = moves(point.body_a), b = moves(point.body_b);
    if (a == b) return;
    Vector3<Scalar> force = world_force(o, point);
    if (a) force = -force;
    wrench.force += force;
    wrench.torque += point.p.cross(force);
  });
  return wrench;
}

// The rows of translations, and that of a free coordinate that is no angle, act at the point of a; those of rotations
// are torques.
template <class AnyObservation>
JointObservationOf<typename AnyObservation::Scalar> observe_joint(AnyObservation const& o,
                                                                  std::size_t index) {
  using Scalar = typename AnyObservation::Scalar;
  Joint const& joint = o.system.scene().joints[index];
  JointRowsOf<Scalar> const rows = o.system.joint_rows(joint, o.at);
  JointObservationOf<Scalar> observed;
  WrenchOf<Scalar>& whole = observed.whole;
  for (int i = 0; i < rows.translations; ++i) {
    whole.force += force_in(o, identity_of(index, JointPart::translations), i) *
                   rows.row[static_cast<std::size_t>(i)].plus_direction;
  }
  for (int i = 0; i < rows.rotations; ++i) {
    whole.torque += force_in(o, identity_of(index, JointPart::rotations), i) *
                    rows.row[static_cast<std::size_t>(rows.translations + i)].plus_moment;
  }
  if (!rows.has_coordinate) return observed;
  bool const angle = has_free_angle(joint.type);
  auto const add_along = [&](WrenchOf<Scalar>& wrench, Scalar const& size) {
    (angle ? wrench.torque : wrench.force) +=
        size * (angle ? rows.along.plus_moment : rows.along.plus_direction);
  };
  Scalar const of_stops = stop_force(o, index);
  add_along(observed.stops, of_stops);
  Scalar along = of_stops;
  if (joint.friction >= 0) along += force_in(o, identity_of(index, JointPart::friction), 0);
  if (joint.drive >= 0) along += o.at.input[static_cast<std::size_t>(joint.drive)];
  add_along(whole, along);
  return observed;
}

template <class AnyObservation>
typename AnyObservation::Scalar stop_force(AnyObservation const& o, std::size_t joint) {
  return force_in(o, identity_of(joint, JointPart::lower_limit), 0) -
         force_in(o, identity_of(joint, JointPart::upper_limit), 0);
}

template <class AnyObservation>
SpringObservationOf<typename AnyObservation::Scalar> observe_spring(AnyObservation const& o,
                                                                    std::size_t index) {
  using Scalar = typename AnyObservation::Scalar;
  Scene const& scene = o.system.scene();
  Spring const& spring = scene.springs[index];
  auto const parameter = [&](int i) { return o.at.parameter[static_cast<std::size_t>(i)]; };
  SpringObservationOf<Scalar> observed;
  auto const set = [&](Scalar const& stretch, Scalar const& rate, Vector3<Scalar> const& direction) {
    observed.size = -parameter(spring.stiffness) * stretch - parameter(spring.damping) * rate;
    observed.on_a = observed.size * direction;
  };
  if (spring.torsional) {
    Vector3<Scalar> axis = Vector3<Scalar>::UnitZ();
    if (spring.axis >= 0) axis = vector_parameter<Scalar>(o.at.parameter, spring.axis, scene.dimension);
    RelativeTurnOf<Scalar> const turn = relative_turn<Scalar>(scene, spring.a.body, spring.b.body, axis, o.at,
                                                              pose_of<Scalar>(scene, spring.a.body, o.at),
                                                              pose_of<Scalar>(scene, spring.b.body, o.at));
    set(turn.angle - parameter(spring.length), turn.row.velocity, turn.row.plus_moment);
    return observed;
  }
  auto const a = o.system.template motion_of<Scalar>(spring.a, o.at),
             b = o.system.template motion_of<Scalar>(spring.b, o.at);
  Vector3<Scalar> const s = a.position - b.position;
  Scalar const length = s.norm();
  if (!(length > 0)) return observed;  // no direction
  Vector3<Scalar> const d = s / length;
  set(length - rest_length<Scalar>(scene, spring, o.at.parameter, o.at.input),
      d.dot(Vector3<Scalar>(a.velocity - b.velocity)), d);
  return observed;
}

template <class AnyObservation>
Vector3<typename AnyObservation::Scalar> force_on_mass(AnyObservation const& o, BlockIdentity identity,
                                                       int mass) {
  using Scalar = typename AnyObservation::Scalar;
  Vector3<Scalar> force = Vector3<Scalar>::Zero();
  int const block = find_block(o.dynamics.terms(), identity);
  if (block < 0) return force;
  auto const& J = o.terms().J;
  int const first = o.dynamics.terms().blocks[static_cast<std::size_t>(block)].first_row;
  for (std::size_t i = J.first_of(block); i < J.size() && J.term(i).block == block; ++i) {
    if (J.term(i).mass != mass) continue;
    for (int row = 0; row < J.term(i).rows; ++row) {
      for (int k = 0; k < o.system.scene().dimension; ++k) force[k] += J[i](row, k) * o.lambda(first + row);
    }
  }
  return force;
}

template WrenchOf<double> observe_contact_wrench(Observation const&, int);
template WrenchOf<Dual> observe_contact_wrench(DualObservation const&, int);
template WrenchOf<double> observe_group_wrench(Observation const&, int);
template WrenchOf<Dual> observe_group_wrench(DualObservation const&, int);
template JointObservationOf<double> observe_joint(Observation const&, std::size_t);
template JointObservationOf<Dual> observe_joint(DualObservation const&, std::size_t);
template double stop_force(Observation const&, std::size_t);
template Dual stop_force(DualObservation const&, std::size_t);
template SpringObservationOf<double> observe_spring(Observation const&, std::size_t);
template SpringObservationOf<Dual> observe_spring(DualObservation const&, std::size_t);
template Vector3<double> force_on_mass(Observation const&, BlockIdentity, int);
template Vector3<Dual> force_on_mass(DualObservation const&, BlockIdentity, int);

}  // namespace delassus
