// The communication step of a system that nobody chose: it divides the times at which components sample, and is fine
// enough for their default experiments.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tools/cosim/coupled_system.hpp"
#include "tools/cosim/run_plan.hpp"

namespace delassus {

// The largest time of which all others are whole multiples, to rounding. Nothing where it would be shorter than a
// hundredth of the shortest of them: such times have no common divisor that anybody meant.
std::optional<double> common_divisor(std::span<const double> times);

// Chooses plan.step where plan.chooses_step is set, from the components with the settings of the system and of the plan,
// and says why in plan.step_reason. Where the step was given and does not divide a sample time, plan.step_warning says
// so. To be called again after plan.settings have changed.
void settle_step(CosimSystem const& system, CosimPlan& plan);

}  // namespace delassus
