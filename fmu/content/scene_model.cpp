#include "fmu/content/scene_model.hpp"

namespace delassus {

SceneModel::SceneModel(Scene scene) : SceneModel(std::make_unique<const Parts>(std::move(scene))) {}

SceneModel::SceneModel(std::unique_ptr<const Parts> parts)
    : Model(VariableTable(parts->scene, parts->system.mode_sources()), write_scene_archive(parts->scene)),
      parts_(std::move(parts)),
      outputs_(outputs_of(parts_->scene)) {}

std::string_view SceneModel::archive_name() const {
  return scene_archive_name;
}

}  // namespace delassus
