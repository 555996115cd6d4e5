// The outputs of each example of the library over its run (its first 200 steps, where it has more), as one hash. What the
// hashes are stands in example_bits.txt, for all processors, systems and compilers.
//
// A change that alters results alters hashes: same_bits_test writes the file again if DELASSUS_WRITE_EXAMPLE_BITS=1.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "fmu/content/controller_model.hpp"
#include "fmu/content/scene_model.hpp"
#include "tests/support/bits/bits_hash.hpp"
#include "xml/scene/reader.hpp"

namespace delassus::test {

// Names of scenes and controllers, sorted.
inline std::vector<std::string> example_names() {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (char const* const kind : {"scenes", "controllers"}) {
    for (auto const& file : fs::directory_iterator(fs::path(DELASSUS_SCENES_DIR).parent_path() / kind)) {
      if (file.path().extension() == ".xml") names.push_back(file.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::filesystem::path example_file(std::string const& name) {
  namespace fs = std::filesystem;
  fs::path const scenes = DELASSUS_SCENES_DIR, scene = scenes / (name + ".xml");
  return fs::exists(scene) ? scene : scenes.parent_path() / "controllers" / (name + ".xml");
}

inline std::shared_ptr<const Model> example_of_library(std::string const& name) {
  std::filesystem::path const file = example_file(name);
  if (file.parent_path().filename() == "scenes")
    return std::make_shared<const SceneModel>(read_scene_file(file));
  return std::make_shared<const ControllerModel>(read_controller_file(file));
}

// s, in the six decimals that platform_run gets.
inline double example_step(VariableTable const& table) {
  return std::stod(std::to_string(table.default_experiment().step));
}

inline int example_steps(VariableTable const& table) {
  DefaultExperiment const& experiment = table.default_experiment();
  return std::min(static_cast<int>(std::lround((experiment.stop - experiment.start) / experiment.step)), 200);
}

inline std::string hash_of(std::vector<std::vector<double>> const& rows) {
  BitsHash hash;
  for (auto const& row : rows) {
    for (double const value : row) hash.add(value);
  }
  return hash.text();
}

inline std::filesystem::path example_bits_file() {
  return std::filesystem::path(DELASSUS_SCENES_DIR).parent_path().parent_path() /
         "tests/support/bits/example_bits.txt";
}

// Lines `name hash`.
inline std::map<std::string, std::string> example_bits() {
  std::map<std::string, std::string> bits;
  std::ifstream file(example_bits_file());
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, hash;
    if (words >> name >> hash && name.front() != '#') bits[name] = hash;
  }
  return bits;
}

}  // namespace delassus::test
