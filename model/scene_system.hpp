// The System of a Scene.
#pragma once

#include <array>
#include <map>

#include "model/body_pose.hpp"
#include "model/broad_phase.hpp"
#include "model/constraint_row.hpp"
#include "model/joint_rows.hpp"
#include "model/narrow_phase.hpp"
#include "model/scene.hpp"
#include "model/system.hpp"

namespace delassus {

// What a block of a scene belongs to; the first byte of its identity, so that blocks come in this order.
enum class BlockOwner : std::uint8_t { joint = 1, friction, rolling, knife_edge, contact, group };
enum class JointPart : std::uint8_t { translations = 0, rotations, lower_limit, upper_limit, friction };

BlockIdentity identity_of(BlockOwner owner, std::size_t element, std::size_t part = 0);
BlockOwner owner_of(BlockIdentity identity);
std::size_t element_of(BlockIdentity identity);  // index in the scene's list of that kind

// A contact point that may carry force at an instant.
struct ActivePoint {
  int element = 0;  // index of the contact or group
  bool grouped = false;
  int feature = 0;
  int block = -1;  // in Terms::blocks; -1: its force follows from the motion alone
  double gap = 0;  // m
  Eigen::Vector3d velocity = Eigen::Vector3d::
      Zero();  // of b relative to a: tangential, then normal (in the plane the second is zero)
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  // compliant part, same components
  bool sticks = false;                              // of a compliant contact
};

// A side of a contact: its shape and where it is.
struct PlacedShape {
  ShapeGeometry geometry;
  ShapePose pose;
};

// A shape of a group, or the ground, at an instant.
struct GroupSide {
  PlacedShape placed;
  int body = ground_body;
  bool moves = false;
  double extent = 0;  // m: no point of the shape is farther from its position; a plane's means nothing
  double speed = 0;   // m/s: of its fastest point
  double margin = 0;  // m: how near it may be to something at rest without touching it in this step
  bool rests = true;  // nothing on its body moves
};

class SceneWorkspace final : public SystemWorkspace {
 public:
  std::vector<BodyPose> poses;      // of the bodies
  std::vector<ActivePoint> active;  // in the order of contacts, then groups
  ContactPoints points;
  std::vector<GroupSide> sides;  // of the present group
  std::vector<Bounds> bounds;    // of these
  BroadPhase broad_phase;

  static SceneWorkspace const& of(Terms const& terms) {
    return static_cast<SceneWorkspace const&>(*terms.workspace);
  }
};

class SceneSystem final : public System {
 public:
  explicit SceneSystem(Scene const& scene);  // the scene must outlive the system

  Scene const& scene() const { return *scene_; }
  int configuration_size() const override { return scene_->configuration_size; }
  int velocity_size() const override { return scene_->velocity_size; }
  Terms make_terms() const override;
  void evaluate(Instant const& at, Terms& terms) const override;
  void configuration_rate(Instant const& at, std::span<double> qdot) const override;
  void advance_configuration(std::span<double> q, std::span<const double> v, std::span<const double> rate,
                             double h) const override;
  double potential_energy(Instant const& at) const override;
  std::string block_name(BlockIdentity identity) const override;
  // Contacts first, in the scene's order: the index of a contact is that of its source.
  std::vector<ModeSource> mode_sources() const override;
  int mode_source_of(BlockIdentity identity) const override;

  // The configuration and velocity that the parameters ask for.
  void initial_state(std::span<const double> parameter, std::span<const double> input, std::span<double> q,
                     std::span<double> v) const;

  struct PointMotion {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, in the world
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s
  };
  PointMotion motion_of(PointReference const& point, Instant const& at) const;

  // Where a declared pair is nearest (of a flat contact the middle): the gap, the place, and the velocity of b relative to a there (world
  // axes).
  struct Nearest {
    double gap = 0;
    Eigen::Vector3d position, velocity;
  };
  Nearest nearest(Contact const& contact, Instant const& at) const;

  JointRows joint_rows(Joint const& joint, Instant const& at) const;

 private:
  Scene const* scene_;
  std::map<BlockIdentity, int> source_of_block_;  // of frictions and joints
};

PlacedShape place(Scene const& scene, ContactSide const& side, int height, BodyPose const& body,
                  std::span<const double> parameter);
ShapeGeometry geometry_of(Scene const& scene, Shape const& shape, std::span<const double> parameter);

}  // namespace delassus
