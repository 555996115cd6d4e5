// The rows of a joint: the motions that it holds, and the coordinate that it leaves free.
#pragma once

#include <array>

#include "model/equations/constraint_row.hpp"
#include "model/scene/body_pose.hpp"

namespace delassus {

template <class Scalar>
struct JointRowsOf {
  std::array<ConstraintRowOf<Scalar>, 6> row;  // translations first, then rotations
  int translations = 0, rotations = 0;
  Scalar distance = 0;  // m, between the ends of a distance joint

  // The free coordinate of revolute, prismatic and cylindrical joints: zero at the start.
  bool has_coordinate = false;
  Scalar coordinate = 0;          // m or rad
  Scalar coordinate_at_end = 0;   // in the terms of a step
  ConstraintRowOf<Scalar> along;  // its rate
  // The same in the terms of a step, for what follows from velocities: `along` is fitted to how an angle changes.
  ConstraintRowOf<Scalar> rate;
};
using JointRows = JointRowsOf<double>;

// Whether the joint has a free coordinate that is an angle.
bool has_free_angle(JointType type);
bool has_free_coordinate(JointType type);

// Numbers of rows; they do not depend on the state.
int translations_of(JointType type, int dimension);
int rotations_of(JointType type, int dimension);

template <class Scalar>
JointRowsOf<Scalar> evaluate_joint(Scene const& scene, Joint const& joint, InstantOf<Scalar> const& at,
                                   BodyPoseOf<Scalar> const& a, BodyPoseOf<Scalar> const& b);

// The angle of body a relative to b about an axis fixed in b, zero at the start; its rate as a row.
template <class Scalar>
struct RelativeTurnOf {
  Scalar angle = 0;
  ConstraintRowOf<Scalar> row;
};
using RelativeTurn = RelativeTurnOf<double>;
template <class Scalar>
RelativeTurnOf<Scalar> relative_turn(Scene const& scene, int body_a, int body_b,
                                     Vector3<Scalar> const& axis_in_b, InstantOf<Scalar> const& at,
                                     BodyPoseOf<Scalar> const& a, BodyPoseOf<Scalar> const& b);

// In the terms of a step: changes the row of an angle so that over the turn of plus relative to minus, h (w_plus -
// w_minus), it measures exactly the change of the angle, by the smallest change of its axis (a discrete gradient:
// Gonzalez 1996). `plus` and `minus` are the twists at the start. Answers with the change, which may pass half a turn.
template <class Scalar>
Scalar fit_to_turn(Vector3<Scalar> const& turned, Scalar change, TwistOf<Scalar> const& plus,
                   TwistOf<Scalar> const& minus, ConstraintRowOf<Scalar>& row);

}  // namespace delassus
