#include "model/scene/body_pose.hpp"

namespace delassus {
namespace {

template <class Scalar>
Scalar at(std::span<const Scalar> values, int index) {
  return values[static_cast<std::size_t>(index)];
}

Body const& body_of(Scene const& scene, int index) {
  return scene.bodies[static_cast<std::size_t>(index)];
}

// omega: one number in the plane, about z; three numbers in space.
template <class Scalar>
Vector3<Scalar> angular(Scene const& scene, std::span<const Scalar> values, int index) {
  if (index < 0) return Vector3<Scalar>::Zero();
  if (scene.dimension == 2) return {0, 0, at<Scalar>(values, index)};
  return vector_parameter<Scalar>(values, index, 3);
}

template <class Scalar>
void set_motion(Scene const& scene, Body const& body, std::span<const Scalar> parameter,
                std::span<const Scalar> input, BodyPoseOf<Scalar>& pose) {
  auto const values = body.motion_is_input ? input : parameter;
  TwistOf<Scalar> moved = pose.twist;
  moved.velocity = vector_parameter<Scalar>(values, body.motion_velocity, scene.dimension);
  moved.omega = angular<Scalar>(scene, values, body.motion_angular_velocity);
  moved.origin_stays = body.motion_of_surface;
  pose.surface = moved;
  if (!body.motion_of_surface) pose.twist = moved;
}

}  // namespace

template <class Scalar>
Vector3<Scalar> vector_parameter(std::span<const Scalar> parameter, int index, int size) {
  Vector3<Scalar> result = Vector3<Scalar>::Zero();
  if (index < 0) return result;
  for (int i = 0; i < size; ++i) result[i] = at<Scalar>(parameter, index + i);
  return result;
}

template <class Scalar>
Matrix3<Scalar> rotation_parameter(Scene const& scene, std::span<const Scalar> parameter, int index) {
  if (index < 0) return Matrix3<Scalar>::Identity();
  if (scene.dimension == 2) return rotation_about_z<Scalar>(at<Scalar>(parameter, index));
  return matrix_of<Scalar>(quaternion_of<Scalar>(vector_parameter<Scalar>(parameter, index, 3)));
}

template <class Scalar>
Vector3<Scalar> point_in_body(Scene const& scene, PointReference const& point,
                              std::span<const Scalar> parameter) {
  if (point.point < 0) return Vector3<Scalar>::Zero();
  BodyPoint const& p = scene.points[static_cast<std::size_t>(point.point)];
  if (p.fraction >= 0) {
    return {at<Scalar>(parameter, p.fraction) * at<Scalar>(parameter, body_of(scene, p.body).half_length), 0,
            0};
  }
  return vector_parameter<Scalar>(parameter, p.position, scene.dimension);
}

template <class Scalar>
Matrix3<Scalar> inertia_parameter(std::span<const Scalar> parameter, int index) {
  auto const I = [&](int i) { return at<Scalar>(parameter, index + i); };
  return Matrix3<Scalar>{{I(0), I(3), I(4)}, {I(3), I(1), I(5)}, {I(4), I(5), I(2)}};
}

template <class Scalar>
BodyPoseOf<Scalar> pose_of(Scene const& scene, int index, InstantOf<Scalar> const& instant) {
  BodyPoseOf<Scalar> pose;
  if (index == ground_body) return pose;
  Body const& body = body_of(scene, index);
  auto const q = [&](int i) { return at<Scalar>(instant.q, body.first_coordinate + i); };
  auto const v = [&](int i) { return at<Scalar>(instant.v, body.first + i); };
  switch (body.type) {
    case BodyType::slider:
      pose.twist.origin[body.axis] = q(0);
      pose.twist.velocity[body.axis] = v(0);
      pose.surface = pose.twist;
      return pose;
    case BodyType::point:
      for (int i = 0; i < body.degrees_of_freedom; ++i) {
        pose.twist.origin[i] = q(i);
        pose.twist.velocity[i] = v(i);
      }
      pose.surface = pose.twist;
      return pose;
    case BodyType::planar:
      pose.twist.origin = {q(0), q(1), 0};
      pose.twist.velocity = {v(0), v(1), 0};
      pose.twist.omega = {0, 0, v(2)};
      pose.angle = q(2);
      pose.R = rotation_about_z<Scalar>(pose.angle);
      break;
    case BodyType::rigid:
      pose.twist.origin = {q(0), q(1), q(2)};
      pose.twist.velocity = {v(0), v(1), v(2)};
      pose.twist.omega = {v(3), v(4), v(5)};
      pose.R = matrix_of<Scalar>({q(3), q(4), q(5), q(6)});
      break;
    case BodyType::fixed:
      return initial_pose<Scalar>(scene, index, instant.parameter, instant.input);
    case BodyType::prescribed:
      if (body.motion_of_surface) {
        pose = initial_pose<Scalar>(scene, index, instant.parameter, instant.input);
      } else if (scene.dimension == 2) {
        pose.twist.origin = {q(0), q(1), 0};
        pose.angle = q(2);
        pose.R = rotation_about_z<Scalar>(pose.angle);
      } else {
        pose.twist.origin = {q(0), q(1), q(2)};
        pose.R = matrix_of<Scalar>({q(3), q(4), q(5), q(6)});
      }
      set_motion<Scalar>(scene, body, instant.parameter, instant.input, pose);
      return pose;
  }
  pose.center_of_mass = vector_parameter<Scalar>(instant.parameter, body.center_of_mass, scene.dimension);
  pose.surface = pose.twist;
  return pose;
}

template <class Scalar>
BodyPoseOf<Scalar> initial_pose(Scene const& scene, int index, std::span<const Scalar> parameter,
                                std::span<const Scalar> input) {
  BodyPoseOf<Scalar> pose;
  if (index == ground_body) return pose;
  Body const& body = body_of(scene, index);
  if (body.type == BodyType::slider) {
    pose.twist.origin[body.axis] = at<Scalar>(parameter, body.initial_position);
    pose.twist.velocity[body.axis] = at<Scalar>(parameter, body.initial_velocity);
    pose.surface = pose.twist;
    return pose;
  }
  if (scene.dimension == 2 && body.initial_angle >= 0) pose.angle = at<Scalar>(parameter, body.initial_angle);
  pose.R = rotation_parameter<Scalar>(scene, parameter, body.initial_angle);
  pose.center_of_mass = vector_parameter<Scalar>(parameter, body.center_of_mass, scene.dimension);
  pose.twist.origin = vector_parameter<Scalar>(parameter, body.initial_position, scene.dimension);
  pose.twist.velocity = vector_parameter<Scalar>(parameter, body.initial_velocity, scene.dimension);
  pose.twist.omega = angular<Scalar>(scene, parameter, body.initial_angular_velocity);
  // The given position p and velocity are those of a point; the centre lies at p - r and moves with pdot -
  // omega x r.
  Vector3<Scalar> const r =
      pose.R * (point_in_body<Scalar>(scene, {index, body.initial_point}, parameter) - pose.center_of_mass);
  pose.twist.origin -= r;
  pose.twist.velocity -= pose.twist.omega.cross(r);
  pose.surface = pose.twist;
  if (body.type == BodyType::prescribed) set_motion<Scalar>(scene, body, parameter, input, pose);
  return pose;
}

template <class Scalar>
Scalar initial_distance(Scene const& scene, PointReference const& a, PointReference const& b,
                        std::span<const Scalar> parameter, std::span<const Scalar> input) {
  auto const place = [&](PointReference const& point) {
    return initial_pose<Scalar>(scene, point.body, parameter, input)
        .point(point_in_body<Scalar>(scene, point, parameter));
  };
  return (place(a) - place(b)).norm();
}

// Explicit instantiations for both scalars.
template Vector3<double> vector_parameter(std::span<const double>, int, int);
template Vector3<Dual> vector_parameter(std::span<const Dual>, int, int);
template Matrix3<double> rotation_parameter(Scene const&, std::span<const double>, int);
template Matrix3<Dual> rotation_parameter(Scene const&, std::span<const Dual>, int);
template BodyPoseOf<double> pose_of(Scene const&, int, InstantOf<double> const&);
template BodyPoseOf<Dual> pose_of(Scene const&, int, InstantOf<Dual> const&);
template BodyPoseOf<double> initial_pose(Scene const&, int, std::span<const double>, std::span<const double>);
template BodyPoseOf<Dual> initial_pose(Scene const&, int, std::span<const Dual>, std::span<const Dual>);
template Vector3<double> point_in_body(Scene const&, PointReference const&, std::span<const double>);
template Vector3<Dual> point_in_body(Scene const&, PointReference const&, std::span<const Dual>);
template double initial_distance(Scene const&, PointReference const&, PointReference const&,
                                 std::span<const double>, std::span<const double>);
template Dual initial_distance(Scene const&, PointReference const&, PointReference const&,
                               std::span<const Dual>, std::span<const Dual>);
template Matrix3<double> inertia_parameter(std::span<const double>, int);
template Matrix3<Dual> inertia_parameter(std::span<const Dual>, int);

}  // namespace delassus
