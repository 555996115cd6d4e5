// The laws of friction and of compliant contact that give a force, or the bound of one, from motion alone.
#pragma once

#include <Eigen/Core>
#include <span>

#include "model/scene.hpp"

namespace delassus {

// The bound of dry friction (a coefficient, or a force) at the slip speed v:
//
//   (k + (s - k) exp(-(v / v_s)^2)) / (1 + c v)
//
// with kinetic k, static s, Stribeck velocity v_s and weakening c. The first factor is the usual Stribeck
// curve without its viscous part; the second is the law of Oprea's two blocks, (21b), with c = 3 s/m.
double friction_bound(FrictionParameters const& law, std::span<const double> parameter, double speed);

// Normal force of a compliant contact that is pressed in by x > 0 with the rate xdot (Song et al. 2001):
//   Kelvin-Voigt   K x + C xdot                        (10)
//   Hunt-Crossley  K x^beta (1 + 3/2 alpha xdot)       (11)
// and never a pull: what sticks is another law.
double compliant_normal_force(ContactParameters const& law, std::span<const double> parameter, double x,
                              double xdot);

// The energy that its spring holds, J.
double compliant_energy(ContactParameters const& law, std::span<const double> parameter, double x);

// Smooth friction (42): the tangential force for the unit normal force, -mu tanh(|v|/gamma) v/|v|.
Eigen::Vector2d smooth_friction(ContactParameters const& law, std::span<const double> parameter,
                                Eigen::Vector2d const& velocity);

// Tangential compliance (14)-(18): the contact first is taken to stick, its deflection following the motion,
// deflection' = -v and force = K deflection + C deflection'; where that force is beyond the friction bound it
// slips: the force is the bound in that direction, and the deflection relaxes by the damper, deflection' =
// (force - K deflection)/C.
struct CompliantFriction {
  Eigen::Vector2d force, deflection_rate;
  bool sticks = false;
};
CompliantFriction compliant_friction(ContactParameters const& law, std::span<const double> parameter,
                                     double normal_force, Eigen::Vector2d const& velocity,
                                     Eigen::Vector2d const& deflection);

}  // namespace delassus
