// The life cycle of a co-simulation slave. Which FMI function may be called in which phase is a table in each
// face.
#pragma once

#include <string_view>

namespace delassus {

enum class Phase : unsigned { instantiated = 1, initialization = 2, step = 4, terminated = 8 };

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
  }
  return "?";
}

}  // namespace delassus
