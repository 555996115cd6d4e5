// An instance of an FMI 3 co-simulation FMU that was made with event mode, as something that runs in steps: a
// step that ends early goes on, and events are handled where the FMU asks for it.
#pragma once

#include <functional>
#include <memory>

#include "tools/import/simulated_instance.hpp"

namespace delassus {

// Called in event mode, before the first update of the discrete states: the place to read clocks.
using EventObserver = std::function<void(SimulatedInstance& instance, double time)>;

// Throws InstanceError where the instance was not made with event mode.
std::unique_ptr<SimulatedInstance> make_event_stepped_instance(std::unique_ptr<SimulatedInstance> instance,
                                                               EventObserver observer = {});

}  // namespace delassus
