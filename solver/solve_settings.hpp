// What a solver of contact problems is asked for.
#pragma once

#include "model/enumeration.hpp"

namespace delassus {

struct SolveSettings {
  ContactLaw law = ContactLaw::coulomb;
  SolutionRule rule = SolutionRule::continuous;
  double tolerance =
      1e-13;  // scale-free residual; near rounding, so that an ODE that calls this sees a smooth function
  int iteration_limit = 1000;  // sweeps of an island
};

}  // namespace delassus
