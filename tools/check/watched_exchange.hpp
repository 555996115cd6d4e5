// A Model Exchange instance whose face is looked at on its way to an integrator: what an FMU's indicators are after
// each event, and when the events are. The integrator knows nothing of it.
#pragma once

#include <functional>
#include <memory>

#include "tools/import/delegating_instance.hpp"

namespace delassus {

struct ExchangeWatch {
  // After each event, and after the initialisation: in continuous-time mode, with the states that the FMU has now. It
  // may move states and time, and has to leave them as they were.
  std::function<void(ModelExchangeFace& face, double time)> entered_continuous_time;
  std::function<void(double time)> entered_event_mode;
};

// Throws InstanceError where the instance was not made for Model Exchange.
std::unique_ptr<SimulatedInstance> make_watched_exchange(std::unique_ptr<SimulatedInstance> inner,
                                                         ExchangeWatch watch);

}  // namespace delassus
