// Every joint is made of two kinds of rows, with p_a the anchor on a, p_b the one on b:
//
//   translation  Psi = d . (p_a - p_b) with d fixed in b. Since d' = omega_b x d, its rate is the velocity
//                along d of the point p_a of a relative to that point of b: point_row at p_a.
//   rotation     Psi = u . w with u fixed in b, w fixed in a, perpendicular at the start. Its rate is
//                (omega_a - omega_b) . (w x u): turn_row about w x u. In the plane Psi is the difference of
//                the angles.
//
// The directions fixed in a follow from the initial state, in which the frames of the joint on both bodies
// coincide.
#include "model/equations/joint_rows.hpp"

#include <cmath>
#include <numbers>

namespace delassus {
namespace {

// 1 + cos of the angle between two axes that are opposite to rounding: a turn about them is not defined.
constexpr double opposite_axes = 1e-12;
// rad. Over a turn in a step that is smaller, rows differ from what they measure by the cube of it, below rounding.
constexpr double small_turn = 1e-6;

// The frame of the joint on each body: columns axis, and two perpendicular to it.
template <class Scalar>
struct JointFrames {
  Matrix3<Scalar> on_a, on_b;  // in the world
};

template <class Scalar>
JointFrames<Scalar> frames_of(Scene const& scene, int body_a, int body_b, Vector3<Scalar> const& axis_in_b,
                              InstantOf<Scalar> const& at, BodyPoseOf<Scalar> const& a,
                              BodyPoseOf<Scalar> const& b) {
  Matrix3<Scalar> const in_b = frame_with_first_axis<Scalar>(axis_in_b.stableNormalized());
  Matrix3<Scalar> const R_a = initial_pose<Scalar>(scene, body_a, at.parameter, at.input).R,
                        R_b = initial_pose<Scalar>(scene, body_b, at.parameter, at.input).R;
  return {a.R * (R_a.transpose() * R_b * in_b), b.R * in_b};
}

template <class Scalar>
Scalar initial_angle(Scene const& scene, int body, InstantOf<Scalar> const& at) {
  return initial_pose<Scalar>(scene, body, at.parameter, at.input).angle;
}

template <class Scalar>
ConstraintRowOf<Scalar> perpendicular_row(Vector3<Scalar> const& u, Vector3<Scalar> const& w,
                                          BodyPoseOf<Scalar> const& a, BodyPoseOf<Scalar> const& b) {
  Vector3<Scalar> const rate = (a.twist.omega.cross(w)).cross(u) + w.cross(b.twist.omega.cross(u));
  ConstraintRowOf<Scalar> row = turn_row<Scalar>(w.cross(u), rate, a.twist, b.twist);
  row.Psi = u.dot(w);
  return row;
}

template <class Scalar>
ConstraintRowOf<Scalar> translation_row(Vector3<Scalar> const& d, Vector3<Scalar> const& p_a,
                                        Vector3<Scalar> const& p_b, BodyPoseOf<Scalar> const& a,
                                        BodyPoseOf<Scalar> const& b) {
  ConstraintRowOf<Scalar> row =
      point_row<Scalar>(d, b.twist.omega.cross(d), p_a, a.twist.at(p_a), a.twist, b.twist);
  row.Psi = d.dot(p_a - p_b);
  return row;
}

// |p_a - p_b| - length, with s = p_a - p_b and d = s/|s|: the rate is d . s', and d' = (s' - d d . s')/|s|.
template <class Scalar>
ConstraintRowOf<Scalar> distance_row(Vector3<Scalar> const& p_a, Vector3<Scalar> const& p_b, Scalar length,
                                     BodyPoseOf<Scalar> const& a, BodyPoseOf<Scalar> const& b) {
  Vector3<Scalar> const s = p_a - p_b;
  Scalar const size = s.norm();
  Vector3<Scalar> const d = size > 0 ? Vector3<Scalar>(s / size) : Vector3<Scalar>::UnitX();
  Vector3<Scalar> const velocity_a = a.twist.at(p_a), velocity_b = b.twist.at(p_b);
  Vector3<Scalar> const rate = velocity_a - velocity_b;
  ConstraintRowOf<Scalar> row;
  row.plus_direction = d;
  row.plus_moment = (p_a - a.twist.origin).cross(d);
  row.minus_direction = -d;
  row.minus_moment = -(p_b - b.twist.origin).cross(d);
  row.velocity = d.dot(rate);
  row.Psi = size - length;
  Scalar const across = rate.squaredNorm() - row.velocity * row.velocity;
  row.Jdot_v = (size > 0 ? across / size : 0.0) + d.dot(a.twist.omega.cross(velocity_a - a.twist.velocity) -
                                                        b.twist.omega.cross(velocity_b - b.twist.velocity));
  return row;
}

template <class Scalar>
Vector3<Scalar> in_frame_of(BodyPoseOf<Scalar> const& pose, Vector3<Scalar> const& p) {
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

template <class Scalar>
RelativeTurnOf<Scalar> relative_turn(Scene const& scene, int body_a, int body_b,
                                     Vector3<Scalar> const& axis_in_b, InstantOf<Scalar> const& at,
                                     BodyPoseOf<Scalar> const& a, BodyPoseOf<Scalar> const& b) {
  RelativeTurnOf<Scalar> turn;
  if (scene.dimension == 2) {
    turn.angle = a.angle - b.angle -
                 (initial_angle<Scalar>(scene, body_a, at) - initial_angle<Scalar>(scene, body_b, at));
    turn.row = turn_row<Scalar>(Vector3<Scalar>::UnitZ(), Vector3<Scalar>::Zero(), a.twist, b.twist);
    return turn;
  }
  // Only a hinge keeps the axis of a, u, on that of b, w. In general the turn that carries b to a is a twist about w
  // and then a swing that tilts w to u; with C the matrix of a's frame in b's, and the swing by beta,
  //
  //   (C_22 + C_33, C_32 - C_23) = (1 + cos beta) (cos angle, sin angle),
  //   angle' = (omega_a - omega_b) . (u + w)/(1 + u . w).
  //
  // A torque along this row does the work of a potential of the angle; one along w would not.
  JointFrames<Scalar> const frames = frames_of<Scalar>(scene, body_a, body_b, axis_in_b, at, a, b);
  Matrix3<Scalar> const C = frames.on_b.transpose() * frames.on_a;
  turn.angle = atan2(C(2, 1) - C(1, 2), C(1, 1) + C(2, 2));
  Vector3<Scalar> const u = frames.on_a.col(0), w = frames.on_b.col(0);
  Scalar const opened = 1 + u.dot(w), opening = (a.twist.omega - b.twist.omega).dot(u.cross(w));
  if (!(opened > opposite_axes)) return turn;
  Vector3<Scalar> const along = (u + w) / opened;
  turn.row = turn_row<Scalar>(
      along, (a.twist.omega.cross(u) + b.twist.omega.cross(w) - opening * along) / opened, a.twist, b.twist);
  return turn;
}

template <class Scalar>
Scalar fit_to_turn(Vector3<Scalar> const& turned, Scalar change, TwistOf<Scalar> const& plus,
                   TwistOf<Scalar> const& minus, ConstraintRowOf<Scalar>& row) {
  Scalar const straight = row.plus_moment.dot(turned);
  constexpr double full = 2 * std::numbers::pi;
  change -= full * std::round(value_of(change - straight) / full);
  Scalar const square = turned.squaredNorm();
  if (!(square > small_turn * small_turn)) return change;
  Vector3<Scalar> const more = (change - straight) / square * turned;
  row.plus_moment += more;
  row.minus_moment -= more;
  row.velocity += more.dot(plus.omega - minus.omega);
  return change;
}

template <class Scalar>
JointRowsOf<Scalar> evaluate_joint(Scene const& scene, Joint const& joint, InstantOf<Scalar> const& at,
                                   BodyPoseOf<Scalar> const& a, BodyPoseOf<Scalar> const& b) {
  JointRowsOf<Scalar> rows;
  rows.translations = translations_of(joint.type, scene.dimension);
  rows.rotations = rotations_of(joint.type, scene.dimension);
  bool const plane = scene.dimension == 2;
  Vector3<Scalar> const p_a = a.point(point_in_body<Scalar>(scene, joint.a, at.parameter));
  Vector3<Scalar> p_b;
  if (joint.meets_at_start) {
    BodyPoseOf<Scalar> const a_start = initial_pose<Scalar>(scene, joint.a.body, at.parameter, at.input),
                             b_start = initial_pose<Scalar>(scene, joint.b.body, at.parameter, at.input);
    p_b = b.point(
        in_frame_of<Scalar>(b_start, a_start.point(point_in_body<Scalar>(scene, joint.a, at.parameter))));
  } else {
    p_b = b.point(point_in_body<Scalar>(scene, joint.b, at.parameter));
  }

  if (joint.type == JointType::distance) {
    Scalar const length = joint.length >= 0
                              ? at.parameter[static_cast<std::size_t>(joint.length)]
                              : initial_distance<Scalar>(scene, joint.a, joint.b, at.parameter, at.input);
    rows.row[0] = distance_row<Scalar>(p_a, p_b, length, a, b);
    rows.distance = (p_a - p_b).norm();
    return rows;
  }

  // In the plane a revolute joint's axis is z, and its directions are those of b.
  Vector3<Scalar> axis_in_b = vector_parameter<Scalar>(at.parameter, joint.axis, scene.dimension);
  if (joint.axis < 0) axis_in_b = Vector3<Scalar>::UnitX();
  JointFrames<Scalar> const frames =
      frames_of<Scalar>(scene, joint.a.body, joint.b.body, axis_in_b, at, a, b);
  int const first_direction = rows.translations == scene.dimension ? 0 : 1;
  for (int i = 0; i < rows.translations; ++i) {
    rows.row[static_cast<std::size_t>(i)] =
        translation_row<Scalar>(frames.on_b.col(first_direction + i), p_a, p_b, a, b);
  }

  auto const rotation = [&](int i) -> ConstraintRowOf<Scalar>& {
    return rows.row[static_cast<std::size_t>(rows.translations + i)];
  };
  if (rows.rotations == 1) {
    RelativeTurnOf<Scalar> const turn =
        relative_turn<Scalar>(scene, joint.a.body, joint.b.body, Vector3<Scalar>::UnitZ(), at, a, b);
    rotation(0) = turn.row;
    rotation(0).Psi = turn.angle;
  } else if (rows.rotations >= 2) {
    // The axis of a stays perpendicular to the other two axes of b. A fixed orientation also holds the
    // rotation about it.
    rotation(0) = perpendicular_row<Scalar>(frames.on_b.col(1), frames.on_a.col(0), a, b);
    rotation(1) = perpendicular_row<Scalar>(frames.on_b.col(2), frames.on_a.col(0), a, b);
    if (rows.rotations == 3)
      rotation(2) = perpendicular_row<Scalar>(frames.on_b.col(1), frames.on_a.col(2), a, b);
  }

  rows.has_coordinate = has_free_coordinate(joint.type);
  if (joint.type == JointType::revolute) {
    RelativeTurnOf<Scalar> const turn = relative_turn<Scalar>(
        scene, joint.a.body, joint.b.body, plane ? Vector3<Scalar>::UnitZ() : axis_in_b, at, a, b);
    rows.coordinate = turn.angle;
    rows.along = turn.row;
  } else if (rows.has_coordinate) {
    rows.along = translation_row<Scalar>(frames.on_b.col(0), p_a, p_b, a, b);
    rows.coordinate = rows.along.Psi;
  }
  return rows;
}

// Explicit instantiations for both scalars.
template RelativeTurnOf<double> relative_turn(Scene const&, int, int, Vector3<double> const&,
                                              InstantOf<double> const&, BodyPoseOf<double> const&,
                                              BodyPoseOf<double> const&);
template RelativeTurnOf<Dual> relative_turn(Scene const&, int, int, Vector3<Dual> const&,
                                            InstantOf<Dual> const&, BodyPoseOf<Dual> const&,
                                            BodyPoseOf<Dual> const&);
template double fit_to_turn(Vector3<double> const&, double, TwistOf<double> const&, TwistOf<double> const&,
                            ConstraintRowOf<double>&);
template Dual fit_to_turn(Vector3<Dual> const&, Dual, TwistOf<Dual> const&, TwistOf<Dual> const&,
                          ConstraintRowOf<Dual>&);
template JointRowsOf<double> evaluate_joint(Scene const&, Joint const&, InstantOf<double> const&,
                                            BodyPoseOf<double> const&, BodyPoseOf<double> const&);
template JointRowsOf<Dual> evaluate_joint(Scene const&, Joint const&, InstantOf<Dual> const&,
                                          BodyPoseOf<Dual> const&, BodyPoseOf<Dual> const&);

}  // namespace delassus
