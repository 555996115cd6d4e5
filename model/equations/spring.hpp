// Springs: the length at which one is free.
#pragma once

#include <span>

#include "model/scene/scene.hpp"

namespace delassus {

// The given length, or that of the start.
template <class Scalar>
Scalar rest_length(Scene const& scene, Spring const& spring, std::span<const Scalar> parameter,
                   std::span<const Scalar> input);

}  // namespace delassus
