// An instant of a motion: time, state, inputs and parameters.
#pragma once

#include <span>

namespace delassus {

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
};
using Instant = InstantOf<double>;

}  // namespace delassus
