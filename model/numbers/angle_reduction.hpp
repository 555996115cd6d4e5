// An angle, less its quarter turns.
#pragma once

#include "model/numbers/double_double.hpp"

namespace delassus {

struct ReducedAngle {
  unsigned quadrant;  // number of quarter turns, modulo 4
  DoubleDouble rest;  // rad, between -pi/4 and pi/4 up to rounding; relative error below 2^-68
};

// Of a finite x >= 0.
ReducedAngle reduced_angle(double x);

}  // namespace delassus
