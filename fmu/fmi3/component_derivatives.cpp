// The derivatives of the FMI 3.0 interface.
#include "fmu/fmi3/component.hpp"

using namespace delassus;

namespace {

constexpr unsigned allowed = after_initialization_began;

}  // namespace

extern "C" {

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        std::size_t unknown_count, const fmi3ValueReference knowns[],
                                        std::size_t known_count, const fmi3Float64 seed[],
                                        std::size_t seed_count, fmi3Float64 sensitivity[],
                                        std::size_t sensitivity_count) {
  return guarded(instance, "fmi3GetDirectionalDerivative", allowed, [&](Component& c) {
    if (unknown_count > 0) demand(unknowns, "unknowns");
    if (known_count > 0) demand(knowns, "knowns");
    if (seed_count > 0) demand(seed, "seed");
    if (sensitivity_count > 0) demand(sensitivity, "sensitivity");
    c.slave().directional_derivative(true, {unknowns, unknown_count}, {knowns, known_count},
                                     {seed, seed_count}, {sensitivity, sensitivity_count});
  });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    std::size_t unknown_count, const fmi3ValueReference knowns[],
                                    std::size_t known_count, const fmi3Float64 seed[], std::size_t seed_count,
                                    fmi3Float64 sensitivity[], std::size_t sensitivity_count) {
  return guarded(instance, "fmi3GetAdjointDerivative", allowed, [&](Component& c) {
    if (unknown_count > 0) demand(unknowns, "unknowns");
    if (known_count > 0) demand(knowns, "knowns");
    if (seed_count > 0) demand(seed, "seed");
    if (sensitivity_count > 0) demand(sensitivity, "sensitivity");
    c.slave().adjoint_derivative(true, {unknowns, unknown_count}, {knowns, known_count}, {seed, seed_count},
                                 {sensitivity, sensitivity_count});
  });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference references[],
                                    std::size_t count, const fmi3Int32 orders[], fmi3Float64 values[],
                                    std::size_t value_count) {
  return guarded(
      instance, "fmi3GetOutputDerivatives", Phase::step | Phase::terminated | Phase::intermediate,
      [&](Component& c) {
        c.demand_co_simulation();
        if (count == 0 && value_count == 0) return;
        demand(references, "valueReferences");
        demand(orders, "orders");
        demand(values, "values");
        c.slave().output_derivatives(true, {references, count}, {orders, count}, {values, value_count});
      });
}

}  // extern "C"
