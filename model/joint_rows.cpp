// Every joint is made of two kinds of rows, with p_a the anchor on a, p_b the one on b:
//
//   translation  Psi = d . (p_a - p_b) with d fixed in b. Since d' = omega_b x d, its rate is the velocity
//                along d of the point p_a of a relative to that point of b: point_row at p_a.
//   rotation     Psi = u . w with u fixed in b, w fixed in a, perpendicular at the start. Its rate is
//                (omega_a - omega_b) . (w x u): turn_row about w x u. In the plane Psi is the difference of
//                the angles.
//
// What is fixed in a is found from the start: there the frames of the joint on both bodies coincide.
#include "model/joint_rows.hpp"

#include <cmath>

namespace delassus {
namespace {

using Eigen::Vector3d;

// The frame of the joint on each body: columns axis, and two perpendicular to it.
struct JointFrames {
  Eigen::Matrix3d on_a, on_b;  // in the world
};

JointFrames frames_of(Scene const& scene, int body_a, int body_b, Vector3d const& axis_in_b,
                      Instant const& at, BodyPose const& a, BodyPose const& b) {
  Eigen::Matrix3d const in_b = frame_with_first_axis(axis_in_b.stableNormalized());
  Eigen::Matrix3d const R_a = initial_pose(scene, body_a, at.parameter, at.input).R,
                        R_b = initial_pose(scene, body_b, at.parameter, at.input).R;
  return {a.R * (R_a.transpose() * R_b * in_b), b.R * in_b};
}

double initial_angle(Scene const& scene, int body, Instant const& at) {
  return initial_pose(scene, body, at.parameter, at.input).angle;
}

ConstraintRow perpendicular_row(Vector3d const& u, Vector3d const& w, BodyPose const& a, BodyPose const& b) {
  Vector3d const rate = (a.twist.omega.cross(w)).cross(u) + w.cross(b.twist.omega.cross(u));
  ConstraintRow row = turn_row(w.cross(u), rate, a.twist, b.twist);
  row.Psi = u.dot(w);
  return row;
}

ConstraintRow translation_row(Vector3d const& d, Vector3d const& p_a, Vector3d const& p_b, BodyPose const& a,
                              BodyPose const& b) {
  ConstraintRow row = point_row(d, b.twist.omega.cross(d), p_a, a.twist.at(p_a), a.twist, b.twist);
  row.Psi = d.dot(p_a - p_b);
  return row;
}

// |p_a - p_b| - length, with s = p_a - p_b and d = s/|s|: the rate is d . s', and d' = (s' - d d . s')/|s|.
ConstraintRow distance_row(Vector3d const& p_a, Vector3d const& p_b, double length, BodyPose const& a,
                           BodyPose const& b) {
  Vector3d const s = p_a - p_b;
  double const size = s.norm();
  Vector3d const d = size > 0 ? Vector3d(s / size) : Vector3d::UnitX();
  Vector3d const velocity_a = a.twist.at(p_a), velocity_b = b.twist.at(p_b);
  Vector3d const rate = velocity_a - velocity_b;
  ConstraintRow row;
  row.plus_direction = d;
  row.plus_moment = (p_a - a.twist.origin).cross(d);
  row.minus_direction = -d;
  row.minus_moment = -(p_b - b.twist.origin).cross(d);
  row.velocity = d.dot(rate);
  row.Psi = size - length;
  double const across = rate.squaredNorm() - row.velocity * row.velocity;
  row.Jdot_v = (size > 0 ? across / size : 0.0) + d.dot(a.twist.omega.cross(velocity_a - a.twist.velocity) -
                                                        b.twist.omega.cross(velocity_b - b.twist.velocity));
  return row;
}

Vector3d in_frame_of(BodyPose const& pose, Vector3d const& p) {
  return pose.center_of_mass + pose.R.transpose() * (p - pose.twist.origin);
}

}  // namespace

bool has_free_angle(JointType type) {
  return type == JointType::revolute;
}

bool has_free_coordinate(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic || type == JointType::cylindrical;
}

int translations_of(JointType type, int dimension) {
  switch (type) {
    case JointType::fixed:
    case JointType::revolute:
    case JointType::spherical:
      return dimension;
    case JointType::prismatic:
    case JointType::cylindrical:
    case JointType::point_on_line:
      return dimension - 1;
    case JointType::distance:
      return 1;
  }
  return 0;
}

int rotations_of(JointType type, int dimension) {
  switch (type) {
    case JointType::fixed:
    case JointType::prismatic:
      return dimension == 2 ? 1 : 3;
    case JointType::revolute:
    case JointType::cylindrical:
      return dimension == 2 ? 0 : 2;
    default:
      return 0;
  }
}

RelativeTurn relative_turn(Scene const& scene, int body_a, int body_b, Vector3d const& axis_in_b,
                           Instant const& at, BodyPose const& a, BodyPose const& b) {
  RelativeTurn turn;
  if (scene.dimension == 2) {
    turn.angle = a.angle - b.angle - (initial_angle(scene, body_a, at) - initial_angle(scene, body_b, at));
    turn.row = turn_row(Vector3d::UnitZ(), Vector3d::Zero(), a.twist, b.twist);
    return turn;
  }
  JointFrames const frames = frames_of(scene, body_a, body_b, axis_in_b, at, a, b);
  Vector3d const axis = frames.on_b.col(0);
  turn.angle =
      std::atan2(frames.on_b.col(2).dot(frames.on_a.col(1)), frames.on_b.col(1).dot(frames.on_a.col(1)));
  turn.row = turn_row(axis, b.twist.omega.cross(axis), a.twist, b.twist);
  return turn;
}

JointRows evaluate_joint(Scene const& scene, Joint const& joint, Instant const& at, BodyPose const& a,
                         BodyPose const& b) {
  JointRows rows;
  rows.translations = translations_of(joint.type, scene.dimension);
  rows.rotations = rotations_of(joint.type, scene.dimension);
  bool const plane = scene.dimension == 2;
  Vector3d const p_a = a.point(point_in_body(scene, joint.a, at.parameter));
  Vector3d p_b;
  if (joint.meets_at_start) {
    BodyPose const a_start = initial_pose(scene, joint.a.body, at.parameter, at.input),
                   b_start = initial_pose(scene, joint.b.body, at.parameter, at.input);
    p_b = b.point(in_frame_of(b_start, a_start.point(point_in_body(scene, joint.a, at.parameter))));
  } else {
    p_b = b.point(point_in_body(scene, joint.b, at.parameter));
  }

  if (joint.type == JointType::distance) {
    double const length = joint.length >= 0
                              ? at.parameter[static_cast<std::size_t>(joint.length)]
                              : initial_distance(scene, joint.a, joint.b, at.parameter, at.input);
    rows.row[0] = distance_row(p_a, p_b, length, a, b);
    rows.distance = (p_a - p_b).norm();
    return rows;
  }

  // In the plane a revolute joint's axis is z, and its directions are those of b.
  Vector3d axis_in_b = vector_parameter(at.parameter, joint.axis, scene.dimension);
  if (joint.axis < 0) axis_in_b = Vector3d::UnitX();
  JointFrames const frames = frames_of(scene, joint.a.body, joint.b.body, axis_in_b, at, a, b);
  int const first_direction = rows.translations == scene.dimension ? 0 : 1;
  for (int i = 0; i < rows.translations; ++i) {
    rows.row[static_cast<std::size_t>(i)] =
        translation_row(frames.on_b.col(first_direction + i), p_a, p_b, a, b);
  }

  auto const rotation = [&](int i) -> ConstraintRow& {
    return rows.row[static_cast<std::size_t>(rows.translations + i)];
  };
  if (rows.rotations == 1) {
    RelativeTurn const turn = relative_turn(scene, joint.a.body, joint.b.body, Vector3d::UnitZ(), at, a, b);
    rotation(0) = turn.row;
    rotation(0).Psi = turn.angle;
  } else if (rows.rotations >= 2) {
    // The axis of a stays perpendicular to both others of b; a fixed orientation holds these too.
    rotation(0) = perpendicular_row(frames.on_b.col(1), frames.on_a.col(0), a, b);
    rotation(1) = perpendicular_row(frames.on_b.col(2), frames.on_a.col(0), a, b);
    if (rows.rotations == 3) rotation(2) = perpendicular_row(frames.on_b.col(1), frames.on_a.col(2), a, b);
  }

  rows.has_coordinate = has_free_coordinate(joint.type);
  if (joint.type == JointType::revolute) {
    RelativeTurn const turn =
        relative_turn(scene, joint.a.body, joint.b.body, plane ? Vector3d::UnitZ() : axis_in_b, at, a, b);
    rows.coordinate = turn.angle;
    rows.along = turn.row;
  } else if (rows.has_coordinate) {
    rows.along = translation_row(frames.on_b.col(0), p_a, p_b, a, b);
    rows.coordinate = rows.along.Psi;
  }
  return rows;
}

}  // namespace delassus
