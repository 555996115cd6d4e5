#include "model/scene_system.hpp"

#include <algorithm>
#include <limits>

#include "model/contact_law.hpp"
#include "model/group_pairs.hpp"
#include "model/scene_terms.hpp"
#include "model/spring.hpp"

namespace delassus {
namespace {

// m: corners whose gaps differ by less lie in one plane with the other side.
constexpr double flat = 1e-6;

double value(std::span<const double> values, int index) {
  return values[static_cast<std::size_t>(index)];
}

// A declared pair apart from the evaluation of the whole: for rates, energies and outputs.
struct PairAtInstant {
  BodyPose a, b;
  ContactPoints points;
};

PairAtInstant pair_at(Scene const& scene, Contact const& contact, Instant const& at, double margin) {
  PairAtInstant pair{pose_of(scene, contact.a.point.body, at), pose_of(scene, contact.b.point.body, at), {}};
  PlacedShape const a = place(scene, contact.a, contact.height, pair.a, at.parameter),
                    b = place(scene, contact.b, contact.height, pair.b, at.parameter);
  find_contacts(a.geometry, a.pose, b.geometry, b.pose, scene.dimension, margin, pair.points);
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
  // A group's part is a pair of shapes, of 20 bits each, and a feature; another element's is a feature alone.
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
}

Terms SceneSystem::make_terms() const {
  Terms terms;
  for (Body const& body : scene_->bodies) {
    if (!body.moves_freely()) continue;
    int const n = body.degrees_of_freedom;
    terms.M.push_back({body.first, Eigen::MatrixXd::Zero(n, n)});
  }
  terms.Phi = Eigen::VectorXd::Zero(velocity_size());
  auto workspace = std::make_unique<SceneWorkspace>();
  workspace->poses.resize(scene_->bodies.size());
  terms.workspace = std::move(workspace);
  return terms;
}

void SceneSystem::evaluate(Instant const& at, Terms& terms) const {
  auto& work = static_cast<SceneWorkspace&>(*terms.workspace);
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i)
    work.poses[i] = pose_of(*scene_, static_cast<int>(i), at);
  work.active.clear();
  terms.Phi.setZero();
  terms.blocks.clear();
  terms.J.clear();
  terms.velocity.clear();
  terms.Jdot_v.clear();
  terms.Psi.clear();
  terms.touches.clear();

  SceneTerms writer(*scene_, at, terms);
  writer.write_masses();
  writer.write_forces();
  writer.write_joints();
  writer.write_frictions();
  writer.write_rollings();
  writer.write_knife_edges();
  writer.write_contacts();
  writer.write_groups();
}

void SceneSystem::configuration_rate(Instant const& at, std::span<double> qdot) const {
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
    Body const& body = scene_->bodies[i];
    auto const first = static_cast<std::size_t>(body.first_coordinate);
    if (body.coordinates == 7) {
      Eigen::Vector3d velocity, omega;
      if (body.type == BodyType::rigid) {
        for (int k = 0; k < 3; ++k) {
          velocity[k] = value(at.v, body.first + k);
          omega[k] = value(at.v, body.first + 3 + k);
        }
      } else {
        BodyPose const pose = pose_of(*scene_, static_cast<int>(i), at);
        velocity = pose.twist.velocity;
        omega = pose.twist.omega;
      }
      Quaternion const quaternion{
          value(at.q, body.first_coordinate + 3), value(at.q, body.first_coordinate + 4),
          value(at.q, body.first_coordinate + 5), value(at.q, body.first_coordinate + 6)};
      Quaternion const rate = quaternion_rate(quaternion, omega);
      for (std::size_t k = 0; k < 3; ++k) qdot[first + k] = velocity[static_cast<Eigen::Index>(k)];
      for (std::size_t k = 0; k < 4; ++k) qdot[first + 3 + k] = rate[static_cast<Eigen::Index>(k)];
    } else if (body.type == BodyType::prescribed && body.coordinates == 3) {
      BodyPose const pose = pose_of(*scene_, static_cast<int>(i), at);
      qdot[first] = pose.twist.velocity[0];
      qdot[first + 1] = pose.twist.velocity[1];
      qdot[first + 2] = pose.twist.omega[2];
    } else {
      for (int k = 0; k < body.degrees_of_freedom; ++k)
        qdot[first + static_cast<std::size_t>(k)] = value(at.v, body.first + k);
    }
  }
  for (Contact const& contact : scene_->contacts) {
    if (contact.deflections == 0) continue;
    // Points that do not touch relax; those that do are found by their features.
    auto const deflection = [&](int k) { return contact.first_deflection + 2 * k; };
    auto const [a, b, points] = pair_at(*scene_, contact, at, 0.0);
    for (int k = 0; k < contact.deflections; ++k) {
      Eigen::Vector2d const present{value(at.q, deflection(k)), value(at.q, deflection(k) + 1)};
      double gap = std::numeric_limits<double>::infinity();
      Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
      for (int i = 0; i < points.count; ++i) {
        ContactPoint const& point = points.item[static_cast<std::size_t>(i)];
        if (point.feature != k) continue;
        gap = point.gap;
        Eigen::Vector3d t1, t2;
        contact_tangents(scene_->dimension, point.n, t1, t2);
        Eigen::Vector3d const relative = b.surface.at(point.p) - a.surface.at(point.p);
        velocity = {t1.dot(relative), scene_->dimension == 2 ? 0.0 : t2.dot(relative), point.n.dot(relative)};
      }
      Eigen::Vector2d const rate = deflection_rate(contact.law, at.parameter, gap, velocity, present);
      qdot[static_cast<std::size_t>(deflection(k))] = rate[0];
      qdot[static_cast<std::size_t>(deflection(k)) + 1] = rate[1];
    }
  }
}

void SceneSystem::advance_configuration(std::span<double> q, std::span<const double> v,
                                        std::span<const double> rate, double h) const {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * rate[i];
  for (Body const& body : scene_->bodies) {
    if (body.coordinates != 7) continue;
    // Undo the straight step of the quaternion and turn it by omega h instead, which keeps its norm. Of a
    // prescribed body v does not have omega: with rate = 1/2 (0, omega) q, it is the vector part of 2 rate
    // q*/|q|^2.
    auto const first = static_cast<std::size_t>(body.first_coordinate) + 3;
    Quaternion old, quaternion_change;
    for (std::size_t k = 0; k < 4; ++k) {
      quaternion_change[static_cast<Eigen::Index>(k)] = rate[first + k];
      old[static_cast<Eigen::Index>(k)] = q[first + k] - h * rate[first + k];
    }
    Eigen::Vector3d omega;
    if (body.type == BodyType::rigid) {
      for (int k = 0; k < 3; ++k) omega[k] = value(v, body.first + 3 + k);
    } else {
      quaternion_change /= old.norm();
      old.normalize();
      Quaternion conjugate = -old;
      conjugate[0] = old[0];
      omega = 2 * product(quaternion_change, conjugate).tail<3>();
    }
    Quaternion turned = product(quaternion_of(h * omega), old);
    turned.normalize();
    for (std::size_t k = 0; k < 4; ++k) q[first + k] = turned[static_cast<Eigen::Index>(k)];
  }
}

double SceneSystem::potential_energy(Instant const& at) const {
  double energy = 0;
  if (scene_->gravity >= 0) {
    Eigen::Vector3d const g = vector_parameter(at.parameter, scene_->gravity, scene_->dimension);
    for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
      Body const& body = scene_->bodies[i];
      if (!body.moves_freely()) continue;
      energy -=
          value(at.parameter, body.mass) * g.dot(pose_of(*scene_, static_cast<int>(i), at).twist.origin);
    }
  }
  for (Spring const& spring : scene_->springs) {
    BodyPose const a = pose_of(*scene_, spring.a.body, at), b = pose_of(*scene_, spring.b.body, at);
    double stretch = 0;
    if (spring.torsional) {
      Eigen::Vector3d const axis = spring.axis >= 0
                                       ? vector_parameter(at.parameter, spring.axis, scene_->dimension)
                                       : Eigen::Vector3d::UnitZ();
      stretch = relative_turn(*scene_, spring.a.body, spring.b.body, axis, at, a, b).angle -
                value(at.parameter, spring.length);
    } else {
      stretch = (a.point(point_in_body(*scene_, spring.a, at.parameter)) -
                 b.point(point_in_body(*scene_, spring.b, at.parameter)))
                    .norm() -
                rest_length(*scene_, spring, at.parameter, at.input);
    }
    energy += value(at.parameter, spring.stiffness) * stretch * stretch / 2;
  }
  for (ContactGroup const& group : scene_->groups) {
    if (!group.law.compliant()) continue;
    for_each_pair(*scene_, group, at, [&](GroupPair const& pair) {
      ContactPoints points;
      find_contacts(pair.a.geometry, pair.a.pose, pair.b.geometry, pair.b.pose, scene_->dimension, 0.0,
                    points);
      for (int i = 0; i < points.count; ++i)
        energy += compliant_energy(group.law, at.parameter, -points.item[static_cast<std::size_t>(i)].gap);
    });
  }
  for (Contact const& contact : scene_->contacts) {
    if (!contact.law.compliant()) continue;
    ContactPoints const points = pair_at(*scene_, contact, at, 0.0).points;
    for (int i = 0; i < points.count; ++i) {
      energy += compliant_energy(contact.law, at.parameter, -points.item[static_cast<std::size_t>(i)].gap);
    }
    for (int k = 0; k < 2 * contact.deflections; ++k) {
      double const deflection = value(at.q, contact.first_deflection + k);
      energy += value(at.parameter, contact.law.tangential_stiffness) * deflection * deflection / 2;
    }
  }
  return energy;
}

std::string SceneSystem::block_name(BlockIdentity identity) const {
  std::size_t const element = element_of(identity);
  switch (owner_of(identity)) {
    case BlockOwner::joint:
      return scene_->joints.at(element).name;
    case BlockOwner::friction:
      return scene_->frictions.at(element).name;
    case BlockOwner::rolling:
      return scene_->rollings.at(element).name;
    case BlockOwner::knife_edge:
      return scene_->knife_edges.at(element).name;
    case BlockOwner::contact:
      return scene_->contacts.at(element).name;
    case BlockOwner::group:
      return scene_->groups.at(element).name;
  }
  return "?";
}

std::vector<ModeSource> SceneSystem::mode_sources() const {
  std::vector<ModeSource> sources;
  for (Contact const& contact : scene_->contacts) {
    ContactParameters const& law = contact.law;
    bool const smooth = law.frictional() && law.friction == FrictionLaw::smooth;
    bool const glides = smooth || (law.compliant() && !law.frictional());
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

void SceneSystem::initial_state(std::span<const double> parameter, std::span<const double> input,
                                std::span<double> q, std::span<double> v) const {
  std::fill(q.begin(), q.end(), 0.0);  // deflections
  for (std::size_t i = 0; i < scene_->bodies.size(); ++i) {
    Body const& body = scene_->bodies[i];
    BodyPose const pose = initial_pose(*scene_, static_cast<int>(i), parameter, input);
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
      Quaternion const quaternion = quaternion_of(vector_parameter(parameter, body.initial_angle, 3));
      for (std::size_t k = 0; k < 4; ++k) x[3 + k] = quaternion[static_cast<Eigen::Index>(k)];
      for (std::size_t k = 3; k < xdot.size(); ++k)
        xdot[k] = pose.twist.omega[static_cast<Eigen::Index>(k) - 3];
    }
  }
}

SceneSystem::PointMotion SceneSystem::motion_of(PointReference const& point, Instant const& at) const {
  BodyPose const pose = pose_of(*scene_, point.body, at);
  Eigen::Vector3d const p = pose.point(point_in_body(*scene_, point, at.parameter));
  return {p, pose.twist.at(p)};
}

SceneSystem::Nearest SceneSystem::nearest(Contact const& contact, Instant const& at) const {
  PairAtInstant const pair = pair_at(*scene_, contact, at, std::numeric_limits<double>::infinity());
  BodyPose const &a = pair.a, &b = pair.b;
  ContactPoints const& points = pair.points;
  // Of a point without extent the velocity does not depend on where it is, not even in its last bit.
  auto const velocity_of_b = [&](Eigen::Vector3d const& p) -> Eigen::Vector3d {
    if (contact.b.shape >= 0) return b.surface.at(p);
    return b.twist.velocity +
           b.twist.omega.cross(b.R *
                               (point_in_body(*scene_, contact.b.point, at.parameter) - b.center_of_mass));
  };
  Nearest nearest{std::numeric_limits<double>::infinity(), b.twist.origin,
                  b.twist.velocity - a.twist.velocity};
  for (int i = 0; i < points.count; ++i)
    nearest.gap = std::min(nearest.gap, points.item[static_cast<std::size_t>(i)].gap);
  // A face that lies flat touches with all its corners: their middle, not one after the other.
  int together = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
  for (int i = 0; i < points.count; ++i) {
    ContactPoint const& point = points.item[static_cast<std::size_t>(i)];
    if (point.gap > nearest.gap + flat) continue;
    ++together;
    position += point.p;
    velocity += velocity_of_b(point.p) - a.surface.at(point.p);
  }
  if (together > 0) {
    nearest.position = position / together;
    nearest.velocity = velocity / together;
  }
  return nearest;
}

JointRows SceneSystem::joint_rows(Joint const& joint, Instant const& at) const {
  return evaluate_joint(*scene_, joint, at, pose_of(*scene_, joint.a.body, at),
                        pose_of(*scene_, joint.b.body, at));
}

}  // namespace delassus
