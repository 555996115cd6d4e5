// An instance in a child process of its own: where it crashes, hangs or exits, a call fails and nothing else does.
#pragma once

#include <functional>
#include <memory>

#include "tools/import/fmu.hpp"
#include "tools/import/simulated_instance.hpp"

namespace delassus {

using InstanceMaker = std::function<std::unique_ptr<SimulatedInstance>(InstanceRequest const&)>;

// Calls `make` in a copy of this process and passes every call on, with the same results to the bit. A call that takes
// longer than `seconds` ends the child. What the FMU prints goes to standard error. Throws InstanceError, and FileError
// where no process can be made.
std::unique_ptr<SimulatedInstance> make_isolated_instance(InstanceMaker const& make,
                                                          InstanceRequest const& request,
                                                          SignalTable const& signals, double seconds);

}  // namespace delassus
