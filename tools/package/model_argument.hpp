// What a user may name where a command wants a model: an .fmu, a scene or controller file, or one of the examples.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

class Model;
class SceneModel;

struct ModelArgument {
  std::filesystem::path file;
  bool is_fmu = false;
};

// A file is an FMU where it is a zip archive, whatever its name; `-` is what standard input gives. Throws CommandError where there is neither a
// file nor an example of that name.
ModelArgument find_model(std::string const& argument);

// `a scene`, `a controller` or `an FMU`, for commands that take something else; empty where it is none of them. Does
// not throw.
std::string kind_of_model(std::string const& argument);

// Of the kind that the root element of the file names. `notes` gets what a scene says but hardly means
// (model/language/scene_notes.hpp). Throws CommandError for an .fmu, and SceneError.
std::shared_ptr<const Model> read_model(ModelArgument const& argument,
                                        std::vector<std::string>* notes = nullptr);

// Throws CommandError for a controller as well.
std::shared_ptr<const SceneModel> read_scene_model(ModelArgument const& argument,
                                                   std::vector<std::string>* notes = nullptr);
// On standard error.
void print_notes(std::vector<std::string> const& notes);

}  // namespace delassus
