// Scenes and controllers from XML text. The words of the language are checked by compile_scene and compile_controller, against
// model/language/vocabulary.hpp.
#pragma once

#include <filesystem>
#include <string>

#include "model/control/controller.hpp"
#include "model/scene/scene.hpp"
#include "model/scene/source.hpp"

namespace delassus {

// `file_name` is for messages alone. Throws SceneError.
SceneSource read_scene_source(std::string const& text, std::string const& file_name);

// Whatever its root is. A file that cannot be opened is a SceneError as well.
SceneSource read_source_file(std::filesystem::path const& file);

// Read and compile. Throw SceneError.
Scene read_scene_file(std::filesystem::path const& file);
Controller read_controller_file(std::filesystem::path const& file);

}  // namespace delassus
