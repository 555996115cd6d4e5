// Whether a system runs, beside what its file says: notes of its scenes, inputs that nothing drives, its communication
// step, and a run of its default experiment.
#pragma once

#include "tools/check/fmu_check.hpp"
#include "tools/cosim/coupled_system.hpp"

namespace delassus {

// Adds findings to the report of the system. The run is one of scenes and controllers: where there are none of these,
// nothing is run, since each FMU is run by itself.
void check_system_run(CosimSystem const& system, std::string const& file, CheckSettings const& settings,
                      CheckReport& report);

}  // namespace delassus
