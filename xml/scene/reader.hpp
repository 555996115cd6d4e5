// Reads scenes and controllers from XML text. compile_scene and compile_controller check the words against
// model/language/vocabulary.hpp.
#pragma once

#include <filesystem>
#include <string>

#include "model/control/controller.hpp"
#include "model/scene/scene.hpp"
#include "model/scene/source.hpp"

namespace delassus {

// `file_name` is only for messages. Throws SceneError.
SceneSource read_scene_source(std::string const& text, std::string const& file_name);

// Accepts any root element. A file that cannot be opened is a SceneError, too.
SceneSource read_source_file(std::filesystem::path const& file);

// Read and compile. Throw SceneError.
Scene read_scene_file(std::filesystem::path const& file);
Controller read_controller_file(std::filesystem::path const& file);

}  // namespace delassus
