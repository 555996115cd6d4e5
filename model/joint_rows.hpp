// The rows of a joint: what it holds, and the coordinate that it leaves free.
#pragma once

#include <array>

#include "model/body_pose.hpp"
#include "model/constraint_row.hpp"

namespace delassus {

struct JointRows {
  std::array<ConstraintRow, 6> row;  // translations first, then rotations
  int translations = 0, rotations = 0;
  double distance = 0;  // m, between the ends of a distance joint

  // The free coordinate of revolute, prismatic and cylindrical joints: zero at the start.
  bool has_coordinate = false;
  double coordinate = 0;  // m or rad
  ConstraintRow along;    // its rate
};

// Whether the free coordinate is an angle; joints without one: false.
bool has_free_angle(JointType type);
bool has_free_coordinate(JointType type);

// Numbers of rows, without a state.
int translations_of(JointType type, int dimension);
int rotations_of(JointType type, int dimension);

JointRows evaluate_joint(Scene const& scene, Joint const& joint, Instant const& at, BodyPose const& a,
                         BodyPose const& b);

// The angle of body a relative to b about an axis fixed in b, zero at the start; its rate as a row.
struct RelativeTurn {
  double angle = 0;
  ConstraintRow row;
};
RelativeTurn relative_turn(Scene const& scene, int body_a, int body_b, Eigen::Vector3d const& axis_in_b,
                           Instant const& at, BodyPose const& a, BodyPose const& b);

}  // namespace delassus
