#include "tests/fuzz/fmi_examples.hpp"

#include <fstream>

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "tools/support/temporary_folder.hpp"
#include "xml/scene/reader.hpp"

namespace delassus::fuzz {
namespace {

constexpr char ball_with_clock[] = R"(<scene name="clocked" dimension="2"><gravity acceleration="0 -9.81"/>
<solver stepper="nonsmooth" step="1e-3"/><interface event_clock="yes" feedthrough="no" integers="yes" analysis="yes"/>
<body name="ball" type="planar" mass="1"><sphere radius="0.1"/><initial position="0 0.101" velocity="1 -1"/></body>
<contact name="floor" point="ball" mu="0.4" restitution="0.5"/><force name="push" point="ball"/></scene>)";
constexpr char implicit_block[] = R"(<scene name="implicit" dimension="2"><gravity acceleration="0 -9.81"/>
<solver stepper="implicit" step="1e-3"/><body name="block" type="point" mass="1"><initial position="0 0" velocity="1 0"/></body>
<contact name="floor" point="block" mu="0.4"/><force name="push" point="block"/></scene>)";

std::vector<FmiExample> make_examples() {
  std::vector<std::shared_ptr<const Model>> models;
  for (char const* name : {"painleve_rod", "belt_blocks", "bouncing_ball", "gripper", "rolling_ball"}) {
    models.push_back(std::make_shared<SceneModel>(
        read_scene_file(std::string(DELASSUS_SCENES_DIR) + "/" + name + ".xml")));
  }
  for (char const* text : {ball_with_clock, implicit_block})
    models.push_back(std::make_shared<SceneModel>(compile_scene(read_scene_source(text, "example.xml"))));
  for (char const* name : {"position_pid", "gripper_force"}) {
    models.push_back(std::make_shared<ControllerModel>(
        read_controller_file(std::string(DELASSUS_CONTROLLERS_DIR) + "/" + name + ".xml")));
  }
  static std::vector<TemporaryFolder> folders(models.size());
  std::vector<FmiExample> examples;
  for (std::size_t i = 0; i < models.size(); ++i) {
    auto const& model = models[i];
    std::ofstream(folders[i].path() / model->archive_name(), std::ios::binary) << model->archive();
    FmiExample example{
        model->table().model_name(), model, folders[i].path().string(), model->token(2), model->token(3), {}};
    for (Variable const& variable : model->table().variables()) {
      for (int k = 0; k < variable.size; ++k)
        example.references.push_back(variable.value_reference + static_cast<std::uint32_t>(k));
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace

std::vector<FmiExample> const& fmi_examples() {
  static std::vector<FmiExample> const examples = make_examples();
  return examples;
}

}  // namespace delassus::fuzz
