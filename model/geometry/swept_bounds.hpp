// The bounding box of the whole way of a moving shape, for the broad phase of continuous collision.
#pragma once

#include "model/geometry/broad_phase.hpp"
#include "model/geometry/time_of_impact.hpp"

namespace delassus {

// Contains the shape, grown by `margin` (m), at every time in [0, duration].
Bounds swept_bounds(MovingShape const& moving, double duration, double margin);

}  // namespace delassus
