// The size of what moves in a scene, which lengths that are to be small are shares of.
//
// It is the reach of the smallest body that moves: of a shape from its centre, or of a point from the origin of its body. A scene of
// point masses has the size of its extent, the largest distance of a body from the origin at the start. Positions are
// rounded to 1e-16 of the extent, so that a grain far from the origin counts as at least 1e-5 of it: the smallest length
// that is told apart, 1e-9 of the scale, is then a hundred times the rounding.
#pragma once

#include <span>

#include "model/scene/scene.hpp"

namespace delassus {

// m, > 0
double length_scale(Scene const& scene, std::span<const double> parameter);

}  // namespace delassus
