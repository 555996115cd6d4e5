// Where a body is and how it moves at an instant, whatever its kind: every kind is a rigid body in space
// whose velocity is restricted. Bodies in the plane have z = 0 and turn about z.
#pragma once

#include "model/narrow_phase.hpp"
#include "model/rotation.hpp"
#include "model/scene.hpp"
#include "model/system.hpp"

namespace delassus {

struct BodyPose {
  Twist twist;  // its origin is the centre of mass
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Twist surface;     // how its surface moves where it has contacts: with the body, unless it is a belt
  double angle = 0;  // rad, in the plane: not reduced to a turn
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();  // in the body's frame

  Eigen::Vector3d point(Eigen::Vector3d const& in_body) const {
    return twist.origin + R * (in_body - center_of_mass);
  }
};

// Numbers of the parameter array as vectors; a plane's two numbers get a third, 0.
Eigen::Vector3d vector_parameter(std::span<const double> parameter, int index, int size);

// A rotation parameter: an angle in the plane, a rotation vector in space.
Eigen::Matrix3d rotation_parameter(Scene const& scene, std::span<const double> parameter, int index);

BodyPose pose_of(Scene const& scene, int body, Instant const& at);  // `body` may be ground_body

// The pose that the parameters ask for at the start.
BodyPose initial_pose(Scene const& scene, int body, std::span<const double> parameter,
                      std::span<const double> input);

// A point in the frame of its body.
Eigen::Vector3d point_in_body(Scene const& scene, PointReference const& point,
                              std::span<const double> parameter);

// The distance of two points at the start.
double initial_distance(Scene const& scene, PointReference const& a, PointReference const& b,
                        std::span<const double> parameter, std::span<const double> input);

// The moments of inertia of a rigid body about its centre of mass, in its own frame.
Eigen::Matrix3d inertia_parameter(std::span<const double> parameter, int index);

// The row of J for the unit force `direction` at the centre of mass and the unit torque `moment` over the
// body's own velocities; `row` has as many entries as it has degrees of freedom.
template <class Row>
void project_on_velocities(Body const& body, Eigen::Vector3d const& direction, Eigen::Vector3d const& moment,
                           Row&& row) {
  switch (body.type) {
    case BodyType::slider:
      row[0] += direction[body.axis];
      break;
    case BodyType::point:
      for (int i = 0; i < body.degrees_of_freedom; ++i) row[i] += direction[i];
      break;
    case BodyType::planar:
      row[0] += direction[0];
      row[1] += direction[1];
      row[2] += moment[2];
      break;
    case BodyType::rigid:
      for (int i = 0; i < 3; ++i) {
        row[i] += direction[i];
        row[i + 3] += moment[i];
      }
      break;
    case BodyType::fixed:
    case BodyType::prescribed:
      break;
  }
}

}  // namespace delassus
