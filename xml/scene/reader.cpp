#include "xml/scene/reader.hpp"

#include <cerrno>
#include <fstream>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

// Reads up to one byte more than allowed, so that read_tree reports a file that is too large.
std::string read_bytes(std::filesystem::path const& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw SceneError(file.string(), 0, "this is a folder; name the scene file in it");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw SceneError(file.string(), 0, "cannot be opened: " + std::generic_category().message(errno));
  }
  std::string text(scene_limits.bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

// What a pipe gives is gone then: /dev/stdin, or what a shell makes of <(...). A command may look at a scene twice.
std::string read_text(std::filesystem::path const& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error) || std::filesystem::is_regular_file(file, error) ||
      std::filesystem::is_directory(file, error))
    return read_bytes(file);
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::string> read;
  std::scoped_lock const lock(mutex);
  auto found = read.find(file);
  if (found == read.end()) found = read.emplace(file, read_bytes(file)).first;
  return found->second;
}

}  // namespace

SceneSource read_scene_source(std::string const& text, std::string const& file_name) {
  try {
    SourceElement root = read_tree(text, scene_limits);
    // Where an editor finds the schema is no part of the scene.
    std::erase_if(root.attributes, [](SourceAttribute const& attribute) {
      return attribute.name == "xsi:noNamespaceSchemaLocation";
    });
    return {file_name, std::move(root)};
  } catch (XmlError const& error) {
    throw SceneError(file_name, error.line(), error.what());
  }
}

SceneSource read_source_file(std::filesystem::path const& file) {
  return read_scene_source(read_text(file), file.string());
}

Scene read_scene_file(std::filesystem::path const& file) {
  return compile_scene(read_source_file(file));
}

Controller read_controller_file(std::filesystem::path const& file) {
  return compile_controller(read_source_file(file));
}

}  // namespace delassus
