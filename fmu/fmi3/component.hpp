// Shared by the sources of the FMI 3.0 interface.
#pragma once

#include "fmu/fmi3/interface.hpp"
#include "fmu/instance/component_base.hpp"

namespace delassus {

inline fmi3Status to_fmi3(Status status) {
  switch (status) {
    case Status::ok:
      return fmi3OK;
    case Status::warning:
      return fmi3Warning;
    case Status::discard:
      return fmi3Discard;
    case Status::error:
      return fmi3Error;
    case Status::fatal:
      return fmi3Fatal;
  }
  return fmi3Fatal;
}

// With the data that only FMI 3 importers pass.
class Fmi3Component : public Component {
 public:
  using Component::Component;
  fmi3InstanceEnvironment environment = nullptr;
  fmi3IntermediateUpdateCallback intermediate_update = nullptr;
};

// An instance of either interface type, or NULL with the reason in the log. `finish` is called after the
// model is loaded.
fmi3Instance instantiate_fmi3(char const* function, fmi3String name, fmi3String token,
                              fmi3String resource_path, fmi3Boolean logging_on,
                              fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message,
                              SlaveOptions const& options, std::function<void(Fmi3Component&)> const& finish);

// Throws SlaveError if a variable cannot be read or set during a step.
void demand_intermediate_update(VariableTable const& table, std::uint32_t reference);

template <class Action>
fmi3Status guarded(fmi3Instance instance, char const* function, unsigned allowed, Action const& action) {
  if (!instance) return fmi3Error;  // there is no logger yet
  auto& c = *static_cast<Fmi3Component*>(instance);
  return to_fmi3(c.guard(function, allowed, [&] { action(c); }));
}

// For functions that this FMU neither offers nor declares.
inline fmi3Status not_offered(fmi3Instance instance, char const* function, char const* what) {
  return guarded(instance, function, any_phase, [&](Component&) {
    throw SlaveError(Status::error, std::string(what) + " not offered by this FMU");
  });
}

}  // namespace delassus
