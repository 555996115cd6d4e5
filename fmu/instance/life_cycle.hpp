// The life cycle of an instance, of both interface kinds. Which FMI function may be called in which phase is a
// table in each face.
#pragma once

#include <string_view>

namespace delassus {

enum class Phase : unsigned {
  instantiated = 1,
  initialization = 2,
  step = 4,  // co-simulation: between two steps
  terminated = 8,
  event = 16,         // both kinds; in co-simulation where the host uses event mode
  continuous = 32,    // model exchange: continuous-time mode
  intermediate = 64,  // co-simulation: in the host's callback during a step
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
