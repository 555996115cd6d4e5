#include "model/equations/scene_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/equations/contact_law.hpp"
#include "model/equations/group_pairs.hpp"
#include "model/equations/scene_terms.hpp"
#include "model/equations/spring.hpp"
#include "model/equations/step_pose.hpp"

namespace delassus {
namespace {

// m: corners whose gaps differ by less count as lying flat on the other side.
constexpr double flat = 1e-6;

template <class Scalar>
Scalar value(std::span<const Scalar> values, int index) {
  return values[static_cast<std::size_t>(index)];
}

// One declared pair, for rates, energies and outputs outside the evaluation of the whole system.
template <class Scalar>
struct PairAtInstant {
  BodyPoseOf<Scalar> a, b;
  ContactPointsOf<Scalar> points;
};

template <class Scalar>
PairAtInstant<Scalar> pair_at(Scene const& scene, Contact const& contact, InstantOf<Scalar> const& at,
                              Scalar margin, ShapeNeighbours* neighbours = nullptr) {
  PairAtInstant<Scalar> pair{
      pose_of<Scalar>(scene, contact.a.point.body, at), pose_of<Scalar>(scene, contact.b.point.body, at), {}};
  PlacedShapeOf<Scalar> const a = place<Scalar>(scene, contact.a, contact.height, pair.a, at.parameter),
                              b = place<Scalar>(scene, contact.b, contact.height, pair.b, at.parameter);
  find_contacts<Scalar>(a.geometry, a.pose, b.geometry, b.pose, scene.dimension, margin, pair.points);
  if (neighbours != nullptr) {
    neighbours->keep_exposed<Scalar>(scene, {contact.a, a, pair.a}, {contact.b, b, pair.b}, contact.height,
                                     margin, pair.points);
  }
  return pair;
}

// In the order of their sources: frictions, then the friction and the limits of joints.
template <class Visitor>
void visit_sources_beside_contacts(Scene const& scene, Visitor const& visitor) {
  for (std::size_t i = 0; i < scene.frictions.size(); ++i)
    visitor(identity_of(BlockOwner::friction, i),
            ModeSource{scene.frictions[i].name, false, true, ContactMode::stick});
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    Joint const& joint = scene.joints[i];
    auto const identity = [i](JointPart part) {
      return identity_of(BlockOwner::joint, i, static_cast<std::size_t>(part));
    };
    if (joint.friction >= 0)
      visitor(identity(JointPart::friction), ModeSource{joint.name, false, true, ContactMode::stick});
    if (joint.lower >= 0)
      visitor(identity(JointPart::lower_limit),
              ModeSource{joint.name + ".lower", true, false, ContactMode::stick});
    if (joint.upper >= 0)
      visitor(identity(JointPart::upper_limit),
              ModeSource{joint.name + ".upper", true, false, ContactMode::stick});
  }
}

}  // namespace

BlockIdentity identity_of(BlockOwner owner, std::size_t element, std::size_t part) {
  // The part of a group is a pair of shapes, 20 bits each, and a feature. The part of any other element is
  // only a feature.
  unsigned const shift = owner == BlockOwner::group ? 48U : 8U;
  return (static_cast<BlockIdentity>(owner) << 56U) | (static_cast<BlockIdentity>(element) << shift) | part;
}

BlockOwner owner_of(BlockIdentity identity) {
  return static_cast<BlockOwner>(identity >> 56U);
}

std::size_t element_of(BlockIdentity identity) {
  if (owner_of(identity) == BlockOwner::group) return static_cast<std::size_t>((identity >> 48U) & 0xffU);
  return static_cast<std::size_t>((identity >> 8U) & 0xffffffffU);
}

SceneSystem::SceneSystem(Scene const& scene) : scene_(&scene) {
  int next = static_cast<int>(scene.contacts.size());
  visit_sources_beside_contacts(
      scene, [&](BlockIdentity identity, ModeSource const&) { source_of_block_.emplace(identity, next++); });
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    int const mass = scene.bodies[i].mass_block;
    if (mass < 0) continue;
    if (body_of_mass_.size() <= static_cast<std::size_t>(mass))
      body_of_mass_.resize(static_cast<std::size_t>(mass) + 1, -1);
    body_of_mass_[static_cast<std::size_t>(mass)] = static_cast<int>(i);
  }
}

template <class Scalar>
TermsOf<Scalar> SceneSystem::empty_terms() const {
  TermsOf<Scalar> terms;
  for (Body const& body : scene_->bodies) {
    if (!body.moves_freely()) continue;
    int const n = body.degrees_of_freedom;
    terms.M.push_back({body.first, Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>::Zero(n, n)});
  }
  terms.Phi = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>::Zero(velocity_size());
  auto workspace = std::make_unique<SceneWorkspaceOf<Scalar>>();
  workspace->poses.resize(scene_->bodies.size());
  terms.workspace = std::move(workspace);
  return terms;
}

template <class Scalar>
void SceneSystem::write_terms(InstantOf<Scalar> const& at, TermsOf<Scalar>& terms) const {
  auto& work = static_cast<SceneWorkspaceOf<Scalar>&>(*terms.workspace);
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i)
    work.poses[i] = pose_of<Scalar>(*scene_, static_cast<int>(i), at);
  work.neighbours.update(*scene_, at.parameter);
  if (!at.q_end.empty()) {
    write_step_poses(at, work);
    write_start_velocity(at, terms);
  }
  work.active.clear();
  work.has_arm.assign(terms.M.size(), 0);
  terms.Phi.setZero();
  terms.blocks.clear();
  terms.J.clear();
  terms.velocity.clear();
  terms.Jdot_v.clear();
  terms.Psi.clear();
  terms.touches.clear();
  terms.open.clear();

  SceneTerms<Scalar> writer(*scene_, at, terms);
  writer.write_masses();
  writer.write_forces();
  writer.write_joints();
  writer.write_frictions();
  writer.write_rollings();
  writer.write_knife_edges();
  writer.write_contacts();
  writer.write_groups();
  writer.write_springs();
}

template <class Scalar>
void SceneSystem::write_step_poses(InstantOf<Scalar> const& at, SceneWorkspaceOf<Scalar>& work) const {
  InstantOf<Scalar> end = at;
  end.q = at.q_end;
  work.start = work.poses;
  work.end.resize(work.poses.size());
  work.moves.resize(work.poses.size());
  for (std::size_t i = 0; i < work.poses.size(); ++i) {
    work.end[i] = pose_of<Scalar>(*scene_, static_cast<int>(i), end);
    work.poses[i] = average_pose<Scalar>(work.start[i], work.end[i], scene_->dimension);
    Body const& body = scene_->bodies[i];
    work.moves[i] =
        twist_over_step<Scalar>(work.start[i], work.end[i], at.step, scene_->dimension, spins(body, at));
    // The velocity of a prescribed body is what moves it over the step; a belt's surface keeps its own.
    if (!body.moves_freely() && !body.motion_of_surface)
      work.poses[i].twist = work.poses[i].surface = work.moves[i];
    if (body.moves_freely()) work.poses[i].surface = work.poses[i].twist;
    if (body.motion_of_surface) work.moves[i] = work.poses[i].surface;
  }
}

template <class Scalar>
void SceneSystem::write_start_velocity(InstantOf<Scalar> const& at, TermsOf<Scalar>& terms) const {
  auto const& work = SceneWorkspaceOf<Scalar>::of(terms);
  terms.start_velocity.assign(at.v.begin(), at.v.end());
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
    Body const& body = scene_->bodies[i];
    if (body.type != BodyType::rigid) continue;
    for (int k = 0; k < 3; ++k)
      terms.start_velocity[static_cast<std::size_t>(body.first + 3 + k)] = work.poses[i].twist.omega[k];
  }
}

template <class Scalar>
void SceneSystem::write_configuration_rate(InstantOf<Scalar> const& at, std::span<Scalar> qdot) const {
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
    Body const& body = scene_->bodies[i];
    auto const first = static_cast<std::size_t>(body.first_coordinate);
    if (body.coordinates == 7) {
      Vector3<Scalar> velocity, omega;
      if (body.type == BodyType::rigid) {
        for (int k = 0; k < 3; ++k) {
          velocity[k] = value<Scalar>(at.v, body.first + k);
          omega[k] = value<Scalar>(at.v, body.first + 3 + k);
        }
      } else {
        BodyPoseOf<Scalar> const pose = pose_of<Scalar>(*scene_, static_cast<int>(i), at);
        velocity = pose.twist.velocity;
        omega = pose.twist.omega;
      }
      QuaternionOf<Scalar> const quaternion{
          value<Scalar>(at.q, body.first_coordinate + 3), value<Scalar>(at.q, body.first_coordinate + 4),
          value<Scalar>(at.q, body.first_coordinate + 5), value<Scalar>(at.q, body.first_coordinate + 6)};
      QuaternionOf<Scalar> const rate = quaternion_rate<Scalar>(quaternion, omega);
      for (std::size_t k = 0; k < 3; ++k) qdot[first + k] = velocity[static_cast<Eigen::Index>(k)];
      for (std::size_t k = 0; k < 4; ++k) qdot[first + 3 + k] = rate[static_cast<Eigen::Index>(k)];
    } else if (body.type == BodyType::prescribed && body.coordinates == 3) {
      BodyPoseOf<Scalar> const pose = pose_of<Scalar>(*scene_, static_cast<int>(i), at);
      qdot[first] = pose.twist.velocity[0];
      qdot[first + 1] = pose.twist.velocity[1];
      qdot[first + 2] = pose.twist.omega[2];
    } else {
      for (int k = 0; k < body.degrees_of_freedom; ++k)
        qdot[first + static_cast<std::size_t>(k)] = value<Scalar>(at.v, body.first + k);
    }
  }
  for (Contact const& contact : scene_->contacts) {
    if (contact.deflections == 0) continue;
    // Deflections of points that do not touch relax. Points that touch are found by their features.
    auto const deflection = [&](int k) { return contact.first_deflection + 2 * k; };
    // Over a step, those count as well that are pressed in only at its end.
    bool const of_step = !at.q_end.empty();
    auto const [a, b, points] =
        pair_at<Scalar>(*scene_, contact, at, of_step ? std::numeric_limits<double>::infinity() : 0.0);
    for (int k = 0; k < contact.deflections; ++k) {
      Vector2<Scalar> const present{value<Scalar>(at.q, deflection(k)),
                                    value<Scalar>(at.q, deflection(k) + 1)};
      Scalar gap = std::numeric_limits<double>::infinity();
      Vector3<Scalar> velocity = Vector3<Scalar>::Zero();
      for (int i = 0; i < points.count; ++i) {
        ContactPointOf<Scalar> const& point = points.item[static_cast<std::size_t>(i)];
        if (point.feature != k) continue;
        gap = point.gap;
        Vector3<Scalar> t1, t2;
        contact_tangents<Scalar>(scene_->dimension, point.n, t1, t2);
        Vector3<Scalar> const place = point.place_of_force(),
                              relative = b.surface.at(place) - a.surface.at(place);
        velocity = {t1.dot(relative), scene_->dimension == 2 ? 0.0 : t2.dot(relative), point.n.dot(relative)};
      }
      Vector2<Scalar> const rate =
          of_step
              ? deflection_rate_over_step<Scalar>(contact.law, at.parameter, gap, velocity, present, at.step)
              : deflection_rate<Scalar>(contact.law, at.parameter, gap, velocity, present);
      qdot[static_cast<std::size_t>(deflection(k))] = rate[0];
      qdot[static_cast<std::size_t>(deflection(k)) + 1] = rate[1];
    }
  }
}

Terms SceneSystem::make_terms() const {
  return empty_terms<double>();
}
TermsOf<Dual> SceneSystem::make_dual_terms() const {
  return empty_terms<Dual>();
}

void SceneSystem::evaluate(Instant const& at, Terms& terms) const {
  write_terms(at, terms);
}
void SceneSystem::evaluate(InstantOf<Dual> const& at, TermsOf<Dual>& terms) const {
  write_terms(at, terms);
}

void SceneSystem::configuration_rate(Instant const& at, std::span<double> qdot) const {
  write_configuration_rate(at, qdot);
}
void SceneSystem::configuration_rate(InstantOf<Dual> const& at, std::span<Dual> qdot) const {
  write_configuration_rate(at, qdot);
}

template <class Scalar>
Scalar SceneSystem::sum_of_potential_energies(InstantOf<Scalar> const& at) const {
  Scalar energy = 0;
  if (scene_->gravity >= 0) {
    Vector3<Scalar> const g = vector_parameter<Scalar>(at.parameter, scene_->gravity, scene_->dimension);
    for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
      Body const& body = scene_->bodies[i];
      if (!body.moves_freely()) continue;
      energy -= value<Scalar>(at.parameter, body.mass) *
                g.dot(pose_of<Scalar>(*scene_, static_cast<int>(i), at).twist.origin);
    }
  }
  for (Spring const& spring : scene_->springs) {
    BodyPoseOf<Scalar> const a = pose_of<Scalar>(*scene_, spring.a.body, at),
                             b = pose_of<Scalar>(*scene_, spring.b.body, at);
    Scalar stretch = 0;
    if (spring.torsional) {
      Vector3<Scalar> const axis =
          spring.axis >= 0 ? vector_parameter<Scalar>(at.parameter, spring.axis, scene_->dimension)
                           : Vector3<Scalar>::UnitZ();
      stretch = relative_turn<Scalar>(*scene_, spring.a.body, spring.b.body, axis, at, a, b).angle -
                value<Scalar>(at.parameter, spring.length);
    } else {
      stretch = (a.point(point_in_body<Scalar>(*scene_, spring.a, at.parameter)) -
                 b.point(point_in_body<Scalar>(*scene_, spring.b, at.parameter)))
                    .norm() -
                rest_length<Scalar>(*scene_, spring, at.parameter, at.input);
    }
    energy += value<Scalar>(at.parameter, spring.stiffness) * stretch * stretch / 2;
  }
  // Of the same contact points as the forces.
  ShapeNeighbours neighbours;
  auto const compliant = [](auto const& element) { return element.law.compliant(); };
  if (std::any_of(scene_->groups.begin(), scene_->groups.end(), compliant) ||
      std::any_of(scene_->contacts.begin(), scene_->contacts.end(), compliant)) {
    neighbours.update(*scene_, at.parameter);
  }
  for (ContactGroup const& group : scene_->groups) {
    if (!group.law.compliant()) continue;
    for_each_pair(*scene_, group, at, [&](GroupPairOf<Scalar> const& pair) {
      ContactPointsOf<Scalar> points;
      find_contacts<Scalar>(pair.a.geometry, pair.a.pose, pair.b.geometry, pair.b.pose, scene_->dimension,
                            0.0, points);
      BodyPoseOf<Scalar> const pose_a = pose_of<Scalar>(*scene_, pair.side_a.point.body, at),
                               pose_b = pose_of<Scalar>(*scene_, pair.side_b.point.body, at);
      neighbours.keep_exposed<Scalar>(*scene_, {pair.side_a, pair.a, pose_a}, {pair.side_b, pair.b, pose_b},
                                      group.height, 0.0, points);
      for (int i = 0; i < points.count; ++i)
        energy +=
            compliant_energy<Scalar>(group.law, at.parameter, -points.item[static_cast<std::size_t>(i)].gap);
    });
  }
  for (Contact const& contact : scene_->contacts) {
    if (!contact.law.compliant()) continue;
    ContactPointsOf<Scalar> const points = pair_at<Scalar>(*scene_, contact, at, 0.0, &neighbours).points;
    for (int i = 0; i < points.count; ++i) {
      energy +=
          compliant_energy<Scalar>(contact.law, at.parameter, -points.item[static_cast<std::size_t>(i)].gap);
    }
    for (int k = 0; k < 2 * contact.deflections; ++k) {
      Scalar const deflection = value<Scalar>(at.q, contact.first_deflection + k);
      energy += value<Scalar>(at.parameter, contact.law.tangential_stiffness) * deflection * deflection / 2;
    }
  }
  return energy;
}

double SceneSystem::potential_energy(Instant const& at) const {
  return sum_of_potential_energies(at);
}
Dual SceneSystem::potential_energy(InstantOf<Dual> const& at) const {
  return sum_of_potential_energies(at);
}

bool SceneSystem::has_impact_laws() const {
  auto const has_law = [](auto const& element) { return element.law.restitution >= 0; };
  return std::any_of(scene_->contacts.begin(), scene_->contacts.end(), has_law) ||
         std::any_of(scene_->groups.begin(), scene_->groups.end(), has_law);
}

std::vector<ModeSource> SceneSystem::mode_sources() const {
  std::vector<ModeSource> sources;
  for (Contact const& contact : scene_->contacts) {
    ContactParameters const& law = contact.law;
    bool const smooth = law.frictional() && law.friction == FrictionLaw::smooth;
    bool const glides = smooth || !law.frictional();
    sources.push_back({contact.name, law.normal != NormalLaw::bilateral, law.frictional() && !smooth,
                       glides ? ContactMode::slip : ContactMode::stick});
  }
  visit_sources_beside_contacts(*scene_,
                                [&](BlockIdentity, ModeSource const& source) { sources.push_back(source); });
  return sources;
}

int SceneSystem::mode_source_of(BlockIdentity identity) const {
  if (owner_of(identity) == BlockOwner::contact) return static_cast<int>(element_of(identity));
  auto const found = source_of_block_.find(identity);
  return found == source_of_block_.end() ? -1 : found->second;
}

template <class Scalar>
void SceneSystem::write_initial_state(std::span<const Scalar> parameter, std::span<const Scalar> input,
                                      std::span<Scalar> q, std::span<Scalar> v) const {
  std::fill(q.begin(), q.end(), 0.0);  // deflections
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
    Body const& body = scene_->bodies[i];
    BodyPoseOf<Scalar> const pose = initial_pose<Scalar>(*scene_, static_cast<int>(i), parameter, input);
    auto const x = q.subspan(static_cast<std::size_t>(body.first_coordinate),
                             static_cast<std::size_t>(body.coordinates));
    auto const xdot =
        v.subspan(static_cast<std::size_t>(body.first), static_cast<std::size_t>(body.degrees_of_freedom));
    if (body.type == BodyType::slider) {
      x[0] = pose.twist.origin[body.axis];
      xdot[0] = pose.twist.velocity[body.axis];
      continue;
    }
    for (std::size_t k = 0; k < x.size() && k < static_cast<std::size_t>(scene_->dimension); ++k)
      x[k] = pose.twist.origin[static_cast<Eigen::Index>(k)];
    for (std::size_t k = 0; k < xdot.size() && k < static_cast<std::size_t>(scene_->dimension); ++k)
      xdot[k] = pose.twist.velocity[static_cast<Eigen::Index>(k)];
    if (scene_->dimension == 2 && body.coordinates == 3) {
      x[2] = pose.angle;
      if (body.moves_freely()) xdot[2] = pose.twist.omega[2];
    }
    if (body.coordinates == 7) {
      QuaternionOf<Scalar> const quaternion =
          quaternion_of<Scalar>(vector_parameter<Scalar>(parameter, body.initial_angle, 3));
      for (std::size_t k = 0; k < 4; ++k) x[3 + k] = quaternion[static_cast<Eigen::Index>(k)];
      for (std::size_t k = 3; k < xdot.size(); ++k)
        xdot[k] = pose.twist.omega[static_cast<Eigen::Index>(k) - 3];
    }
  }
}

void SceneSystem::initial_state(std::span<const double> parameter, std::span<const double> input,
                                std::span<double> q, std::span<double> v) const {
  write_initial_state(parameter, input, q, v);
}
void SceneSystem::initial_state(std::span<const Dual> parameter, std::span<const Dual> input,
                                std::span<Dual> q, std::span<Dual> v) const {
  write_initial_state(parameter, input, q, v);
}

template <class Scalar>
PointMotionOf<Scalar> SceneSystem::motion_of(PointReference const& point, InstantOf<Scalar> const& at) const {
  BodyPoseOf<Scalar> const pose = pose_of<Scalar>(*scene_, point.body, at);
  // The velocity does not depend on where the body is, not even in the last bit.
  Vector3<Scalar> const arm =
      pose.R * (point_in_body<Scalar>(*scene_, point, at.parameter) - pose.center_of_mass);
  return {pose.twist.origin + arm, pose.twist.velocity + pose.twist.omega.cross(arm)};
}

template <class Scalar>
NearestOf<Scalar> SceneSystem::nearest(Contact const& contact, InstantOf<Scalar> const& at) const {
  PairAtInstant<Scalar> const pair =
      pair_at<Scalar>(*scene_, contact, at, std::numeric_limits<double>::infinity());
  BodyPoseOf<Scalar> const &a = pair.a, &b = pair.b;
  ContactPointsOf<Scalar> const& points = pair.points;
  // The velocity of a point mass must not depend on its position, not even in the last bit.
  auto const velocity_of_b = [&](Vector3<Scalar> const& p) -> Vector3<Scalar> {
    if (contact.b.shape >= 0) return b.surface.at(p);
    return b.twist.velocity +
           b.twist.omega.cross(
               b.R * (point_in_body<Scalar>(*scene_, contact.b.point, at.parameter) - b.center_of_mass));
  };
  NearestOf<Scalar> nearest{std::numeric_limits<double>::infinity(), b.twist.origin,
                            b.twist.velocity - a.twist.velocity};
  for (int i = 0; i < points.count; ++i)
    nearest.gap = smaller(nearest.gap, points.item[static_cast<std::size_t>(i)].gap);
  // A face that lies flat touches with all its corners: report their middle instead of jumping between them.
  int together = 0;
  Vector3<Scalar> position = Vector3<Scalar>::Zero(), velocity = Vector3<Scalar>::Zero();
  for (int i = 0; i < points.count; ++i) {
    ContactPointOf<Scalar> const& point = points.item[static_cast<std::size_t>(i)];
    if (point.gap > nearest.gap + flat) continue;
    ++together;
    Vector3<Scalar> const place = point.place_of_force();
    position += place;
    velocity += velocity_of_b(place) - a.surface.at(place);
  }
  if (together > 0) {
    nearest.position = position / together;
    nearest.velocity = velocity / together;
  }
  return nearest;
}

template <class Scalar>
JointRowsOf<Scalar> SceneSystem::joint_rows(Joint const& joint, InstantOf<Scalar> const& at) const {
  return evaluate_joint<Scalar>(*scene_, joint, at, pose_of<Scalar>(*scene_, joint.a.body, at),
                                pose_of<Scalar>(*scene_, joint.b.body, at));
}

// Explicit instantiations for both scalars.
template PointMotionOf<double> SceneSystem::motion_of(PointReference const&, InstantOf<double> const&) const;
template PointMotionOf<Dual> SceneSystem::motion_of(PointReference const&, InstantOf<Dual> const&) const;
template NearestOf<double> SceneSystem::nearest(Contact const&, InstantOf<double> const&) const;
template NearestOf<Dual> SceneSystem::nearest(Contact const&, InstantOf<Dual> const&) const;
template JointRowsOf<double> SceneSystem::joint_rows(Joint const&, InstantOf<double> const&) const;
template JointRowsOf<Dual> SceneSystem::joint_rows(Joint const&, InstantOf<Dual> const&) const;

}  // namespace delassus
