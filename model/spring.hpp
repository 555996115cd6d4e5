// Springs: the length at which one is free.
#pragma once

#include <span>

#include "model/scene.hpp"

namespace delassus {

// The given length, or that of the start.
double rest_length(Scene const& scene, Spring const& spring, std::span<const double> parameter,
                   std::span<const double> input);

}  // namespace delassus
