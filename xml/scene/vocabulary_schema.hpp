// The XSD of the scene language, written from the vocabulary: editors complete and check scenes with it.
#pragma once

#include <string>

namespace delassus {

std::string write_scene_schema();

}  // namespace delassus
