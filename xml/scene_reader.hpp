// Scenes from XML text. The words of the language are checked by compile_scene, against model/vocabulary.hpp.
#pragma once

#include <filesystem>
#include <string>

#include "model/scene.hpp"
#include "model/scene_source.hpp"

namespace delassus {

// `file_name` is for messages alone. Throws SceneError.
SceneSource read_scene_source(std::string const& text, std::string const& file_name);

// Reads and compiles. Throws SceneError; a file that cannot be opened is one as well.
Scene read_scene_file(std::filesystem::path const& file);

}  // namespace delassus
