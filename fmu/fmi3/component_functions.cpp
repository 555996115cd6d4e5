// The FMI 3.0 interface of an instance: common functions and co-simulation. A mask beside each call tells in
// which states the function may be called (FMI 3.0.2, sections 2.3 and 4.2). Everything else is a translation
// of types. Arrays are read and written as a whole.
#include <algorithm>
#include <memory>

#include "fmu/fmi3/component.hpp"

using namespace delassus;

namespace {

// During an intermediate update only the variables that were announced may be read and set (FMI 3.0.2, section
// 4.2.2).
void demand_intermediate(Component& c, std::span<const std::uint32_t> references) {
  if (c.slave().phase() != Phase::intermediate) return;
  auto const& announced = c.intermediate_variables;
  for (std::uint32_t const reference : references) {
    if (std::find(announced.begin(), announced.end(), reference) != announced.end()) continue;
    throw SlaveError(Status::error, "the value reference " + std::to_string(reference) +
                                        " is not among the requiredIntermediateVariables of the instance");
  }
}

template <class Value>
fmi3Status get(fmi3Instance instance, char const* function, TypeSet types,
               const fmi3ValueReference references[], std::size_t count, Value values[],
               std::size_t value_count) {
  return guarded(instance, function, any_phase | Phase::intermediate, [&](Component& c) {
    if (count == 0 && value_count == 0) return;
    demand(references, "valueReferences");
    demand(values, "values");
    demand_intermediate(c, {references, count});
    c.slave().check_count(types, true, {references, count}, value_count);
    c.buffer.resize(value_count);
    c.slave().get(types, true, {references, count}, c.buffer);
    std::transform(c.buffer.begin(), c.buffer.end(), values,
                   [](double value) { return static_cast<Value>(value); });
  });
}

template <class Value>
fmi3Status set(fmi3Instance instance, char const* function, TypeSet types,
               const fmi3ValueReference references[], std::size_t count, const Value values[],
               std::size_t value_count) {
  return guarded(instance, function, before_the_end | Phase::intermediate, [&](Component& c) {
    if (count == 0 && value_count == 0) return;
    demand(references, "valueReferences");
    demand(values, "values");
    demand_intermediate(c, {references, count});
    c.slave().check_count(types, true, {references, count}, value_count);
    c.buffer.resize(value_count);
    std::transform(values, values + value_count, c.buffer.begin(),
                   [](Value value) { return static_cast<double>(value); });
    c.slave().set(types, true, {references, count}, c.buffer);
  });
}

// The value references that a variable depends on in the present state, as in the description: whole
// variables.
std::vector<std::uint32_t> dependencies_of(Slave const& slave, std::uint32_t reference) {
  auto const [variable, offset] = slave.model().table().find(reference);
  if (!variable || offset != 0)
    throw SlaveError(Status::error, "no variable has the value reference " + std::to_string(reference));
  if (slave.phase() == Phase::instantiated || slave.phase() == Phase::initialization)
    return variable->initial_dependencies;
  std::vector<std::uint32_t> references = variable->input_dependencies;
  for (References const* more : {&variable->parameter_dependencies, &variable->state_dependencies})
    references.insert(references.end(), more->begin(), more->end());
  std::sort(references.begin(), references.end());
  return references;
}

}  // namespace

extern "C" {

const char* fmi3GetVersion() {
  return "3.0";
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resource_path,
                                         fmi3Boolean, fmi3Boolean logging_on, fmi3Boolean event_mode_used,
                                         fmi3Boolean early_return_allowed,
                                         const fmi3ValueReference intermediate[],
                                         std::size_t intermediate_count, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log_message,
                                         fmi3IntermediateUpdateCallback intermediate_update) {
  SlaveOptions options;
  options.event_mode = event_mode_used;
  options.early_return = early_return_allowed;
  return instantiate_fmi3("fmi3InstantiateCoSimulation", name, token, resource_path, logging_on, environment,
                          log_message, options, [&](Fmi3Component& component) {
                            component.environment = environment;
                            component.intermediate_update = intermediate_update;
                            if (intermediate_count == 0) return;
                            demand(intermediate, "requiredIntermediateVariables");
                            std::span const references(intermediate, intermediate_count);
                            for (std::uint32_t const reference : references)
                              demand_intermediate_update(component.slave().model().table(), reference);
                            component.intermediate_variables.assign(references.begin(), references.end());
                          });
}

void fmi3FreeInstance(fmi3Instance instance) {
  delete static_cast<Fmi3Component*>(instance);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, std::size_t count,
                               const fmi3String categories[]) {
  return guarded(instance, "fmi3SetDebugLogging", any_phase,
                 [&](Component& c) { c.set_logging(on, count, categories); });
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start_time,
                                       fmi3Boolean stop_time_defined, fmi3Float64 stop_time) {
  return guarded(
      instance, "fmi3EnterInitializationMode", static_cast<unsigned>(Phase::instantiated), [&](Component& c) {
        c.slave().setup_experiment(start_time, stop_time_defined ? std::optional(stop_time) : std::nullopt,
                                   tolerance_defined ? std::optional(tolerance) : std::nullopt);
        c.slave().enter_initialization();
      });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return guarded(instance, "fmi3ExitInitializationMode", static_cast<unsigned>(Phase::initialization),
                 [](Component& c) { c.slave().exit_initialization(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return guarded(instance, "fmi3Terminate", Phase::step | Phase::event | Phase::continuous,
                 [](Component& c) { c.slave().terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return guarded(instance, "fmi3Reset", any_phase, [](Component& c) { c.slave().reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t count,
                          fmi3Float64 values[], std::size_t value_count) {
  return get(instance, "fmi3GetFloat64", VariableType::real, references, count, values, value_count);
}
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t count,
                          const fmi3Float64 values[], std::size_t value_count) {
  return set(instance, "fmi3SetFloat64", VariableType::real, references, count, values, value_count);
}
fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference references[], std::size_t count,
                        fmi3Int32 values[], std::size_t value_count) {
  return get(instance, "fmi3GetInt32", VariableType::integer, references, count, values, value_count);
}
fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference references[], std::size_t count,
                        const fmi3Int32 values[], std::size_t value_count) {
  return set(instance, "fmi3SetInt32", VariableType::integer, references, count, values, value_count);
}
// In FMI 3.0 enumerations are passed as Int64.
fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t count,
                        fmi3Int64 values[], std::size_t value_count) {
  return get(instance, "fmi3GetInt64", VariableType::enumeration, references, count, values, value_count);
}
fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference references[], std::size_t count,
                        const fmi3Int64 values[], std::size_t value_count) {
  return set(instance, "fmi3SetInt64", VariableType::enumeration, references, count, values, value_count);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference,
                                               std::size_t* count) {
  return guarded(instance, "fmi3GetNumberOfVariableDependencies", any_phase, [&](Component& c) {
    demand(count, "nDependencies");
    *count = dependencies_of(c.slave(), reference).size();
  });
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference reference,
                                       std::size_t dependent_elements[], fmi3ValueReference independents[],
                                       std::size_t independent_elements[], fmi3DependencyKind kinds[],
                                       std::size_t count) {
  return guarded(instance, "fmi3GetVariableDependencies", any_phase, [&](Component& c) {
    auto const dependencies = dependencies_of(c.slave(), reference);
    if (count != dependencies.size()) {
      throw SlaveError(Status::error, "nDependencies is " + std::to_string(count) + " and must be " +
                                          std::to_string(dependencies.size()));
    }
    if (count == 0) return;
    demand(dependent_elements, "elementIndicesOfDependent");
    demand(independents, "independents");
    demand(independent_elements, "elementIndicesOfIndependents");
    demand(kinds, "dependencyKinds");
    for (std::size_t i = 0; i < count; ++i) {
      independents[i] = dependencies[i];
      dependent_elements[i] = independent_elements[i] = 0;  // all elements (FMI 3.0.2, section 2.2.10)
      kinds[i] = fmi3Dependent;
    }
  });
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return guarded(instance, "fmi3GetFMUState", any_phase, [&](Component& c) { c.take_state(state); });
}
fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return guarded(instance, "fmi3SetFMUState", any_phase, [&](Component& c) { c.put_state(state); });
}
fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return guarded(instance, "fmi3FreeFMUState", any_phase, [&](Component&) { Component::free_state(state); });
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size) {
  return guarded(instance, "fmi3SerializedFMUStateSize", any_phase, [&](Component&) {
    demand(size, "size");
    *size = Component::state_size(state);
  });
}
fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 std::size_t size) {
  return guarded(instance, "fmi3SerializeFMUState", any_phase,
                 [&](Component&) { Component::write_state(state, bytes, size); });
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], std::size_t size,
                                   fmi3FMUState* state) {
  return guarded(instance, "fmi3DeserializeFMUState", any_phase,
                 [&](Component& c) { c.read_state(bytes, size, state); });
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return guarded(instance, "fmi3EnterEventMode", Phase::step | Phase::continuous,
                 [](Component& c) { c.slave().enter_event_mode(); });
}

// Impacts change states in model exchange. Only sampled controllers have time events.
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discrete_states_need_update,
                                    fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
                                    fmi3Boolean* states_changed, fmi3Boolean* next_event_time_defined,
                                    fmi3Float64* next_event_time) {
  return guarded(instance, "fmi3UpdateDiscreteStates", static_cast<unsigned>(Phase::event),
                 [&](Component& c) {
                   auto const [next, again, changed] = c.slave().update_discrete_states();
                   if (discrete_states_need_update) *discrete_states_need_update = again;
                   for (fmi3Boolean* const answer : {terminate, nominals_changed}) {
                     if (answer) *answer = false;
                   }
                   if (states_changed) *states_changed = changed;
                   if (next_event_time_defined) *next_event_time_defined = next.has_value();
                   if (next_event_time) *next_event_time = next.value_or(0);
                 });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return guarded(instance, "fmi3EnterStepMode", static_cast<unsigned>(Phase::event), [](Component& c) {
    c.demand_co_simulation();
    c.slave().leave_event_mode();
  });
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], std::size_t count,
                        fmi3Clock values[]) {
  return guarded(instance, "fmi3GetClock", static_cast<unsigned>(Phase::event), [&](Component& c) {
    if (count == 0) return;
    demand(references, "valueReferences");
    demand(values, "values");
    c.slave().check_count(VariableType::clock, true, {references, count}, count);
    c.buffer.resize(count);
    c.slave().get(VariableType::clock, true, {references, count}, c.buffer);
    std::transform(c.buffer.begin(), c.buffer.end(), values, [](double value) { return value != 0; });
  });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 current_point, fmi3Float64 step_size, fmi3Boolean,
                      fmi3Boolean* event_handling_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_successful_time) {
  StepResult result;
  fmi3Status const status =
      guarded(instance, "fmi3DoStep", static_cast<unsigned>(Phase::step), [&](Component& component) {
        auto& c = static_cast<Fmi3Component&>(component);
        IntermediateUpdate update;
        if (c.intermediate_update) {
          update = [&c](double time) {
            IntermediateAnswer answer;
            bool const can_return = c.slave().options().early_return;
            fmi3Boolean requested = false;
            fmi3Float64 at = time;
            c.intermediate_update(c.environment, time, true, true, true, can_return, &requested, &at);
            answer.return_early = can_return && requested;
            answer.time = at;
            return answer;
          };
        }
        result = c.slave().do_step(current_point, step_size, update);
      });
  if (event_handling_needed) *event_handling_needed = result.event;
  if (terminate) *terminate = false;
  if (early_return) *early_return = result.early;
  if (last_successful_time && instance)
    *last_successful_time = static_cast<Component*>(instance)->slave().time();
  return status;
}

}  // extern "C"
