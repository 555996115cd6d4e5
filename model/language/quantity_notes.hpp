// Values of a scene that no material and no body has: mostly another unit than SI, or an angle for a number.
#pragma once

#include <functional>
#include <string>

#include "model/scene/scene.hpp"
#include "model/scene/source.hpp"

namespace delassus {

// Calls `note` with the line of the element and a sentence. `scene` is what `source` compiles to.
void note_quantities(SceneSource const& source, Scene const& scene,
                     std::function<void(int line, std::string const& text)> const& note);

}  // namespace delassus
