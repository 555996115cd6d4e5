// What a user may name where a command wants a model: an .fmu, a scene file, or one of the examples.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "fmu/model.hpp"

namespace delassus {

struct ModelArgument {
  std::filesystem::path file;
  bool is_fmu = false;
};

// A file is an FMU where it is a zip archive, whatever its name. Throws CommandError where there is neither a
// file nor an example of that name.
ModelArgument find_model(std::string const& argument);

// Throws CommandError for an .fmu, and SceneError.
std::shared_ptr<const Model> read_model(ModelArgument const& argument);

}  // namespace delassus
