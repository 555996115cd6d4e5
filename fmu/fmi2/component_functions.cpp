// The FMI 2.0 interface of an instance: common functions and co-simulation. A mask beside each call tells in
// which states the function may be called (FMI 2.0.4, sections 3.2.3 and 4.2.4). Everything else is a
// translation of types.
#include <algorithm>
#include <memory>

#include "fmu/fmi2/component.hpp"
#include "fmu/instance/resource_location.hpp"

using namespace delassus;

namespace {

// For functions that this FMU neither offers nor declares.
fmi2Status not_offered(fmi2Component component, char const* function, char const* what) {
  return guarded(component, function, any_phase, [&](Component&) {
    throw SlaveError(Status::error, std::string(what) + " is not offered by this FMU");
  });
}

// No variable of this FMU has the type. An empty request is still allowed.
fmi2Status no_variables(fmi2Component component, char const* function, std::size_t count, char const* type) {
  return guarded(component, function, any_phase, [&](Component&) {
    if (count > 0) throw SlaveError(Status::error, "this FMU has no " + std::string(type) + " variables");
  });
}

template <class Value>
fmi2Status get(fmi2Component component, char const* function, TypeSet types,
               const fmi2ValueReference references[], std::size_t count, Value values[]) {
  return guarded(component, function, after_initialization_began, [&](Component& c) {
    if (count == 0) return;
    demand(references, "vr");
    demand(values, "value");
    c.slave().check_count(types, false, {references, count}, count);
    c.buffer.resize(count);
    c.slave().get(types, false, {references, count}, c.buffer);
    std::transform(c.buffer.begin(), c.buffer.end(), values,
                   [](double value) { return static_cast<Value>(value); });
  });
}

template <class Value>
fmi2Status set(fmi2Component component, char const* function, TypeSet types,
               const fmi2ValueReference references[], std::size_t count, const Value values[]) {
  return guarded(component, function, before_the_end, [&](Component& c) {
    if (count == 0) return;
    demand(references, "vr");
    demand(values, "value");
    c.slave().check_count(types, false, {references, count}, count);
    c.buffer.assign(values, values + count);
    c.slave().set(types, false, {references, count}, c.buffer);
  });
}

TypeSet const integers = TypeSet(VariableType::integer) | VariableType::enumeration;

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform() {
  return "default";
}
const char* fmi2GetVersion() {
  return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resource_location,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean logging_on) {
  std::unique_ptr<Component> component;
  try {
    std::string const instance_name = name ? name : "";
    Component::Deliver deliver;
    if (functions && functions->logger) {
      deliver = [instance_name, logger = functions->logger, environment = functions->componentEnvironment](
                    Status status, char const* category, char const* message) {
        // In FMI 2 the message is a printf format, and ours may contain a percent sign.
        logger(environment, instance_name.c_str(), to_fmi2(status), category, "%s", message);
      };
    }
    component = std::make_unique<Component>(instance_name, logging_on != fmi2False, deliver);
  } catch (...) {
    return nullptr;
  }
  Status const status = component->guard("fmi2Instantiate", any_phase, [&] {
    if (component->name().empty()) throw SlaveError(Status::error, "the instance name is missing");
    if (!resource_location)
      throw SlaveError(Status::error, "the resource location is NULL; this FMU needs its 'resources' folder");
    SlaveOptions options;
    options.model_exchange = type == fmi2ModelExchange;
    component->load(2, guid, path_from_resource_location(resource_location), options);
  });
  return status == Status::ok ? component.release() : nullptr;
}

void fmi2FreeInstance(fmi2Component component) {
  delete static_cast<Component*>(component);
}

fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, std::size_t count,
                               const fmi2String categories[]) {
  return guarded(component, "fmi2SetDebugLogging", any_phase,
                 [&](Component& c) { c.set_logging_only(on != fmi2False, count, categories); });
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start_time, fmi2Boolean stop_time_defined, fmi2Real stop_time) {
  return guarded(
      component, "fmi2SetupExperiment", static_cast<unsigned>(Phase::instantiated), [&](Component& c) {
        c.slave().setup_experiment(start_time, stop_time_defined ? std::optional(stop_time) : std::nullopt,
                                   tolerance_defined ? std::optional(tolerance) : std::nullopt);
      });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
  return guarded(component, "fmi2EnterInitializationMode", static_cast<unsigned>(Phase::instantiated),
                 [](Component& c) { c.slave().enter_initialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
  return guarded(component, "fmi2ExitInitializationMode", static_cast<unsigned>(Phase::initialization),
                 [](Component& c) { c.slave().exit_initialization(); });
}

fmi2Status fmi2Terminate(fmi2Component component) {
  return guarded(component, "fmi2Terminate", Phase::step | Phase::event | Phase::continuous,
                 [](Component& c) { c.slave().terminate(); });
}

fmi2Status fmi2Reset(fmi2Component component) {
  return guarded(component, "fmi2Reset", any_phase, [](Component& c) { c.slave().reset(); });
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], std::size_t count,
                       fmi2Real values[]) {
  return get(component, "fmi2GetReal", VariableType::real, references, count, values);
}
fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference references[], std::size_t count,
                          fmi2Integer values[]) {
  return get(component, "fmi2GetInteger", integers, references, count, values);
}
fmi2Status fmi2GetBoolean(fmi2Component component, const fmi2ValueReference[], std::size_t count,
                          fmi2Boolean[]) {
  return no_variables(component, "fmi2GetBoolean", count, "boolean");
}
fmi2Status fmi2GetString(fmi2Component component, const fmi2ValueReference[], std::size_t count,
                         fmi2String[]) {
  return no_variables(component, "fmi2GetString", count, "string");
}
fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], std::size_t count,
                       const fmi2Real values[]) {
  return set(component, "fmi2SetReal", VariableType::real, references, count, values);
}
fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference references[], std::size_t count,
                          const fmi2Integer values[]) {
  return set(component, "fmi2SetInteger", integers, references, count, values);
}
fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference[], std::size_t count,
                          const fmi2Boolean[]) {
  return no_variables(component, "fmi2SetBoolean", count, "boolean");
}
fmi2Status fmi2SetString(fmi2Component component, const fmi2ValueReference[], std::size_t count,
                         const fmi2String[]) {
  return no_variables(component, "fmi2SetString", count, "string");
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state) {
  return guarded(component, "fmi2GetFMUstate", any_phase, [&](Component& c) { c.take_state(state); });
}
fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
  return guarded(component, "fmi2SetFMUstate", any_phase, [&](Component& c) { c.put_state(state); });
}
fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate* state) {
  return guarded(component, "fmi2FreeFMUstate", any_phase, [&](Component&) { Component::free_state(state); });
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, std::size_t* size) {
  return guarded(component, "fmi2SerializedFMUstateSize", any_phase, [&](Component&) {
    demand(size, "size");
    *size = Component::state_size(state);
  });
}
fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[],
                                 std::size_t size) {
  return guarded(component, "fmi2SerializeFMUstate", any_phase,
                 [&](Component&) { Component::write_state(state, bytes, size); });
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], std::size_t size,
                                   fmi2FMUstate* state) {
  return guarded(component, "fmi2DeSerializeFMUstate", any_phase,
                 [&](Component& c) { c.read_state(bytes, size, state); });
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real current_point, fmi2Real step_size, fmi2Boolean) {
  return guarded(component, "fmi2DoStep", static_cast<unsigned>(Phase::step),
                 [&](Component& c) { c.slave().do_step(current_point, step_size); });
}

fmi2Status fmi2CancelStep(fmi2Component component) {
  // Only allowed while a step is pending, which never happens here.
  return not_offered(component, "fmi2CancelStep",
                     "a step that runs asynchronously, which could be cancelled,");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference references[],
                                       std::size_t count, const fmi2Integer orders[],
                                       const fmi2Real values[]) {
  return guarded(component, "fmi2SetRealInputDerivatives",
                 Phase::instantiated | Phase::initialization | Phase::step, [&](Component& c) {
                   c.demand_co_simulation();
                   if (count == 0) return;
                   demand(references, "vr");
                   demand(orders, "order");
                   demand(values, "value");
                   c.slave().set_input_derivatives({references, count}, {orders, count}, {values, count});
                 });
}

// A step never runs asynchronously and never ends early. The only thing to inquire is the time reached.
fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real* value) {
  return guarded(component, "fmi2GetRealStatus", Phase::step | Phase::terminated, [&](Component& c) {
    c.demand_co_simulation();
    demand(value, "value");
    if (kind != fmi2LastSuccessfulTime)
      throw SlaveError(Status::discard, "only fmi2LastSuccessfulTime has a real value");
    *value = c.slave().time();
  });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind, fmi2Boolean* value) {
  return guarded(component, "fmi2GetBooleanStatus", Phase::step | Phase::terminated, [&](Component& c) {
    c.demand_co_simulation();
    demand(value, "value");
    if (kind != fmi2Terminated) throw SlaveError(Status::discard, "only fmi2Terminated has a boolean value");
    *value = fmi2False;  // this FMU never asks to end the simulation
  });
}
fmi2Status fmi2GetStatus(fmi2Component component, fmi2StatusKind, fmi2Status*) {
  return guarded(component, "fmi2GetStatus", Phase::step | Phase::terminated, [](Component& c) {
    c.demand_co_simulation();
    throw SlaveError(Status::discard, "no step is pending: steps are made at once");
  });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component component, fmi2StatusKind, fmi2Integer*) {
  return guarded(component, "fmi2GetIntegerStatus", Phase::step | Phase::terminated, [](Component& c) {
    c.demand_co_simulation();
    throw SlaveError(Status::discard, "FMI 2.0 defines no integer status");
  });
}
fmi2Status fmi2GetStringStatus(fmi2Component component, fmi2StatusKind, fmi2String*) {
  return guarded(component, "fmi2GetStringStatus", Phase::step | Phase::terminated, [](Component& c) {
    c.demand_co_simulation();
    throw SlaveError(Status::discard, "no step is pending: steps are made at once");
  });
}

}  // extern "C"
