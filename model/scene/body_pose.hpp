// Where a body is and how it moves at an instant, whatever its kind: every kind is a rigid body in space
// whose velocity is restricted. Bodies in the plane have z = 0 and turn about z.
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
  TwistOf<Scalar> surface;  // how its surface moves where it has contacts: with the body, unless it is a belt
  Scalar angle = 0;         // rad, in the plane: not reduced to a turn
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

// Numbers of the parameter array as vectors; a plane's two numbers get a third, 0.
template <class Scalar>
Vector3<Scalar> vector_parameter(std::span<const Scalar> parameter, int index, int size);

// A rotation parameter: an angle in the plane, a rotation vector in space.
template <class Scalar>
Matrix3<Scalar> rotation_parameter(Scene const& scene, std::span<const Scalar> parameter, int index);

template <class Scalar>
BodyPoseOf<Scalar> pose_of(Scene const& scene, int body,
                           InstantOf<Scalar> const& at);  // `body` may be ground_body

// The pose that the parameters ask for at the start.
template <class Scalar>
BodyPoseOf<Scalar> initial_pose(Scene const& scene, int body, std::span<const Scalar> parameter,
                                std::span<const Scalar> input);

// A point in the frame of its body.
template <class Scalar>
Vector3<Scalar> point_in_body(Scene const& scene, PointReference const& point,
                              std::span<const Scalar> parameter);

// The distance of two points at the start.
template <class Scalar>
Scalar initial_distance(Scene const& scene, PointReference const& a, PointReference const& b,
                        std::span<const Scalar> parameter, std::span<const Scalar> input);

// The moments of inertia of a rigid body about its centre of mass, in its own frame.
template <class Scalar>
Matrix3<Scalar> inertia_parameter(std::span<const Scalar> parameter, int index);

// The row of J for the unit force `direction` at the centre of mass and the unit torque `moment` over the
// body's own velocities; `row` has as many entries as it has degrees of freedom.
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
