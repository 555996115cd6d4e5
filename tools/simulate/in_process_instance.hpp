// A scene or controller in this process, without a package or a C interface in between. Signals are those of the FMI 2
// description: one value reference for each element.
#pragma once

#include <memory>

#include "fmu/content/model.hpp"
#include "tools/import/simulated_instance.hpp"

namespace delassus {

// `signals` are those of package_description(*model, 2).
std::unique_ptr<SimulatedInstance> make_in_process_instance(std::shared_ptr<const Model> const& model,
                                                            SignalTable signals, InstanceLog log);

}  // namespace delassus
