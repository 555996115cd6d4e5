// Writes the terms of a scene, part by part; inner header of SceneSystem::evaluate.
#pragma once

#include <span>

#include "model/scene_system.hpp"

namespace delassus {

class SceneTerms {
 public:
  SceneTerms(Scene const& scene, Instant const& at, Terms& terms)
      : scene_(scene), at_(at), terms_(terms), work_(static_cast<SceneWorkspace&>(*terms.workspace)) {}

  void write_masses();  // M, and the gyroscopic part of Phi
  void write_forces();  // Phi: gravity, inputs, springs
  void write_joints();  // scene_joints.cpp
  void write_frictions();
  void write_rollings();
  void write_knife_edges();
  void write_contacts();  // scene_contacts.cpp
  void write_groups();

 private:
  double parameter(int index) const { return at_.parameter[static_cast<std::size_t>(index)]; }
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }
  BodyPose const& pose(int index) const {
    return index == ground_body ? ground_ : work_.poses[static_cast<std::size_t>(index)];
  }

  // Whether a body's surface moves over it, other than the body does.
  bool is_belt(int index) const { return index != ground_body && body(index).motion_of_surface; }

  // A force at a point of a body, or a torque, that is no constraint force.
  void apply_force(int body_index, Eigen::Vector3d const& p, Eigen::Vector3d const& force);
  void apply_torque(int body_index, Eigen::Vector3d const& torque);

  // A block of rows; `plus` and `minus` are the bodies of the rows' sides. Answers its index.
  int add_block(BlockIdentity identity, ForceSet const& set, double zeta, double delta,
                std::span<const ConstraintRow> rows, int plus, int minus);

  struct Pair {
    int body_a = 0, body_b = 0;
    int element = 0;
    bool grouped = false;
    ContactParameters const* law = nullptr;
    BlockIdentity first_identity = 0;  // of feature 0
    int first_deflection = -1;
  };
  double margin_of(ContactParameters const& law, double speed) const;
  double speed_of(int body_index, Eigen::Vector3d const& around, double extent) const;
  void place_group(ContactGroup const& group);
  void write_group_pair(std::size_t group, GroupSide const& a, GroupSide const& b, std::size_t part);
  void write_points(Pair const& pair);
  void write_point(Pair const& pair, ContactPoint const& contact);
  void write_compliant_point(Pair const& pair, ContactPoint const& contact, ActivePoint& active,
                             std::span<const ConstraintRow> rows, Eigen::Vector3d const& t1,
                             Eigen::Vector3d const& t2);

  Scene const& scene_;
  Instant const& at_;
  Terms& terms_;
  SceneWorkspace& work_;
  BodyPose ground_;
};

// The deflection rate of a contact point with compliant friction, for configuration_rate.
Eigen::Vector2d deflection_rate(ContactParameters const& law, std::span<const double> parameter, double gap,
                                Eigen::Vector3d const& velocity, Eigen::Vector2d const& deflection);

// The tangential directions at a contact; in the plane the first lies in it, and the second is its normal.
void contact_tangents(int dimension, Eigen::Vector3d const& n, Eigen::Vector3d& t1, Eigen::Vector3d& t2);

}  // namespace delassus
