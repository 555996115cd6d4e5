// The solver settings as values that the variable table can address, in the order of the names below.
#pragma once

#include <array>
#include <string_view>

#include "model/scene/scene.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {

inline constexpr std::array<std::string_view, 6> setting_names{"stepper", "step", "tolerance",
                                                               "law",     "rule", "impacts"};
using SettingValues = std::array<double, setting_names.size()>;
inline constexpr std::size_t tolerance_setting = 2;

inline SettingValues settings_of(SolverSettings const& solver) {
  return {static_cast<double>(solver.stepper),
          solver.step,
          solver.tolerance,
          static_cast<double>(solver.law),
          static_cast<double>(solver.rule),
          static_cast<double>(solver.impacts)};
}

inline StepperSettings stepper_settings(SettingValues const& values) {
  StepperSettings settings;
  settings.kind = static_cast<StepperKind>(static_cast<int>(values[0]));
  settings.step = values[1];
  settings.tolerance = values[tolerance_setting];
  settings.law = static_cast<ContactLaw>(static_cast<int>(values[3]));
  settings.rule = static_cast<SolutionRule>(static_cast<int>(values[4]));
  settings.impacts = static_cast<ImpactOrder>(static_cast<int>(values[5]));
  return settings;
}

}  // namespace delassus
