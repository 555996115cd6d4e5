// Forces and torques of contacts and joints along the axes of the world, at an instant.
#pragma once

#include "fmu/table/outputs.hpp"

namespace delassus {

template <class Scalar>
struct WrenchOf {
  Vector3<Scalar> force = Vector3<Scalar>::Zero(), torque = Vector3<Scalar>::Zero();
};

// All points of a contact together: on its body b, the torque about the origin of that body's frame.
template <class AnyObservation>
WrenchOf<typename AnyObservation::Scalar> observe_contact_wrench(AnyObservation const& observation,
                                                                 int contact);
// All points of a group together: on the bodies that move, about the origin of the world. Two bodies that both move
// exert opposite forces on each other at one place, so that their pairs add nothing.
template <class AnyObservation>
WrenchOf<typename AnyObservation::Scalar> observe_group_wrench(AnyObservation const& observation, int group);

// What a joint exerts on its body a, the torque about its point there: all that it does, and the part of its stops.
template <class Scalar>
struct JointObservationOf {
  WrenchOf<Scalar> whole, stops;
};
template <class AnyObservation>
JointObservationOf<typename AnyObservation::Scalar> observe_joint(AnyObservation const& observation,
                                                                  std::size_t joint);
// The force or torque of the stops of a joint along its free coordinate.
template <class AnyObservation>
typename AnyObservation::Scalar stop_force(AnyObservation const& observation, std::size_t joint);

// What a spring with its damper exerts: along the line from b to a, or about its axis; positive pushes apart or turns a
// on. And the same as a vector on a.
template <class Scalar>
struct SpringObservationOf {
  Scalar size = 0;
  Vector3<Scalar> on_a = Vector3<Scalar>::Zero();
};
template <class AnyObservation>
SpringObservationOf<typename AnyObservation::Scalar> observe_spring(AnyObservation const& observation,
                                                                    std::size_t spring);

// The force of a block on the body of a mass block, whose first velocities are those of its centre of mass.
template <class AnyObservation>
Vector3<typename AnyObservation::Scalar> force_on_mass(AnyObservation const& observation,
                                                       BlockIdentity identity, int mass);

}  // namespace delassus
