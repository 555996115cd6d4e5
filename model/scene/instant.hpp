// An instant of a motion: time, state, inputs and parameters.
#pragma once

#include <span>

namespace delassus {

// Where the terms are to be evaluated. The spans live in the caller.
template <class Scalar>
struct InstantOf {
  double t = 0;                   // s
  std::span<const Scalar> q;      // configuration
  std::span<const Scalar> v;      // velocity
  std::span<const Scalar> input;  // u: external forces and torques, prescribed velocities
  std::span<const Scalar> parameter;
  double step =
      0;  // s: of the scheme that asks, where it replaces delta by its step; else 0. A contact is left
          // out where it is too far to matter within the longer of both.
};
using Instant = InstantOf<double>;

}  // namespace delassus
