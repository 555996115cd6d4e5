// What the sources of the FMI 3.0 face share.
#pragma once

#include "fmu/component.hpp"
#include "fmu/fmi3_interface.hpp"

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

template <class Action>
fmi3Status guarded(fmi3Instance instance, char const* function, unsigned allowed, Action const& action) {
  if (!instance) return fmi3Error;  // there is no logger to tell
  auto& c = *static_cast<Component*>(instance);
  return to_fmi3(c.guard(function, allowed, [&] { action(c); }));
}

// What this FMU does not offer, and does not declare either.
inline fmi3Status not_offered(fmi3Instance instance, char const* function, char const* what) {
  return guarded(instance, function, any_phase, [&](Component&) {
    throw SlaveError(Status::error, std::string(what) + " not offered by this FMU");
  });
}

}  // namespace delassus
