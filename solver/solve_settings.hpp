// What a solver of contact problems is asked for.
#pragma once

#include "model/enumeration.hpp"

namespace delassus {

// Which parts of the solver may work. `automatic` is what everybody wants; the others are its parts, alone.
enum class SolveMethod {
  automatic,
  gauss_seidel,  // sweeps of the exact one-block solver
  newton,        // semismooth Newton on the function of Alart and Curnier, globalised
  proximal,      // the same within a proximal loop, for singular A
};

// In which measure the tolerance is meant; both are in residual.hpp.
enum class ResidualMeasure {
  scale_free,  // independent of units
  unit,        // that of Siconos
};

struct SolveSettings {
  ContactLaw law = ContactLaw::coulomb;
  SolutionRule rule = SolutionRule::continuous;
  double tolerance = 1e-13;  // near rounding, so that an ODE that calls this sees a smooth function
  int iteration_limit = 1000;
  SolveMethod method = SolveMethod::automatic;
  ResidualMeasure measure = ResidualMeasure::scale_free;
  bool keep_history = false;
};

}  // namespace delassus
