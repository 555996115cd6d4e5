// Compiled scenes and controllers as they lie in resources/ of an FMU, with a seal that fits: read and run for a few steps.
#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/model_run.hpp"
#include "tests/fuzz/sealed_mutation.hpp"
#include "xml/scene/reader.hpp"

using namespace delassus;

namespace {

// Beyond that, a step takes long without showing more.
constexpr std::size_t most_bodies = 20, most_shapes = 40, most_elements = 40;

bool is_small(Scene const& scene) {
  return scene.bodies.size() <= most_bodies && scene.shapes.size() <= most_shapes &&
         scene.contacts.size() + scene.groups.size() + scene.joints.size() + scene.springs.size() <=
             most_elements;
}

std::shared_ptr<const Model> read(std::string_view bytes) {
  if (bytes.starts_with("DELCONTR")) return std::make_shared<ControllerModel>(read_controller_archive(bytes));
  Scene const scene = read_scene_archive(bytes);
  return is_small(scene) ? std::make_shared<SceneModel>(scene) : nullptr;
}

}  // namespace

fuzz::Seeds fuzz::seeds() {
  Seeds all;
  for (char const* name :
       {"painleve_rod", "belt_blocks", "bouncing_ball", "gripper", "pendulum", "skate", "rolling_ball",
        "sliding_block", "song_rod", "planar_friction", "spinning_top", "box_on_edge"}) {
    all[name] = write_scene_archive(read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml"));
  }
  for (char const* name : {"position_pid", "gripper_force", "balance", "disturbance"}) {
    all[name] = write_controller_archive(
        read_controller_file(std::string(DELASSUS_CONTROLLERS_DIR) + "/" + name + ".xml"));
  }
  return all;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutate_sealed(data, size, most, seed, 0);
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::shared_ptr<const Model> model;
  try {
    model = read(fuzz::text_of(data, size));
  } catch (std::runtime_error const&) {
    return 0;
  }
  if (model) fuzz::run_model(model);
  return 0;
}
