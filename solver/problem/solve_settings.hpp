// What a solver of contact problems is asked for.
#pragma once

#include "model/scene/enumeration.hpp"

namespace delassus {

// Which methods the solver may use. `automatic`, the default, combines all of them; the others are for comparison.
enum class SolveMethod {
  automatic,
  gauss_seidel,    // sweeps of the exact one-block solver
  newton,          // semismooth Newton on the function of Alart and Curnier, globalised
  interior_point,  // the path through the middle of the cones, where the island has no other sets
  proximal,        // Newton within a proximal loop, for singular A
  path,            // paths of falling compliance, followed by their arc length
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
  // A residual that still counts as converged where the tolerance cannot be had, or not in so many iterations.
  double acceptable = 1e-8;
  int iterations_for_digits = 100;
  // Of an island: sweeps and Newton steps. A fifth of it where the island is large, or where its normal rows
  // contradict one another and no search can help.
  int iteration_limit = 100000;
  // Of the many forces of a redundant island take that of least norm (Oprea's T_s), which does not depend on
  // the force of the last step. Without it any solution will do, which is quicker.
  bool least_norm = false;
  // Where positions come from an integrator with a tolerance of its own, redundant rows disagree by more than rounding: the
  // residual that they may leave together and still count as consistent. Zero: rounding, as the solver knows it.
  double coarse_remainder = 0;
  SolveMethod method = SolveMethod::automatic;
  ResidualMeasure measure = ResidualMeasure::scale_free;
  bool keep_history = false;
};

}  // namespace delassus
