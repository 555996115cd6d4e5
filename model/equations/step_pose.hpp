// A body over a step of h seconds, from a pose at its start to one at its end.
//
// Rotations go by Cayley's formula, R_1 = cay(h w) R_0 with cay(x) = (1 - x^/2)^-1 (1 + x^/2), x^ y = x cross y:
// then every vector r fixed in the body moves by
//
//   r_1 - r_0 = h w cross (r_0 + r_1)/2,
//
// so that with the averages of positions and rotations a product of such vectors, which most constraints are,
// changes over the step by exactly what its row says. The average rotation R = (R_0 + R_1)/2 is no rotation,
// but R^T w = R_0^T w = R_1^T w =: W. Angular momentum then changes by
//
//   R_1 I O_1 - R_0 I O_0 = R (I (O_1 - O_0) + h W cross I (O_0 + O_1)/2),    O = omega in the body's axes,
//
// and with W = (O_0 + O_1)/2 its product with w is the change of the kinetic energy. In terms of w it reads
//
//   2 R I R^T (w - w_0) = h (torque - R (W cross I W)),   w_0 = R^-T O_0
//
// With W = O_0 + theta (O_1 - O_0) the factor 2 becomes 1/theta, and the gyroscopic torque W cross I (O_0 + O_1)/2.
//
// (An energy- and momentum-conserving scheme as those of Simo and Wong 1991). In the plane cay is a turn by
// 2 atan(h omega/2): the angle of a body falls behind its spin by omega^3 h^2/12 in a second.
//
// A body that spins, with no force beside its centre of mass, has no such vector r to care for, and turns by what it
// should, h |A|, A = R (O_0 + O_1)/2. Then w = f A with f = tan(h |A|/2)/(h |A|/2), and
//
//   2 R I R^T (A - w_0) = h (torque - R (f W cross I W)),   W = R^T A:
//
// angular momentum still changes by the torque, and kinetic energy by its product with A, the angle.
#pragma once

#include "model/scene/body_pose.hpp"

namespace delassus {

// The average of both poses. Its twist is that at the start, omega as w_0 above: in the plane as it is.
template <class Scalar>
BodyPoseOf<Scalar> average_pose(BodyPoseOf<Scalar> const& start, BodyPoseOf<Scalar> const& end,
                                int dimension);

// The velocity over the step: what the origin moves in a second, and w; of a body that spins, A, in the plane by more
// than a turn as well.
template <class Scalar>
TwistOf<Scalar> twist_over_step(BodyPoseOf<Scalar> const& start, BodyPoseOf<Scalar> const& end, double h,
                                int dimension, bool spins);

// f for a turn by so many rad.
template <class Scalar>
Scalar turn_by_cayley(Scalar const& turn);

}  // namespace delassus
