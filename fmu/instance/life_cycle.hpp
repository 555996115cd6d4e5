// The life cycle of an instance, for both interface types. Each interface has a table of the functions that
// may be called in each phase.
#pragma once

#include <string_view>

namespace delassus {

enum class Phase : unsigned {
  instantiated = 1,
  initialization = 2,
  step = 4,  // co-simulation: between two steps
  terminated = 8,
  event = 16,         // both types; in co-simulation if the importer uses event mode
  continuous = 32,    // model exchange: continuous-time mode
  intermediate = 64,  // co-simulation: in the importer's callback during a step
};

constexpr std::string_view text(Phase phase) {
  switch (phase) {
    case Phase::instantiated:
      return "instantiated";
    case Phase::initialization:
      return "initialization mode";
    case Phase::step:
      return "step mode";
    case Phase::terminated:
      return "terminated";
    case Phase::event:
      return "event mode";
    case Phase::continuous:
      return "continuous-time mode";
    case Phase::intermediate:
      return "intermediate update mode";
  }
  return "?";
}

}  // namespace delassus
