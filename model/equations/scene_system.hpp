// The System of a Scene.
#pragma once

#include <array>
#include <map>

#include "model/equations/constraint_row.hpp"
#include "model/equations/joint_rows.hpp"
#include "model/equations/shape_neighbours.hpp"
#include "model/equations/system.hpp"
#include "model/geometry/broad_phase.hpp"
#include "model/geometry/narrow_phase.hpp"
#include "model/scene/body_pose.hpp"
#include "model/scene/placed_shape.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

// The kind of element that a block belongs to. It is the first byte of the identity, so blocks come in this
// order.
enum class BlockOwner : std::uint8_t { joint = 1, friction, rolling, knife_edge, contact, group, spring };
enum class JointPart : std::uint8_t { translations = 0, rotations, lower_limit, upper_limit, friction };

BlockIdentity identity_of(BlockOwner owner, std::size_t element, std::size_t part = 0);
BlockOwner owner_of(BlockIdentity identity);
std::size_t element_of(BlockIdentity identity);  // index in the scene's list of that kind

// A contact point that may carry force at an instant.
template <class Scalar>
struct ActivePointOf {
  int element = 0;  // index of the contact or group
  bool grouped = false;
  int body_a = ground_body, body_b = ground_body;
  int feature = 0;
  int block = -1;  // in Terms::blocks; -1: its force depends only on the motion
  Scalar gap = 0;  // m
  Vector3<Scalar> velocity = Vector3<
      Scalar>::Zero();  // of b relative to a: tangential, then normal (in the plane the second is zero)
  Vector3<Scalar> force = Vector3<Scalar>::Zero();  // compliant part, same components
  bool sticks = false;                              // of a compliant contact
  Vector3<Scalar> p = Vector3<Scalar>::Zero(),
                  n = Vector3<Scalar>::Zero();  // place on b, unit normal from a to b
};
using ActivePoint = ActivePointOf<double>;

// Friction of a compliant contact point in a step, as a block that follows those of the normal forces.
template <class Scalar>
struct RubbingPointOf {
  BlockIdentity identity = 0;
  ForceSetOf<Scalar> set;
  std::array<ConstraintRowOf<Scalar>, 2> rows;
  Scalar compliance = 0;
};

// A shape of a group, or the ground, at an instant.
template <class Scalar>
struct GroupSideOf {
  PlacedShapeOf<Scalar> placed;
  ContactSide side;
  PlacedShapeOf<Scalar> placed_at_end;  // in the terms of a step
  int body = ground_body;
  bool moves = false;
  Scalar extent = 0;  // m: no point of the shape is farther from its position; unused for a plane
  Scalar speed = 0;   // m/s: of its fastest point
  Scalar margin = 0;  // m: something at rest beyond this distance is not touched in this step
  bool rests = true;  // nothing on its body moves
};

template <class Scalar>
class SceneWorkspaceOf final : public SystemWorkspace {
 public:
  std::vector<BodyPoseOf<Scalar>> poses;       // of the bodies; in the terms of a step, averages over it
  std::vector<BodyPoseOf<Scalar>> start, end;  // in the terms of a step
  std::vector<TwistOf<Scalar>> moves;          // in the terms of a step: the velocity over it
  std::vector<ActivePointOf<Scalar>> active;   // in the order of contacts, then groups
  ContactPointsOf<Scalar> points, points_at_end;
  std::vector<RubbingPointOf<Scalar>> rubbing;  // of the present pair
  std::vector<GroupSideOf<Scalar>> sides;       // of the present group
  std::vector<Bounds> bounds;                   // of these
  std::vector<char> has_arm;                    // of the masses: System::may_spin
  BroadPhase broad_phase;
  ShapeNeighbours neighbours;

  static SceneWorkspaceOf const& of(TermsOf<Scalar> const& terms) {
    return static_cast<SceneWorkspaceOf const&>(*terms.workspace);
  }
};
using SceneWorkspace = SceneWorkspaceOf<double>;

// Whether a body turns by its mean angular velocity over a step (step_pose.hpp).
template <class Scalar>
bool spins(Body const& body, InstantOf<Scalar> const& at) {
  return body.mass_block >= 0 && !at.spins.empty() &&
         at.spins[static_cast<std::size_t>(body.mass_block)] != 0;
}

// The nearest points of a declared pair (of a flat contact the middle): gap, position, and velocity of b
// relative to a there, along the axes of the world.
template <class Scalar>
struct NearestOf {
  Scalar gap = 0;
  Vector3<Scalar> position, velocity;
};

template <class Scalar>
struct PointMotionOf {
  Vector3<Scalar> position = Vector3<Scalar>::Zero();  // m, in the world
  Vector3<Scalar> velocity = Vector3<Scalar>::Zero();  // m/s
};

// Everything except the names exists for both scalars: `double`, and Dual with the derivative along a
// direction.
class SceneSystem final : public System {
 public:
  explicit SceneSystem(Scene const& scene);  // the scene must outlive the system

  Scene const& scene() const { return *scene_; }
  int configuration_size() const override { return scene_->configuration_size; }
  int velocity_size() const override { return scene_->velocity_size; }
  Terms make_terms() const override;
  TermsOf<Dual> make_dual_terms() const;
  void evaluate(Instant const& at, Terms& terms) const override;
  void evaluate(InstantOf<Dual> const& at, TermsOf<Dual>& terms) const;
  void configuration_rate(Instant const& at, std::span<double> qdot) const override;
  void configuration_rate(InstantOf<Dual> const& at, std::span<Dual> qdot) const;
  void advance_configuration(std::span<double> q, std::span<const double> v, std::span<const double> rate,
                             double h) const override;
  void advance_over_step(Instant const& at, std::span<double> q, std::span<const double> rate) const override;
  void velocity_at_end(Instant const& at, std::span<const double> v_mid,
                       std::span<double> v_end) const override;
  std::optional<Passage> first_passage(Instant const& at, PassageSearch const& search,
                                       SystemWorkspace* workspace) const override;  // swept_contacts.cpp
  std::unique_ptr<SystemWorkspace> make_passage_workspace() const override;
  double length_scale(std::span<const double> parameter) const override;  // length_scale.cpp
  bool is_angular(BlockIdentity identity) const override;
  int turning_axes() const override;
  void turn_about(int k, int mass, std::span<const double> q, Eigen::Ref<Eigen::VectorXd> v) const override;
  int translations() const override;
  bool may_spin(Terms const& terms, int mass, double turn) const override;
  double spin(int mass, std::span<const double> v) const override;
  double potential_energy(Instant const& at) const override;
  Dual potential_energy(InstantOf<Dual> const& at) const;
  bool is_driven() const override;
  bool has_impact_laws() const override;
  std::string block_name(BlockIdentity identity) const override;
  std::string block_description(BlockIdentity identity) const override;
  bool is_contact(BlockIdentity identity) const override;
  std::vector<std::string> block_sides(BlockIdentity identity) const override;
  std::string mass_name(int mass) const override;
  bool is_prescribed(std::string const& body) const override;
  // Contacts first, in the scene's order: the index of a contact is that of its source.
  std::vector<ModeSource> mode_sources() const override;
  int mode_source_of(BlockIdentity identity) const override;

  // The initial configuration and velocity, from the parameters.
  void initial_state(std::span<const double> parameter, std::span<const double> input, std::span<double> q,
                     std::span<double> v) const;
  void initial_state(std::span<const Dual> parameter, std::span<const Dual> input, std::span<Dual> q,
                     std::span<Dual> v) const;

  using PointMotion = PointMotionOf<double>;
  template <class Scalar>
  PointMotionOf<Scalar> motion_of(PointReference const& point, InstantOf<Scalar> const& at) const;

  using Nearest = NearestOf<double>;
  template <class Scalar>
  NearestOf<Scalar> nearest(Contact const& contact, InstantOf<Scalar> const& at) const;

  template <class Scalar>
  JointRowsOf<Scalar> joint_rows(Joint const& joint, InstantOf<Scalar> const& at) const;

 private:
  template <class Scalar>
  TermsOf<Scalar> empty_terms() const;
  template <class Scalar>
  void write_terms(InstantOf<Scalar> const& at, TermsOf<Scalar>& terms) const;
  template <class Scalar>
  void write_step_poses(InstantOf<Scalar> const& at, SceneWorkspaceOf<Scalar>& work) const;
  template <class Scalar>
  void write_start_velocity(InstantOf<Scalar> const& at, TermsOf<Scalar>& terms) const;
  template <class Scalar>
  void write_configuration_rate(InstantOf<Scalar> const& at, std::span<Scalar> qdot) const;
  template <class Scalar>
  void write_initial_state(std::span<const Scalar> parameter, std::span<const Scalar> input,
                           std::span<Scalar> q, std::span<Scalar> v) const;
  template <class Scalar>
  Scalar sum_of_potential_energies(InstantOf<Scalar> const& at) const;

  Scene const* scene_;
  std::map<BlockIdentity, int> source_of_block_;  // of frictions and joints
  std::vector<int> body_of_mass_;
};

}  // namespace delassus
