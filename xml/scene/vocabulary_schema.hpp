// Writes the XSD of the scene language from the vocabulary. Editors use it to complete and check scenes.
#pragma once

#include <string>

namespace delassus {

std::string write_scene_schema();

}  // namespace delassus
