// What a controller that compiles says, but hardly means: degrees taken for radians.
#pragma once

#include <string>
#include <vector>

#include "model/control/controller.hpp"

namespace delassus {

// Each as `file:line: sentence`. `controller` is what `source` compiles to.
std::vector<std::string> controller_notes(SceneSource const& source, Controller const& controller);

}  // namespace delassus
