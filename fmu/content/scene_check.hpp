// Whether a scene that was read from bytes is one that the compiler could have made. Everything in it that counts,
// points at something or chooses something is checked; the rooms behind it take that for granted, as a scene is
// "checked and immutable" (model/scene/scene.hpp).
#pragma once

#include "model/scene/scene.hpp"

namespace delassus {

void check_scene(Scene const& scene);  // throws std::runtime_error with element and reason

}  // namespace delassus
