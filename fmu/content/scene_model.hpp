// The model of a scene: the scene, its system and its outputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fmu/content/model.hpp"
#include "fmu/table/outputs.hpp"
#include "model/equations/scene_system.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

class SceneModel final : public Model {
 public:
  explicit SceneModel(Scene scene);

  Scene const& scene() const { return parts_->scene; }
  SceneSystem const& system() const { return parts_->system; }
  std::vector<OutputDefinition> const& outputs() const { return outputs_; }  // in the table's order

  std::string_view archive_name() const override;

 private:
  struct Parts {
    Scene scene;
    SceneSystem system;  // refers to the scene
    explicit Parts(Scene given) : scene(std::move(given)), system(scene) {}
  };
  explicit SceneModel(std::unique_ptr<const Parts> parts);

  std::unique_ptr<const Parts> parts_;
  std::vector<OutputDefinition> outputs_;
};

// The compiled scene as bytes.
inline constexpr std::string_view scene_archive_name = "scene.delassus";
std::string write_scene_archive(Scene const& scene);
Scene read_scene_archive(std::string_view bytes);  // throws std::runtime_error with the reason

}  // namespace delassus
