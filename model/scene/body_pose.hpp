// The pose and velocity of a body at an instant. Every type of body is treated as a rigid body in space whose velocity is
// restricted. Bodies in the plane have z = 0 and turn about z.
#pragma once

#include <type_traits>

#include "model/geometry/narrow_phase.hpp"
#include "model/geometry/rotation.hpp"
#include "model/scene/instant.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

template <class Scalar>
struct BodyPoseOf {
  TwistOf<Scalar> twist;  // its origin is the centre of mass
  Matrix3<Scalar> R = Matrix3<Scalar>::Identity();
  TwistOf<Scalar> surface;  // velocity of the surface at contacts: that of the body, unless it is a belt
  Scalar angle = 0;         // rad, in the plane; may exceed a full turn
  Vector3<Scalar> center_of_mass = Vector3<Scalar>::Zero();  // in the body's frame

  Vector3<Scalar> point(Vector3<Scalar> const& in_body) const {
    return twist.origin + R * (in_body - center_of_mass);
  }
};
using BodyPose = BodyPoseOf<double>;

// A number of the parameter array.
template <class Scalar>
Scalar number_parameter(std::span<const Scalar> parameter, int index) {
  return parameter[static_cast<std::size_t>(index)];
}

// Vectors from the parameter array. In the plane the third component is 0.
template <class Scalar>
Vector3<Scalar> vector_parameter(std::span<const Scalar> parameter, int index, int size);

// A rotation parameter: an angle in the plane, a rotation vector in space.
template <class Scalar>
Matrix3<Scalar> rotation_parameter(Scene const& scene, std::span<const Scalar> parameter, int index);

template <class Scalar>
BodyPoseOf<Scalar> pose_of(Scene const& scene, int body,
                           InstantOf<Scalar> const& at);  // `body` may be ground_body

// The initial pose, from the parameters.
template <class Scalar>
BodyPoseOf<Scalar> initial_pose(Scene const& scene, int body, std::span<const Scalar> parameter,
                                std::span<const Scalar> input);

// A point in the frame of its body.
template <class Scalar>
Vector3<Scalar> point_in_body(Scene const& scene, PointReference const& point,
                              std::span<const Scalar> parameter);

// The initial distance between two points.
template <class Scalar>
Scalar initial_distance(Scene const& scene, PointReference const& a, PointReference const& b,
                        std::span<const Scalar> parameter, std::span<const Scalar> input);

// The moments of inertia of a rigid body about its centre of mass, in its own frame.
template <class Scalar>
Matrix3<Scalar> inertia_parameter(std::span<const Scalar> parameter, int index);

// Writes the row of J for a unit force along `direction` at the centre of mass and a unit torque along `moment`. `row` has one
// entry for each degree of freedom of the body.
template <class Row, class Scalar = typename std::remove_reference_t<Row>::Scalar>
void project_on_velocities(Body const& body, Vector3<std::type_identity_t<Scalar>> const& direction,
                           Vector3<std::type_identity_t<Scalar>> const& moment, Row&& row) {
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
