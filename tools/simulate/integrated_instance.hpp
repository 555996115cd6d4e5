// An instance of a Model Exchange FMU with an integrator of ours, as something that runs in steps: what
// `simulate --interface me` and the checker run.
#pragma once

#include <memory>

#include "tools/import/simulated_instance.hpp"

namespace delassus {

struct IntegrationSettings {
  double tolerance = 1e-6;    // relative, and absolute in units of each state's nominal
  long most_evaluations = 0;  // of the derivatives in a step; 0: as many as it takes
  bool goes_back = false;     // as in InstanceRequest
};

// More evaluations than allowed: the system is stiff, or the step long.
class TooManyEvaluations : public InstanceError {
 public:
  using InstanceError::InstanceError;
};

// Throws InstanceError where the instance was not made for Model Exchange.
std::unique_ptr<SimulatedInstance> make_integrated_instance(std::unique_ptr<SimulatedInstance> instance,
                                                            IntegrationSettings const& settings = {});

}  // namespace delassus
