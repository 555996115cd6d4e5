// Writes the terms of a scene, part by part. Inner header of SceneSystem::evaluate.
#pragma once

#include <algorithm>
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

  void write_masses();   // M, and the gyroscopic part of Phi
  void write_forces();   // Phi: gravity, inputs
  void write_springs();  // Phi, or blocks of their own where the step is long for them
  void write_joints();   // scene_terms_joints.cpp
  void write_frictions();
  void write_rollings();
  void write_knife_edges();
  void write_contacts();  // scene_terms_contacts.cpp
  void write_groups();

 private:
  Scalar parameter(int index) const { return at_.parameter[static_cast<std::size_t>(index)]; }
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }
  BodyPoseOf<Scalar> const& pose(int index) const { return pose(work_.poses, index); }
  BodyPoseOf<Scalar> const& pose(std::vector<BodyPoseOf<Scalar>> const& poses, int index) const {
    return index == ground_body ? ground_ : poses[static_cast<std::size_t>(index)];
  }
  // Whether a contact or limit carries no force because it is open (Instant::impacts).
  bool is_open(BlockIdentity identity, bool has_law) const {
    if (at_.impacts == ImpactScope::none) return false;
    if (at_.impacts == ImpactScope::with_restitution && !has_law) return false;
    return !std::binary_search(at_.closed.begin(), at_.closed.end(), identity);
  }
  // Whether the terms are those of a step. Poses are then averages over it.
  bool of_step() const { return !at_.q_end.empty(); }
  std::vector<BodyPoseOf<Scalar>> const& poses_at_start() const {
    return of_step() ? work_.start : work_.poses;
  }
  // The velocity over the step.
  TwistOf<Scalar> const& move(int index) const {
    return index == ground_body ? ground_.twist : work_.moves[static_cast<std::size_t>(index)];
  }
  std::vector<BodyPoseOf<Scalar>> const& poses_at_end() const { return of_step() ? work_.end : work_.poses; }

  // Whether the surface of a body moves relative to the body, as a belt does.
  bool is_belt(int index) const { return index != ground_body && body(index).motion_of_surface; }

  // Applies a force at a point of a body, or a torque, that is not a constraint force.
  void apply_force(int body_index, Vector3<Scalar> const& p, Vector3<Scalar> const& force);
  void apply_torque(int body_index, Vector3<Scalar> const& torque);

  // Notes that a force along this row may act beside the centre of mass of a body, or that of a force at p.
  void note_arm(ConstraintRowOf<Scalar> const& row, int plus, int minus);
  void note_arm(int body_index, Vector3<Scalar> const& direction, Vector3<Scalar> const& moment);
  void note_held(int body_index, int by);

  // Adds a block of rows and returns its index. `plus` and `minus` are the bodies on the two sides of the
  // rows.
  int add_block(BlockIdentity identity, ForceSetOf<Scalar> const& set,
                RelaxationPairOf<Scalar> const& relaxation, std::span<const ConstraintRowOf<Scalar>> rows,
                int plus, int minus);
  // The rows of a joint in a step: directions from the middle, errors from its start.
  JointRowsOf<Scalar> rows_of_joint(Joint const& joint) const;

  // A force along a row that follows a potential, and what it takes to step over it: see spring.hpp.
  void apply_spring(BlockIdentity identity, ConstraintRowOf<Scalar> const& row, Scalar stiffness,
                    Scalar damping, Scalar stretch, Scalar stretch_at_end, int plus, int minus);
  // J M^-1 J^T of a row.
  Scalar response(ConstraintRowOf<Scalar> const& row, int plus, int minus) const;

  struct Pair {
    int body_a = 0, body_b = 0;
    int element = 0;
    bool grouped = false;
    ContactParameters const* law = nullptr;
    BlockIdentity first_identity = 0;  // of feature 0
    int first_deflection = -1;
  };
  // `extent` is that of a shape which moves.
  Scalar margin_of(ContactParameters const& law, Scalar speed, Scalar extent) const;
  double gravity() const;
  Scalar speed_of(int body_index, Vector3<Scalar> const& around, Scalar extent) const;
  void place_group(ContactGroup const& group);
  void write_group_pair(std::size_t group, GroupSideOf<Scalar> const& a, GroupSideOf<Scalar> const& b,
                        std::size_t part);
  void remove_leaving(Pair const& pair, PlacedShapeOf<Scalar> const& on_a, PlacedShapeOf<Scalar> const& on_b);
  void note_appearing_points(Pair const& pair, Scalar half_size);
  bool is_same_point(ContactPointOf<Scalar> const& point, ContactPointOf<Scalar> const& end, int body_a,
                     int body_b) const;
  void find_points_at_end(SideOnBody<Scalar> const& a, SideOnBody<Scalar> const& b, int height);
  void write_points(Pair const& pair);
  void write_point(Pair const& pair, ContactPointOf<Scalar> const& contact);
  RelaxationPairOf<Scalar> relaxation_of(ContactParameters const& law) const;
  RelaxationPairOf<Scalar> tangential_relaxation_of(ContactParameters const& law) const;
  Scalar slip_compliance(ContactParameters const& law, Vector2<Scalar> const& slip,
                         Scalar const& normal_force) const;
  // Of a row of a block, in the last estimate; zero of one that was not there.
  Scalar force_of(BlockIdentity identity, std::size_t row) const;
  void write_compliant_point(Pair const& pair, ContactPointOf<Scalar> const& contact,
                             ActivePointOf<Scalar>& active, std::span<const ConstraintRowOf<Scalar>> rows,
                             Vector3<Scalar> const& t1, Vector3<Scalar> const& t2);

  void write_compliant_point_over_step(Pair const& pair, ContactPointOf<Scalar> const& contact,
                                       ActivePointOf<Scalar>& active,
                                       std::span<const ConstraintRowOf<Scalar>> rows,
                                       Vector3<Scalar> const& t1, Vector3<Scalar> const& t2);

  Vector2<Scalar> rub_over_step(Pair const& pair, int feature, Scalar const& normal_force,
                                Vector2<Scalar> const& slip, std::span<const ConstraintRowOf<Scalar>> rows);

  // From which share of the response of the bodies on the response of a spring or compliant contact is one of a
  // stiff one. Below, the estimates of a step converge by this factor each.
  static constexpr double stiff_share = 0.02;

  Scene const& scene_;
  InstantOf<Scalar> const& at_;
  TermsOf<Scalar>& terms_;
  SceneWorkspaceOf<Scalar>& work_;
  BodyPoseOf<Scalar> ground_;
};

// The deflection rate of a contact point with compliant friction, for configuration_rate: at an instant, and the mean
// one over a step of h seconds with this velocity.
template <class Scalar>
Vector2<Scalar> deflection_rate(ContactParameters const& law, std::span<const Scalar> parameter, Scalar gap,
                                Vector3<Scalar> const& velocity, Vector2<Scalar> const& deflection);
template <class Scalar>
Vector2<Scalar> deflection_rate_over_step(ContactParameters const& law, std::span<const Scalar> parameter,
                                          Scalar gap, Vector3<Scalar> const& velocity,
                                          Vector2<Scalar> const& deflection, double h);

// The tangential directions at a contact. In the plane, the first lies in the plane and the second is its
// normal.
template <class Scalar>
void contact_tangents(int dimension, Vector3<Scalar> const& n, Vector3<Scalar>& t1, Vector3<Scalar>& t2);

}  // namespace delassus
