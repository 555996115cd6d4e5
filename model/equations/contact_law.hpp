// Laws of friction and of compliant contact whose force, or bound on a force, depends only on the motion.
#pragma once

#include <Eigen/Core>
#include <span>

#include "model/geometry/dual.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

// The bound of dry friction (a coefficient, or a force) at the slip speed v:
//
//   (k + (s - k) exp(-(v / v_s)^2)) / (1 + c v)
//
// with kinetic k, static s, Stribeck velocity v_s and weakening c. The first factor is the usual Stribeck
// curve without its viscous part; the second is the law of Oprea's two blocks, (21b), with c = 3 s/m.
template <class Scalar>
Scalar friction_bound(FrictionParameters const& law, std::span<const Scalar> parameter, Scalar speed);

// Normal force of a compliant contact that is pressed in by x > 0 with the rate xdot (Song et al. 2001):
//   Kelvin-Voigt   K x + C xdot                        (10)
//   Hunt-Crossley  K x^beta (1 + 3/2 alpha xdot)       (11)
// The force never pulls: adhesion would be another law.
template <class Scalar>
Scalar compliant_normal_force(ContactParameters const& law, std::span<const Scalar> parameter, Scalar x,
                              Scalar xdot);

// The energy stored in its spring, J.
template <class Scalar>
Scalar compliant_energy(ContactParameters const& law, std::span<const Scalar> parameter, Scalar x);

// The mean normal force over a step of h seconds, in which the contact goes from x_0 to x_1: that of the spring
// does the work of its energy V, (V(x_1) - V(x_0))/(x_1 - x_0), that of the damper acts while the contact is
// pressed in. It may pull, which a contact does not.
template <class Scalar>
Scalar compliant_force_over_step(ContactParameters const& law, std::span<const Scalar> parameter, Scalar x_0,
                                 Scalar x_1, double h);

// Smooth friction (42): the tangential force for a unit normal force, -mu tanh(|v|/gamma) v/|v|.
template <class Scalar>
Vector2<Scalar> smooth_friction(ContactParameters const& law, std::span<const Scalar> parameter,
                                Vector2<Scalar> const& velocity);

// Tangential compliance (14)-(18). First the contact is assumed to stick: the deflection follows the motion,
// deflection' = -v, and force = K deflection + C deflection'. If that force exceeds the friction bound, the
// contact slips: the force has the size of the bound in that direction, and the damper relaxes the
// deflection, deflection' = (force - K deflection)/C.
template <class Scalar>
struct CompliantFrictionOf {
  Vector2<Scalar> force, deflection_rate;
  bool sticks = false;
  Scalar spare = 0;  // N: the bound less the force that sticking takes
};
using CompliantFriction = CompliantFrictionOf<double>;
template <class Scalar>
CompliantFrictionOf<Scalar> compliant_friction(ContactParameters const& law,
                                               std::span<const Scalar> parameter, Scalar normal_force,
                                               Vector2<Scalar> const& velocity,
                                               Vector2<Scalar> const& deflection);

// The same over a step of h seconds that moves the contact by d, with F the force of spring and damper at its end:
//
//   F = P(w - D d),  D = K + C/h,  w = K deflection,  P: the nearest force within the bound
//   deflection_end = deflection + (F - w)/D
//   mean force = F - phi K/(2 D) (F - P(w)),  phi = |F - w|/|D d|: the share of the way on which it sticks
//
// While it sticks, the mean force does the work of the spring and of its damper, so that a swing keeps its energy. While
// it slips, deflection_end follows the bound without swinging, however stiff the spring is. No step creates energy: with
// beta = K/(2 D) <= 1/2, the work on the bodies and in the spring is, times D, at most
//
//   -F.(w - D d - F) - (1 - 2 beta) |F - w|^2 <= 0
template <class Scalar>
struct CompliantFrictionStepOf {
  Scalar stiffness = 0;             // D, N/m
  Scalar share = 1;                 // of F in the mean force, 1 - phi K/(2 D)
  Scalar bound = 0;                 // N
  Vector2<Scalar> at_start, given;  // w, and the rest of the mean force, N
  Vector2<Scalar> at_end(Vector2<Scalar> const& d) const;
  Vector2<Scalar> mean(Vector2<Scalar> const& d) const { return given + share * at_end(d); }
  Vector2<Scalar> change(Vector2<Scalar> const& d) const { return (at_end(d) - at_start) / stiffness; }
};
template <class Scalar>
CompliantFrictionStepOf<Scalar> compliant_friction_over_step(ContactParameters const& law,
                                                             std::span<const Scalar> parameter,
                                                             Scalar normal_force,
                                                             Vector2<Scalar> const& velocity,
                                                             Vector2<Scalar> const& deflection, double h);

}  // namespace delassus
