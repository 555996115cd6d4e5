// Whether an FMU keeps the standard and does what it declares: its archive, its description, and itself, run
// in a child process.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/simulate/ode_stepper.hpp"
#include "tools/support/zip_archive.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

struct CheckSettings {
  double timeout = 60;  // s, for everything that runs the FMU's code
  // With the standard's .xsd files, or fmi2/, fmi3/ and ssp/ below it.
  std::optional<std::filesystem::path> schema_folder = std::nullopt;
  bool schemas_required = true;  // a schema that is not in the folder is an error; otherwise it is not used
  std::optional<std::filesystem::path> reference = std::nullopt;  // results to compare with
  double reference_tolerance = 1e-6;                              // share of a column's largest magnitude
  std::function<void(std::string const& stage)> progress = {};    // what is tried at the moment
  OdeMethod solver = OdeMethod::dopri5;                           // of Model Exchange
};

struct CheckReport {
  std::filesystem::path file;
  int fmi_version = 0;
  std::size_t variables = 0;
  std::size_t components = 0;  // of a system
  std::string token;
  std::vector<Finding> findings;
  bool failed = false;  // it crashed, hung, called exit, did not load or did not run
  bool exercised = false;
  bool mismatch = false;     // the results are not those of a reference
  std::string subject = {};  // of what is no FMU: what was looked at, for a summary
};

// Throws FileError where the file cannot be read. Everything else is in the report.
CheckReport check_fmu(std::filesystem::path const& file, CheckSettings const& settings);

}  // namespace delassus
