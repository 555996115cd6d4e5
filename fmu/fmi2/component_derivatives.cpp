// The derivatives of the FMI 2.0 interface.
#include "fmu/fmi2/component.hpp"

using namespace delassus;

extern "C" {

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknowns[],
                                        std::size_t unknown_count, const fmi2ValueReference knowns[],
                                        std::size_t known_count, const fmi2Real seed[],
                                        fmi2Real sensitivity[]) {
  return guarded(component, "fmi2GetDirectionalDerivative", after_initialization_began, [&](Component& c) {
    if (unknown_count == 0) return;
    demand(unknowns, "vUnknown_ref");
    demand(sensitivity, "dvUnknown");
    if (known_count > 0) {
      demand(knowns, "vKnown_ref");
      demand(seed, "dvKnown");
    }
    c.slave().directional_derivative(false, {unknowns, unknown_count}, {knowns, known_count},
                                     {seed, known_count}, {sensitivity, unknown_count});
  });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference references[],
                                        std::size_t count, const fmi2Integer orders[], fmi2Real values[]) {
  return guarded(component, "fmi2GetRealOutputDerivatives", Phase::step | Phase::terminated,
                 [&](Component& c) {
                   c.demand_co_simulation();
                   if (count == 0) return;
                   demand(references, "vr");
                   demand(orders, "order");
                   demand(values, "value");
                   c.slave().output_derivatives(false, {references, count}, {orders, count}, {values, count});
                 });
}

}  // extern "C"
