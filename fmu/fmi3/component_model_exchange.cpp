// The FMI 3.0 interface of an instance: model exchange (FMI 3.0.2, section 3.2).
#include <algorithm>

#include "fmu/fmi3/component.hpp"

using namespace delassus;

namespace {

// The states of the life cycle in which the continuous states and their functions can be read.
constexpr unsigned readable = Phase::initialization | Phase::event | Phase::continuous | Phase::terminated;

template <class Action>
fmi3Status with_vector(fmi3Instance instance, char const* function, unsigned allowed, std::size_t count,
                       void const* values, std::size_t (Slave::*size)() const, Action const& action) {
  return guarded(instance, function, allowed, [&](Component& c) {
    c.demand_model_exchange();
    c.demand_count(count, (c.slave().*size)());
    if (count == 0) return;
    demand(values, "the vector");
    action(c.slave());
  });
}

fmi3Status number(fmi3Instance instance, char const* function, std::size_t* count,
                  std::size_t (Slave::*size)() const) {
  return guarded(instance, function, any_phase, [&](Component& c) {
    c.demand_model_exchange();
    demand(count, "the number");
    *count = (c.slave().*size)();
  });
}

}  // namespace

extern "C" {

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resource_path,
                                          fmi3Boolean, fmi3Boolean logging_on,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log_message) {
  SlaveOptions options;
  options.model_exchange = true;
  return instantiate_fmi3("fmi3InstantiateModelExchange", name, token, resource_path, logging_on, environment,
                          log_message, options, [](Fmi3Component&) {});
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return guarded(instance, "fmi3EnterContinuousTimeMode", static_cast<unsigned>(Phase::event),
                 [](Component& c) {
                   c.demand_model_exchange();
                   c.slave().leave_event_mode();
                 });
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean, fmi3Boolean* enter_event_mode,
                                       fmi3Boolean* terminate) {
  return guarded(instance, "fmi3CompletedIntegratorStep", static_cast<unsigned>(Phase::continuous),
                 [&](Component& c) {
                   demand(enter_event_mode, "enterEventMode");
                   demand(terminate, "terminateSimulation");
                   *enter_event_mode = c.slave().completed_integrator_step();
                   *terminate = false;
                 });
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  return guarded(instance, "fmi3SetTime", static_cast<unsigned>(Phase::continuous),
                 [&](Component& c) { c.slave().set_time(time); });
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[], std::size_t count) {
  return with_vector(instance, "fmi3SetContinuousStates", static_cast<unsigned>(Phase::continuous), count,
                     states, &Slave::states, [&](Slave& slave) {
                       slave.set_states({states, count});
                     });
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             std::size_t count) {
  return with_vector(instance, "fmi3GetContinuousStateDerivatives", readable, count, derivatives,
                     &Slave::states, [&](Slave& slave) {
                       slave.get_derivatives({derivatives, count});
                     });
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicators[], std::size_t count) {
  return with_vector(instance, "fmi3GetEventIndicators", readable, count, indicators,
                     &Slave::event_indicators, [&](Slave& slave) {
                       slave.get_event_indicators({indicators, count});
                     });
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[], std::size_t count) {
  return with_vector(instance, "fmi3GetContinuousStates", readable, count, states, &Slave::states,
                     [&](Slave& slave) {
                       slave.get_states({states, count});
                     });
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             std::size_t count) {
  return with_vector(instance, "fmi3GetNominalsOfContinuousStates", readable, count, nominals, &Slave::states,
                     [&](Slave&) { std::fill_n(nominals, count, nominal_of_states); });
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* count) {
  return number(instance, "fmi3GetNumberOfEventIndicators", count, &Slave::event_indicators);
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* count) {
  return number(instance, "fmi3GetNumberOfContinuousStates", count, &Slave::states);
}

}  // extern "C"
