// The runs that show whether an FMU does what it declares. They execute the FMU's code: call this in a child
// process.
#pragma once

#include <functional>
#include <string>

#include "tools/fmu_import.hpp"
#include "xml/finding.hpp"

namespace delassus {

struct ExerciseReport {
  std::function<void(std::string const& stage)> stage;  // what is tried next
  std::function<void(Finding const& finding)> finding;
  std::function<void()> failed;  // the FMU does not run
};

void exercise_fmu(ImportedFmu& fmu, ExerciseReport const& report);

}  // namespace delassus
