// Whether an FMU keeps the standard and does what it declares: its archive, its description, and itself, run
// in a child process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/archive.hpp"
#include "xml/finding.hpp"

namespace delassus {

struct CheckSettings {
  double timeout = 60;  // s, for everything that runs the FMU's code
  std::optional<std::filesystem::path>
      schema_folder;  // with the standard's .xsd files, or fmi2/ and fmi3/ below it
};

struct CheckReport {
  std::filesystem::path file;
  int fmi_version = 0;
  std::size_t variables = 0;
  std::vector<Finding> findings;
  bool failed = false;  // it crashed, hung, called exit, did not load or did not run
  bool exercised = false;
};

// Throws FileError where the file cannot be read. Everything else is in the report.
CheckReport check_fmu(std::filesystem::path const& file, CheckSettings const& settings);

}  // namespace delassus
