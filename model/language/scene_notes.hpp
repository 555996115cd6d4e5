// What a scene that compiles says, but hardly means: degrees taken for radians, bodies that fall through everything
// because no contact names them, contacts that never act. Each is told once, when the scene is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/scene/scene.hpp"
#include "model/scene/source.hpp"

namespace delassus {

// Each as `file:line: sentence`. `scene` is what `source` compiles to.
std::vector<std::string> scene_notes(SceneSource const& source, Scene const& scene);

// Of an angle or a rotation vector as it is written, where it is more than a full turn: "it is in radians, and 30 rad
// are 1718.9 degrees; if degrees are meant, write 30deg". Empty: nothing to say, as of `720deg`, which is meant.
std::string doubt_about_angle(std::string_view written);

}  // namespace delassus
