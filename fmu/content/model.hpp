// What all instances of one FMU share: the variable table and the content behind it. It is immutable. There
// are two kinds, scenes (scene_model.hpp) and sampled controllers (controller_model.hpp); the resources of an
// FMU tell which.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "fmu/table/variable_table.hpp"

namespace delassus {

class Model {
 public:
  virtual ~Model() = default;
  Model(Model const&) = delete;
  Model& operator=(Model const&) = delete;

  VariableTable const& table() const { return table_; }
  std::string const& hash() const { return hash_; }  // of the content

  // The GUID (FMI 2) or instantiation token (FMI 3): a hash of the content, different for each version.
  std::string token(int fmi_version) const;

  // The file in an FMU's resources folder: a versioned, checksummed archive.
  virtual std::string_view archive_name() const = 0;
  std::string const& archive() const { return archive_; }

 protected:
  Model(VariableTable table, std::string archive);

 private:
  VariableTable table_;
  std::string archive_, hash_;
};

std::shared_ptr<const Model> load_model(std::filesystem::path const& resources);  // throws std::runtime_error

}  // namespace delassus
