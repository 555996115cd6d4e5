// A short run of whatever model a fuzzed input describes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "fmu/instance/slave.hpp"

namespace delassus::fuzz {

// s, for a run whose number of internal steps is bounded: of the shortest time among the parameters a few.
double short_step(Model const& model);

// A few steps from the present phase on, in which every variable is read. What the instance refuses, it refuses.
void go_on(Slave& slave);

// Both interface types, from the start, with states taken and restored.
void run_model(std::shared_ptr<const Model> const& model);

// All files of a folder of the source tree with this ending, by their names.
std::map<std::string, std::string> files_of(std::filesystem::path const& folder, std::string const& ending);

}  // namespace delassus::fuzz
