// Scenes and controllers as text: read, compiled, packed, described and run for a few steps.
#include <cstdlib>

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "model/language/scene_notes.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/model_run.hpp"
#include "tools/import/package_description.hpp"
#include "xml/fmi/description_writer.hpp"
#include "xml/scene/reader.hpp"

using namespace delassus;

namespace {

// A lattice makes many bodies of few bytes.
constexpr double most_copies = 20;

double copies_in(SourceElement const& element) {
  double copies = 1;
  for (SourceAttribute const& attribute : element.attributes) {
    if (attribute.name != "count") continue;
    char* end = nullptr;
    for (char const* at = attribute.value.c_str();; at = end) {
      double const number = std::strtod(at, &end);
      if (end == at) break;
      copies *= number > 1 ? number : 1;
    }
  }
  double most = copies;
  for (SourceElement const& child : element.children) most = std::max(most, copies_in(child));
  return most;
}

std::shared_ptr<const Model> compile(std::string const& text) {
  SceneSource const source = read_scene_source(text, "fuzzed.xml");
  if (copies_in(source.root) > most_copies) return nullptr;
  if (source.root.name == "controller") return std::make_shared<ControllerModel>(compile_controller(source));
  Scene const scene = compile_scene(source);
  scene_notes(source, scene);
  return std::make_shared<SceneModel>(scene);
}

}  // namespace

fuzz::Seeds fuzz::seeds() {
  Seeds all = files_of(DELASSUS_SCENES_DIR, ".xml");
  all.merge(files_of(DELASSUS_CONTROLLERS_DIR, ".xml"));
  std::erase_if(all, [](auto const& seed) { return seed.second.size() > 2500; });
  return all;
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::shared_ptr<const Model> model;
  try {
    model = compile(std::string(fuzz::text_of(data, size)));
  } catch (SceneError const&) {
    return 0;
  }
  if (!model) return 0;
  for (int const version : {2, 3}) write_model_description(package_description(*model, version));
  fuzz::run_model(model);
  return 0;
}
