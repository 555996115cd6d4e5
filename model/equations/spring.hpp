// The length at which a spring is relaxed.
#pragma once

#include <span>

#include "model/scene/scene.hpp"

namespace delassus {

// The given length, or the initial distance.
template <class Scalar>
Scalar rest_length(Scene const& scene, Spring const& spring, std::span<const Scalar> parameter,
                   std::span<const Scalar> input);

}  // namespace delassus
