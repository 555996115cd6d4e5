#include "model/body_pose.hpp"

namespace delassus {
namespace {

double at(std::span<const double> values, int index) {
  return values[static_cast<std::size_t>(index)];
}

Body const& body_of(Scene const& scene, int index) {
  return scene.bodies[static_cast<std::size_t>(index)];
}

// omega: a number in the plane, about z; three in space.
Eigen::Vector3d angular(Scene const& scene, std::span<const double> values, int index) {
  if (index < 0) return Eigen::Vector3d::Zero();
  if (scene.dimension == 2) return {0, 0, at(values, index)};
  return vector_parameter(values, index, 3);
}

void set_motion(Scene const& scene, Body const& body, std::span<const double> parameter,
                std::span<const double> input, BodyPose& pose) {
  auto const values = body.motion_is_input ? input : parameter;
  Twist moved = pose.twist;
  moved.velocity = vector_parameter(values, body.motion_velocity, scene.dimension);
  moved.omega = angular(scene, values, body.motion_angular_velocity);
  moved.origin_stays = body.motion_of_surface;
  pose.surface = moved;
  if (!body.motion_of_surface) pose.twist = moved;
}

}  // namespace

Eigen::Vector3d vector_parameter(std::span<const double> parameter, int index, int size) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  if (index < 0) return result;
  for (int i = 0; i < size; ++i) result[i] = at(parameter, index + i);
  return result;
}

Eigen::Matrix3d rotation_parameter(Scene const& scene, std::span<const double> parameter, int index) {
  if (index < 0) return Eigen::Matrix3d::Identity();
  if (scene.dimension == 2) return rotation_about_z(at(parameter, index));
  return matrix_of(quaternion_of(vector_parameter(parameter, index, 3)));
}

Eigen::Vector3d point_in_body(Scene const& scene, PointReference const& point,
                              std::span<const double> parameter) {
  if (point.point < 0) return Eigen::Vector3d::Zero();
  BodyPoint const& p = scene.points[static_cast<std::size_t>(point.point)];
  if (p.fraction >= 0) {
    return {at(parameter, p.fraction) * at(parameter, body_of(scene, p.body).half_length), 0, 0};
  }
  return vector_parameter(parameter, p.position, scene.dimension);
}

Eigen::Matrix3d inertia_parameter(std::span<const double> parameter, int index) {
  auto const I = [&](int i) { return at(parameter, index + i); };
  return Eigen::Matrix3d{{I(0), I(3), I(4)}, {I(3), I(1), I(5)}, {I(4), I(5), I(2)}};
}

BodyPose pose_of(Scene const& scene, int index, Instant const& instant) {
  BodyPose pose;
  if (index == ground_body) return pose;
  Body const& body = body_of(scene, index);
  auto const q = [&](int i) { return at(instant.q, body.first_coordinate + i); };
  auto const v = [&](int i) { return at(instant.v, body.first + i); };
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
      pose.R = rotation_about_z(pose.angle);
      break;
    case BodyType::rigid:
      pose.twist.origin = {q(0), q(1), q(2)};
      pose.twist.velocity = {v(0), v(1), v(2)};
      pose.twist.omega = {v(3), v(4), v(5)};
      pose.R = matrix_of({q(3), q(4), q(5), q(6)});
      break;
    case BodyType::fixed:
      return initial_pose(scene, index, instant.parameter, instant.input);
    case BodyType::prescribed:
      if (body.motion_of_surface) {
        pose = initial_pose(scene, index, instant.parameter, instant.input);
      } else if (scene.dimension == 2) {
        pose.twist.origin = {q(0), q(1), 0};
        pose.angle = q(2);
        pose.R = rotation_about_z(pose.angle);
      } else {
        pose.twist.origin = {q(0), q(1), q(2)};
        pose.R = matrix_of({q(3), q(4), q(5), q(6)});
      }
      set_motion(scene, body, instant.parameter, instant.input, pose);
      return pose;
  }
  pose.center_of_mass = vector_parameter(instant.parameter, body.center_of_mass, scene.dimension);
  pose.surface = pose.twist;
  return pose;
}

BodyPose initial_pose(Scene const& scene, int index, std::span<const double> parameter,
                      std::span<const double> input) {
  BodyPose pose;
  if (index == ground_body) return pose;
  Body const& body = body_of(scene, index);
  if (body.type == BodyType::slider) {
    pose.twist.origin[body.axis] = at(parameter, body.initial_position);
    pose.twist.velocity[body.axis] = at(parameter, body.initial_velocity);
    pose.surface = pose.twist;
    return pose;
  }
  if (scene.dimension == 2 && body.initial_angle >= 0) pose.angle = at(parameter, body.initial_angle);
  pose.R = rotation_parameter(scene, parameter, body.initial_angle);
  pose.center_of_mass = vector_parameter(parameter, body.center_of_mass, scene.dimension);
  pose.twist.origin = vector_parameter(parameter, body.initial_position, scene.dimension);
  pose.twist.velocity = vector_parameter(parameter, body.initial_velocity, scene.dimension);
  pose.twist.omega = angular(scene, parameter, body.initial_angular_velocity);
  // The given position p and velocity are those of a point; the centre lies at p - r and moves with pdot -
  // omega x r.
  Eigen::Vector3d const r =
      pose.R * (point_in_body(scene, {index, body.initial_point}, parameter) - pose.center_of_mass);
  pose.twist.origin -= r;
  pose.twist.velocity -= pose.twist.omega.cross(r);
  pose.surface = pose.twist;
  if (body.type == BodyType::prescribed) set_motion(scene, body, parameter, input, pose);
  return pose;
}

double initial_distance(Scene const& scene, PointReference const& a, PointReference const& b,
                        std::span<const double> parameter, std::span<const double> input) {
  auto const place = [&](PointReference const& point) {
    return initial_pose(scene, point.body, parameter, input).point(point_in_body(scene, point, parameter));
  };
  return (place(a) - place(b)).norm();
}

}  // namespace delassus
