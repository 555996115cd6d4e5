// Whether a system keeps the standard and fits together: its archive, its structure, its parameter files, and each FMU
// in it as `check` does for itself.
#pragma once

#include <filesystem>
#include <vector>

#include "tools/check/fmu_check.hpp"

namespace delassus {

// The report of the system first, then those of its FMUs. Throws FileError where the file cannot be read.
std::vector<CheckReport> check_system(std::filesystem::path const& file, CheckSettings const& settings);

}  // namespace delassus
