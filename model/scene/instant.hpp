// An instant of a motion: time, state, inputs and parameters.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace delassus {

// Names a block of constraint rows (model/equations/system.hpp); it stays the same over time.
using BlockIdentity = std::uint64_t;

// The force of a block, to be found again at the next instant, when other blocks may be there.
struct BlockForce {
  BlockIdentity identity = 0;
  std::array<double, 3> lambda = {};  // the leading rows count, the rest is zero

  bool operator==(BlockForce const&) const = default;
};

// Contacts that an impact law opens and closes: none, those with a coefficient of restitution, all.
enum class ImpactScope { none, with_restitution, all };

// The instant at which terms are evaluated. The caller owns the arrays.
template <class Scalar>
struct InstantOf {
  double t = 0;                   // s
  std::span<const Scalar> q;      // configuration
  std::span<const Scalar> v;      // velocity
  std::span<const Scalar> input;  // u: external forces and torques, prescribed velocities
  std::span<const Scalar> parameter;
  double step = 0;  // s: step of a fixed-step scheme, which replaces delta; otherwise 0. A contact is
                    // left out if it is too far apart to matter within the longer of step and delta.

  // The configuration at the end of a step that begins here. Terms are then those of the step: see
  // System::evaluate. Empty: terms are those of the instant.
  std::span<const Scalar> q_end = {};

  // Which contacts carry force only while they are closed, by an impact law; the identities of the closed
  // ones, rising. What closes and opens them is the stepper's affair.
  ImpactScope impacts = ImpactScope::none;
  std::span<const BlockIdentity> closed = {};

  // Whether contacts are left out that would close where a corner has left its face by then (Dynamics::evaluate).
  bool corners_part = false;

  // Of a step with q_end: the velocity over it is v_start + theta (v_end - v_start). 1/2 conserves energy, 1 takes
  // some wherever velocities change.
  double theta = 0.5;
  // The same, by mass block: not zero for a body whose velocity over the step is its mean angular velocity (step_pose.hpp).
  // Empty: none.
  std::span<const char> spins = {};
  // The same: forces over it as the last estimate has them, by rising identity.
  std::span<const BlockForce> forces = {};
};
using Instant = InstantOf<double>;

}  // namespace delassus
