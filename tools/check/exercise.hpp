// The runs that show whether an FMU does what it declares. They execute the FMU's code: call this in a child
// process.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "tools/import/fmu.hpp"
#include "tools/simulate/ode_stepper.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

struct ExerciseReport {
  std::function<void(std::string const& stage)> stage;  // what is tried next
  std::function<void(Finding const& finding)> finding;
  std::function<void()> failed;  // the FMU does not run
  // From here on a crash or a hang breaks this rule, and is not a run that failed.
  std::function<void(std::string const& rule)> survival;
};

struct ReferenceSettings {
  std::optional<std::filesystem::path> file;  // of the user's
  double tolerance = 1e-6;                    // share of a column's largest magnitude
};

struct ExerciseSettings {
  double seconds = 60;  // that there are for all of it
  ReferenceSettings reference;
  OdeMethod solver = OdeMethod::dopri5;  // of Model Exchange
};

void exercise_fmu(ImportedFmu& fmu, ExerciseReport const& report, ExerciseSettings const& settings);

}  // namespace delassus
