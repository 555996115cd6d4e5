// Whether a stepper creates energy. `nonsmooth` should not, and says so where it does. (70) takes gravity, springs,
// gyroscopic torques and the curvature of joints from the start of a step, so that energy may grow without work of an
// input. So it may where a relaxed contact or limit (64) gives way: its stiffness, 1/(A delta^2), changes as bodies turn.
//
// The energy E, kinetic and potential, of one instant is compared with that of the next. What may make it grow:
//
// - Inputs: forces, drives. A step in which one is not zero is not compared, nor is a scene with prescribed motions or
//   belts.
// - Recovery of overlap. From (70), with v the velocity before and v_plus that after a step of h,
//
//     1/2 |v_plus|_M^2 - 1/2 |v|_M^2 = h lambda.J v_plus - h v_mid.Phi - 1/2 |v_plus - v|_M^2.
//
//   A contact that overlaps, Psi < 0, ends with J v_plus = -Psi/h: its force does the work -lambda Psi to part the
//   bodies. That much is wanted, and it is taken off. (Not of joints: their Psi comes of the scheme, and what it
//   costs to close it again is the gain of a short pendulum.) Friction only takes.
//
// So the gain since the balance was lowest is g_k = max(0, g_{k-1} + E_k - E_{k-1} - recovered). For one oscillation of
// frequency omega the scheme is the symplectic Euler method, which keeps m v^2/2 + k x^2/2 - h k x v/2: E rises and falls
// by the share h omega of it and does not drift. The share that is told, a tenth of the largest kinetic energy,
// is that of 63 steps in a period; what drifts exceeds it in time.
//
// Rounding: what is at rest has no kinetic energy to compare with. Gains below a tenth of what forces would give to
// free bodies in the first step, or below 1e-9 of the largest potential energy, are not told: forces are solved to
// 1e-12, and the gap of a body at rest moves by the last digits of its position.
//
// Cost: 1.9 % of the instructions of a step of box_stack (callgrind). Compliant contacts cost more, because their
// potential energy takes another look for contact points.
#pragma once

#include <span>

#include "solver/time/dynamics.hpp"

namespace delassus {

// What is known of the energy; part of the state of a stepper.
struct EnergyWatch {
  bool comparable = false;  // `energy` and what follows it belong to the motion until now
  bool told = false;        // once in a run
  double energy = 0;        // J, at the last look
  double recovered = 0;     // J, since then
  double gained = 0;        // J, since the balance was lowest
  double largest = 0;       // J: what `gained` is compared with

  bool operator==(EnergyWatch const&) const = default;
};

struct EnergyGain {
  double t = 0;       // s; at the end of a step
  double gained = 0;  // J; 0: nothing to tell
  double largest = 0;
  bool diverged = false;  // the gain that was told has grown to many times the energy that was there
};

// Shares of the largest kinetic energy, from which a gain is told: of (70), as above; and of a scheme that keeps energy,
// whose compliant contacts are exact only to the square of the step.
inline constexpr double told_share_of_implicit = 0.1, told_share_of_nonsmooth = 0.01,
                        told_share_of_relaxed = 0.01;

// Whether there is no input now that may do work.
bool is_left_alone(System const& system, Instant const& at);
// At the beginning of a step of h, with the terms at this instant. Answers where a gain is to be told.
EnergyGain look_at_energy(System const& system, Terms const& terms, Instant const& at, double h,
                          double told_share, EnergyWatch& balance);
// For (64), at the start and at the end of each communication step of h without inputs: against the energy at the start, or when an input
// was there last, because what gives way holds energy and gives it back. The start is when nothing overlaps, because to
// part what overlaps is no gain.
EnergyGain look_at_energy_since_start(System const& system, Terms const& terms, Instant const& at, double h,
                                      EnergyWatch& balance);
// After the step, or a part of it, with the same evaluation.
void note_recovery(Dynamics const& dynamics, EnergyWatch& balance);

}  // namespace delassus
