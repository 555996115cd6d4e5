// Continuous collision: when two moving shapes touch for the first time, so that nothing passes through
// anything between two instants. Every answer is conservative: it may be early by a share of the tolerance,
// never late.
#pragma once

#include <optional>

#include "model/geometry/narrow_phase.hpp"
#include "model/geometry/shape.hpp"

namespace delassus {

// A shape on a body that moves with constant velocity and constant angular velocity. The twist is that of the
// body, with the centre of mass as its origin (of a belt, not the twist of its surface); the shape may lie
// anywhere on the body.
struct MovingShape {
  ShapeGeometry shape;
  ShapePose pose;
  Twist twist;
};

// The same after a time: the centre of mass moves by velocity times time, the body turns by exp(omega time).
MovingShape advanced(MovingShape const& from, double time);

// m/s, an upper bound of the speed at which the shapes approach each other along the unit vector n, from a to
// b, during the next `horizon` seconds. It is negative if they surely separate. n stays fixed in the world
// unless one of the shapes is a plane: then n is the normal of the plane, which turns with it.
double closing_bound(MovingShape const& a, MovingShape const& b, Eigen::Vector3d const& n, int dimension,
                     double horizon);

// s, at most `horizon`: until then the gap stays above `level` (m). Zero if the gap is not above it now.
// `nearest` are the nearest points at present (nearest_points).
double safe_time(MovingShape const& a, MovingShape const& b, ContactPoint const& nearest, int dimension,
                 double level, double horizon);

struct Impact {
  double time = 0;      // s
  ContactPoint at;      // the nearest points at this time
  bool located = true;  // false: the shapes are apart until this time, and so near or so fast afterwards that
                        // the search ended at its limit of iterations; search again from here
};

// The first time in [0, duration] at which the gap falls to the tolerance (m), none if it does not. At that
// time the gap is between 7/8 of the tolerance and the tolerance, and it was never smaller before.
//
// Shapes that touch at the start (gap <= tolerance) have their impact at time 0 if one of their contact
// points closes so fast that it would sink by 1/8 of the tolerance within the duration. Otherwise the gap has
// to rise to 9/8 of the tolerance first, or to fall by 3/8 of the tolerance below its first value: shapes
// that rest, slide or roll on each other, or just separate, have no impact.
//
// The tolerance should exceed the rounding errors of positions, about 1e-15 times their size, by a factor of
// 100.
std::optional<Impact> time_of_impact(MovingShape const& a, MovingShape const& b, int dimension,
                                     double duration, double tolerance);

// The first time in [0, duration] at which the gap falls below level + band (m), none if it does not; it never was
// below `level` before. A negative level is a depth.
std::optional<Impact> time_to_level(MovingShape const& a, MovingShape const& b, int dimension,
                                    double duration, double level, double band);

}  // namespace delassus
