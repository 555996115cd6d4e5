// Writes the terms of a scene, part by part. Inner header of SceneSystem::evaluate.
#pragma once

#include <span>

#include "model/equations/scene_system.hpp"

namespace delassus {

template <class Scalar>
class SceneTerms {
 public:
  SceneTerms(Scene const& scene, InstantOf<Scalar> const& at, TermsOf<Scalar>& terms)
      : scene_(scene),
        at_(at),
        terms_(terms),
        work_(static_cast<SceneWorkspaceOf<Scalar>&>(*terms.workspace)) {}

  void write_masses();  // M, and the gyroscopic part of Phi
  void write_forces();  // Phi: gravity, inputs, springs
  void write_joints();  // scene_terms_joints.cpp
  void write_frictions();
  void write_rollings();
  void write_knife_edges();
  void write_contacts();  // scene_terms_contacts.cpp
  void write_groups();

 private:
  Scalar parameter(int index) const { return at_.parameter[static_cast<std::size_t>(index)]; }
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }
  BodyPoseOf<Scalar> const& pose(int index) const {
    return index == ground_body ? ground_ : work_.poses[static_cast<std::size_t>(index)];
  }

  // Whether the surface of a body moves relative to the body, as a belt does.
  bool is_belt(int index) const { return index != ground_body && body(index).motion_of_surface; }

  // Applies a force at a point of a body, or a torque, that is not a constraint force.
  void apply_force(int body_index, Vector3<Scalar> const& p, Vector3<Scalar> const& force);
  void apply_torque(int body_index, Vector3<Scalar> const& torque);

  // Adds a block of rows and returns its index. `plus` and `minus` are the bodies on the two sides of the
  // rows.
  int add_block(BlockIdentity identity, ForceSetOf<Scalar> const& set, Scalar zeta, Scalar delta,
                std::span<const ConstraintRowOf<Scalar>> rows, int plus, int minus);

  struct Pair {
    int body_a = 0, body_b = 0;
    int element = 0;
    bool grouped = false;
    ContactParameters const* law = nullptr;
    BlockIdentity first_identity = 0;  // of feature 0
    int first_deflection = -1;
  };
  Scalar margin_of(ContactParameters const& law, Scalar speed) const;
  Scalar speed_of(int body_index, Vector3<Scalar> const& around, Scalar extent) const;
  void place_group(ContactGroup const& group);
  void write_group_pair(std::size_t group, GroupSideOf<Scalar> const& a, GroupSideOf<Scalar> const& b,
                        std::size_t part);
  void write_points(Pair const& pair);
  void write_point(Pair const& pair, ContactPointOf<Scalar> const& contact);
  void write_compliant_point(Pair const& pair, ContactPointOf<Scalar> const& contact,
                             ActivePointOf<Scalar>& active, std::span<const ConstraintRowOf<Scalar>> rows,
                             Vector3<Scalar> const& t1, Vector3<Scalar> const& t2);

  Scene const& scene_;
  InstantOf<Scalar> const& at_;
  TermsOf<Scalar>& terms_;
  SceneWorkspaceOf<Scalar>& work_;
  BodyPoseOf<Scalar> ground_;
};

// The deflection rate of a contact point with compliant friction, for configuration_rate.
template <class Scalar>
Vector2<Scalar> deflection_rate(ContactParameters const& law, std::span<const Scalar> parameter, Scalar gap,
                                Vector3<Scalar> const& velocity, Vector2<Scalar> const& deflection);

// The tangential directions at a contact. In the plane, the first lies in the plane and the second is its
// normal.
template <class Scalar>
void contact_tangents(int dimension, Vector3<Scalar> const& n, Vector3<Scalar>& t1, Vector3<Scalar>& t2);

}  // namespace delassus
