// A loop of the command line as an .ssd, and the command that runs it as it was run.
#pragma once

#include "tools/command/cosim_options.hpp"
#include "tools/cosim/run_plan.hpp"
#include "tools/ssp/loop_structure.hpp"

namespace delassus {

// Writes `options.save`, and says how to run it with the options that a structure has no place for. Throws FileError.
void save_loop(CosimOptions const& options, LoopStructure const& loop, CosimPlan const& plan);

}  // namespace delassus
