// The co-simulation master: components that are coupled through their inputs and outputs, stepped together.
#pragma once

#include <functional>

#include "tools/cosim/coupled_system.hpp"
#include "tools/cosim/run_plan.hpp"
#include "tools/simulate/simulation.hpp"

namespace delassus {

// What goes wrong in a component is in the result, with the rows until then. Throws CommandError for a plan that cannot
// be run: steps that a component cannot make, loops that cannot be solved. The same system and plan give the same bits.
CosimResult run_cosimulation(CosimSystem const& system, CosimPlan const& plan, Progress const& progress = {});
// The same, for a caller with a Rescue: its table has whole rows at any time that is not UndisturbedWork.
void run_cosimulation(CosimSystem const& system, CosimPlan const& plan, Progress const& progress,
                      CosimResult& result);
// `accepted` is called once, when all components are initialised and nothing refuses the plan.
void run_cosimulation(CosimSystem const& system, CosimPlan const& plan, Progress const& progress,
                      std::function<void()> const& accepted, CosimResult& result);

}  // namespace delassus
