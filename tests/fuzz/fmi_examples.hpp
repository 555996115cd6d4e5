// Models whose resources lie in a folder, for instances through the C functions of FMI.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fmu/content/model.hpp"

namespace delassus::fuzz {

struct FmiExample {
  std::string name;
  std::shared_ptr<const Model> model;
  std::string folder, token2, token3;
  std::vector<std::uint32_t> references;  // of all elements
};

// Rods, belts, balls and controllers; small, with every stepper, with and without states and a clock of events. The folders live
// as long as the program.
std::vector<FmiExample> const& fmi_examples();

}  // namespace delassus::fuzz
