// An instance of a Model Exchange FMU with an integrator of ours, as something that runs in steps: what
// `simulate --interface me`, systems, sweeps and the checker run.
#pragma once

#include <limits>
#include <memory>

#include "tools/import/simulated_instance.hpp"
#include "tools/import/state_structure.hpp"
#include "tools/simulate/ode_stepper.hpp"

namespace delassus {

// Relative, of methods that choose their steps: less than the rounding of a number is kept by none.
inline constexpr double least_tolerance = std::numeric_limits<double>::epsilon();

struct IntegrationSettings {
  double tolerance = 1e-6;  // relative, where a run gives none
  std::optional<double> absolute_tolerance =
      std::nullopt;  // in units of each state's nominal; default: as relative
  OdeMethod method = OdeMethod::dopri5;
  double fixed_step = 0;      // s, of euler; 0: the communication step
  long most_evaluations = 0;  // of the derivatives in a step; 0: as many as it takes
  bool goes_back = false;     // as in InstanceRequest
  InstanceLog log = {};       // told once in a run: that the model is stiff, or that events crowd
};

// What integration took, for a summary.
struct IntegrationCounts {
  OdeCounts ode;
  long events = 0;  // after the initialisation
};

// More evaluations than allowed: the system is stiff, or the step long.
class TooManyEvaluations : public InstanceError {
 public:
  using InstanceError::InstanceError;
};

// Throws InstanceError where the instance was not made for Model Exchange. `structure` makes Jacobians sparse.
//
// A value of an input that differs from what the input has come to is a jump, and an event (FMI 3.0, 3.1.1). Between
// jumps, inputs follow the derivatives that they were given last, for one step.
//
// A run that would hardly end fails with its reason: too many events at one time, a relative tolerance below
// `least_tolerance`, or steps so short that a communication step would take more than 1e10 evaluations.
std::unique_ptr<SimulatedInstance> make_integrated_instance(std::unique_ptr<SimulatedInstance> instance,
                                                            IntegrationSettings const& settings = {},
                                                            StateStructure structure = {});

// Of such an instance; otherwise nothing.
std::optional<IntegrationCounts> integration_counts(SimulatedInstance const& instance);

}  // namespace delassus
