// What all instances of one FMU share: the scene, its system and the variable table. Immutable.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "fmu/outputs.hpp"
#include "fmu/variable_table.hpp"
#include "model/scene.hpp"
#include "model/scene_system.hpp"

namespace delassus {

class Model {
 public:
  explicit Model(Scene scene);
  Model(Model const&) = delete;  // the system refers to the scene
  Model& operator=(Model const&) = delete;

  Scene const& scene() const { return scene_; }
  SceneSystem const& system() const { return system_; }
  VariableTable const& table() const { return table_; }
  std::vector<OutputDefinition> const& outputs() const { return outputs_; }  // in the table's order
  std::string const& hash() const { return hash_; }                          // of the scene's content

  // The GUID (FMI 2) or instantiation token (FMI 3): a hash of the content, different for each version.
  std::string token(int fmi_version) const;

 private:
  Scene scene_;
  SceneSystem system_;
  VariableTable table_;
  std::vector<OutputDefinition> outputs_;
  std::string hash_;
};

// The compiled scene in an FMU's resources folder: a versioned, checksummed archive.
inline constexpr std::string_view scene_archive_name = "scene.delassus";
std::string write_scene_archive(Scene const& scene);
Scene read_scene_archive(std::string_view bytes);  // throws std::runtime_error that says what is wrong

std::shared_ptr<const Model> load_model(std::filesystem::path const& resources);  // throws std::runtime_error

}  // namespace delassus
