#include "tools/package/model_argument.hpp"

#include <fmt/format.h>

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "model/control/controller_notes.hpp"
#include "model/language/scene_notes.hpp"
#include "model/language/vocabulary.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/standard_streams.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/scene/reader.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {

ModelArgument find_model(std::string const& argument) {
  if (argument == "-") return {"/dev/stdin", false};
  std::filesystem::path const file = argument;
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw CommandError(
        ExitCode::usage,
        fmt::format(
            "{} is a folder; an .fmu, a scene or controller file, or the name of an example is needed",
            argument));
  }
  if (std::filesystem::exists(file, error)) {
    bool const is_fmu = file.extension() == ".fmu" || is_zip(file);
    if (!is_fmu && file.extension() == ".csv")
      throw CommandError(ExitCode::usage,
                         fmt::format("{0} is a table of rows (CSV), such as the results of a run; an .fmu, a "
                                     "scene or controller file, or the name of an example is needed here. "
                                     "`delassus report {0} -o page.html` shows it",
                                     argument));
    return {file, is_fmu};
  }
  if (argument.find('/') != std::string::npos || file.has_extension()) {
    throw CommandError(ExitCode::usage, fmt::format("cannot read {}: No such file or directory", argument));
  }
  auto known = examples();
  for (auto const& controller : controller_examples()) known.push_back(controller);
  std::vector<std::string_view> names;
  for (auto const& example : known) {
    if (example.name == argument) return {example.file, false};
    names.push_back(example.name);
  }
  auto const systems = system_examples();
  if (std::ranges::any_of(systems, [&](Example const& each) { return each.name == argument; })) {
    throw CommandError(ExitCode::usage,
                       fmt::format("{0} is a system of several components, which `delassus cosim {0}` runs; "
                                   "a scene, a controller or an .fmu is needed here",
                                   argument));
  }
  auto const near = did_you_mean(argument, names);
  throw CommandError(ExitCode::usage, fmt::format("'{}' is neither a file nor an example{}", argument,
                                                  near ? fmt::format("; did you mean '{}'?", *near)
                                                       : "; `delassus examples` lists the examples"));
}

std::string kind_of_model(std::string const& argument) {
  try {
    ModelArgument const found = find_model(argument);
    if (found.is_fmu) return "an FMU";
    std::string const root = read_source_file(found.file).root.name;
    return root == "scene" ? "a scene" : root == "controller" ? "a controller" : "";
  } catch (std::exception const&) {
    return "";  // the command says what it cannot read
  }
}

std::shared_ptr<const Model> read_model(ModelArgument const& argument, std::vector<std::string>* notes) {
  if (argument.is_fmu) {
    throw CommandError(ExitCode::usage,
                       fmt::format("{} is an FMU; a scene file or the name of an example is needed",
                                   argument.file.string()));
  }
  SceneSource const source = read_source_file(argument.file);
  if (source.root.name == "controller") {
    auto controller = std::make_shared<const ControllerModel>(compile_controller(source));
    if (notes) *notes = controller_notes(source, controller->controller());
    return controller;
  }
  if (source.root.name.ends_with("SystemStructureDescription")) {
    throw CommandError(ExitCode::usage,
                       fmt::format("{0} is a system of several components, which `delassus cosim {0}` runs; "
                                   "a scene, a controller or an .fmu is needed here",
                                   argument.file.string()));
  }
  auto scene = std::make_shared<const SceneModel>(compile_scene(source));
  if (notes) *notes = scene_notes(source, scene->scene());
  return scene;
}

std::shared_ptr<const SceneModel> read_scene_model(ModelArgument const& argument,
                                                   std::vector<std::string>* notes) {
  if (auto const scene = std::dynamic_pointer_cast<const SceneModel>(read_model(argument, notes)))
    return scene;
  throw CommandError(
      ExitCode::usage,
      fmt::format("{} is a controller; a scene is needed, since it is contacts that are looked at",
                  argument.file.string()));
}

void print_notes(std::vector<std::string> const& notes) {
  for (auto const& note : notes) print_message("note: {}\n", printable_text(note));
}

}  // namespace delassus
