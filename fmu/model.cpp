#include "fmu/model.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "fmu/sealed_bytes.hpp"

namespace delassus {

Model::Model(Scene scene)
    : scene_(std::move(scene)),
      system_(scene_),
      table_(scene_, system_.mode_sources()),
      outputs_(outputs_of(scene_)),
      hash_(content_hash_text(write_scene_archive(scene_))) {}

std::string Model::token(int fmi_version) const {
  std::string const hash = content_hash_text(hash_ + " fmi " + std::to_string(fmi_version));
  return hash.substr(0, 8) + "-" + hash.substr(8, 4) + "-" + hash.substr(12, 4) + "-" + hash.substr(16, 4) +
         "-" + hash.substr(20);
}

std::shared_ptr<const Model> load_model(std::filesystem::path const& resources) {
  std::filesystem::path const file = resources / scene_archive_name;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw std::runtime_error("cannot open '" + file.string() + "': " + std::strerror(errno) +
                             "; the resource path must be the 'resources' folder of the unpacked FMU");
  }
  std::string const bytes{std::istreambuf_iterator<char>(stream), {}};
  try {
    return std::make_shared<const Model>(read_scene_archive(bytes));
  } catch (std::exception const& error) {
    throw std::runtime_error("'" + file.string() + "': " + error.what());
  }
}

}  // namespace delassus
