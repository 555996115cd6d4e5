// Shared by the sources of the FMI 2.0 interface.
#pragma once

#include "fmu/fmi2/interface.hpp"
#include "fmu/instance/component_base.hpp"

namespace delassus {

inline fmi2Status to_fmi2(Status status) {
  switch (status) {
    case Status::ok:
      return fmi2OK;
    case Status::warning:
      return fmi2Warning;
    case Status::discard:
      return fmi2Discard;
    case Status::error:
      return fmi2Error;
    case Status::fatal:
      return fmi2Fatal;
  }
  return fmi2Fatal;
}

template <class Action>
fmi2Status guarded(fmi2Component component, char const* function, unsigned allowed, Action const& action) {
  if (!component) return fmi2Error;  // there is no logger yet
  auto& c = *static_cast<Component*>(component);
  return to_fmi2(c.guard(function, allowed, [&] { action(c); }));
}

}  // namespace delassus
