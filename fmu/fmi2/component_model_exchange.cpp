// The FMI 2.0 interface of an instance: model exchange (FMI 2.0.4, section 3.2).
#include <algorithm>

#include "fmu/fmi2/component.hpp"

using namespace delassus;

namespace {

// The states of the life cycle in which the continuous states and their functions can be read.
constexpr unsigned readable = Phase::initialization | Phase::event | Phase::continuous | Phase::terminated;

// Checks the length of a vector for a function of model exchange.
template <class Action>
fmi2Status with_vector(fmi2Component component, char const* function, unsigned allowed, std::size_t count,
                       void const* values, std::size_t (Slave::*size)() const, Action const& action) {
  return guarded(component, function, allowed, [&](Component& c) {
    c.demand_model_exchange();
    c.demand_count(count, (c.slave().*size)());
    if (count == 0) return;
    demand(values, "the vector");
    action(c.slave());
  });
}

}  // namespace

extern "C" {

fmi2Status fmi2EnterEventMode(fmi2Component component) {
  return guarded(component, "fmi2EnterEventMode", Phase::event | Phase::continuous, [](Component& c) {
    c.demand_model_exchange();
    c.slave().enter_event_mode();
  });
}

fmi2Status fmi2NewDiscreteStates(fmi2Component component, fmi2EventInfo* info) {
  return guarded(component, "fmi2NewDiscreteStates", static_cast<unsigned>(Phase::event), [&](Component& c) {
    demand(info, "fmi2eventInfo");
    auto const [next, again, states_changed] = c.slave().update_discrete_states();
    auto const flag = [](bool value) { return value ? fmi2True : fmi2False; };
    *info = {flag(again),     fmi2False, fmi2False, flag(states_changed), flag(next.has_value()),
             next.value_or(0)};
  });
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component component) {
  return guarded(component, "fmi2EnterContinuousTimeMode", static_cast<unsigned>(Phase::event),
                 [](Component& c) { c.slave().leave_event_mode(); });
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component component, fmi2Boolean, fmi2Boolean* enter_event_mode,
                                       fmi2Boolean* terminate) {
  return guarded(component, "fmi2CompletedIntegratorStep", static_cast<unsigned>(Phase::continuous),
                 [&](Component& c) {
                   demand(enter_event_mode, "enterEventMode");
                   demand(terminate, "terminateSimulation");
                   *enter_event_mode = c.slave().completed_integrator_step() ? fmi2True : fmi2False;
                   *terminate = fmi2False;
                 });
}

fmi2Status fmi2SetTime(fmi2Component component, fmi2Real time) {
  return guarded(component, "fmi2SetTime", Phase::event | Phase::continuous, [&](Component& c) {
    c.demand_model_exchange();
    c.slave().set_time(time);
  });
}

fmi2Status fmi2SetContinuousStates(fmi2Component component, const fmi2Real states[], std::size_t count) {
  return with_vector(component, "fmi2SetContinuousStates", static_cast<unsigned>(Phase::continuous), count,
                     states, &Slave::states, [&](Slave& slave) {
                       slave.set_states({states, count});
                     });
}

fmi2Status fmi2GetDerivatives(fmi2Component component, fmi2Real derivatives[], std::size_t count) {
  return with_vector(component, "fmi2GetDerivatives", readable, count, derivatives, &Slave::states,
                     [&](Slave& slave) {
                       slave.get_derivatives({derivatives, count});
                     });
}

fmi2Status fmi2GetEventIndicators(fmi2Component component, fmi2Real indicators[], std::size_t count) {
  return with_vector(component, "fmi2GetEventIndicators", readable, count, indicators,
                     &Slave::event_indicators, [&](Slave& slave) {
                       slave.get_event_indicators({indicators, count});
                     });
}

fmi2Status fmi2GetContinuousStates(fmi2Component component, fmi2Real states[], std::size_t count) {
  return with_vector(component, "fmi2GetContinuousStates", readable, count, states, &Slave::states,
                     [&](Slave& slave) {
                       slave.get_states({states, count});
                     });
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component component, fmi2Real nominals[],
                                             std::size_t count) {
  return with_vector(component, "fmi2GetNominalsOfContinuousStates", readable | Phase::instantiated, count,
                     nominals, &Slave::states,
                     [&](Slave&) { std::fill_n(nominals, count, nominal_of_states); });
}

}  // extern "C"
