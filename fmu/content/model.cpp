#include "fmu/content/model.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "fmu/content/sealed_bytes.hpp"

namespace delassus {
namespace {

std::string utf8(std::filesystem::path const& file) {
  std::u8string const text = file.u8string();
  return {text.begin(), text.end()};
}

}  // namespace

Model::Model(VariableTable table, std::string archive)
    : table_(std::move(table)), archive_(std::move(archive)), hash_(content_hash_text(archive_)) {}

std::string Model::token(int fmi_version) const {
  std::string const hash = content_hash_text(hash_ + " fmi " + std::to_string(fmi_version));
  return hash.substr(0, 8) + "-" + hash.substr(8, 4) + "-" + hash.substr(12, 4) + "-" + hash.substr(16, 4) +
         "-" + hash.substr(20);
}

std::shared_ptr<const Model> load_model(std::filesystem::path const& resources) {
  // Open the file to see whether it exists: stat would require a newer C library than the binary may need.
  std::filesystem::path file = resources / controller_archive_name;
  std::ifstream stream(file, std::ios::binary);
  bool const controls = stream.is_open();
  if (!controls) {
    file = resources / scene_archive_name;
    stream.open(file, std::ios::binary);
  }
  if (!stream) {
    throw std::runtime_error("cannot open '" + utf8(file) + "': " + std::strerror(errno) +
                             "; the resource path must be the 'resources' folder of the unpacked FMU");
  }
  std::string const bytes{std::istreambuf_iterator<char>(stream), {}};
  try {
    if (controls) return std::make_shared<const ControllerModel>(read_controller_archive(bytes));
    return std::make_shared<const SceneModel>(read_scene_archive(bytes));
  } catch (std::exception const& error) {
    throw std::runtime_error("'" + utf8(file) + "': " + error.what());
  }
}

}  // namespace delassus
