// The functions of the FMI 3.0 header that this FMU does not offer. They exist because importers look for
// every symbol. Each logs a message and returns an error, and the description declares none of them.
#include "fmu/fmi3/component.hpp"

using namespace delassus;

namespace {

fmi3Status no_variables(fmi3Instance instance, char const* function, std::size_t count, char const* type) {
  return guarded(instance, function, any_phase, [&](Component&) {
    if (count > 0) throw SlaveError(Status::error, "this FMU has no variables of type " + std::string(type));
  });
}

fmi3Instance refuse_instance(char const* function, char const* kind, fmi3InstanceEnvironment environment,
                             fmi3LogMessageCallback log) {
  if (log)
    log(environment, fmi3Error, "logStatusError",
        (std::string(function) + ": " + kind + " is not offered by this FMU; use co-simulation").c_str());
  return nullptr;
}

}  // namespace

extern "C" {

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback log, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback) {
  return refuse_instance("fmi3InstantiateScheduledExecution", "scheduled execution", environment, log);
}

// Types that no variable has.
#define DELASSUS_NO_VARIABLES(type)                                                              \
  fmi3Status fmi3Get##type(fmi3Instance instance, const fmi3ValueReference[], std::size_t count, \
                           fmi3##type[], std::size_t) {                                          \
    return no_variables(instance, "fmi3Get" #type, count, #type);                                \
  }                                                                                              \
  fmi3Status fmi3Set##type(fmi3Instance instance, const fmi3ValueReference[], std::size_t count, \
                           const fmi3##type[], std::size_t) {                                    \
    return no_variables(instance, "fmi3Set" #type, count, #type);                                \
  }
DELASSUS_NO_VARIABLES(Float32)
DELASSUS_NO_VARIABLES(Int8)
DELASSUS_NO_VARIABLES(UInt8)
DELASSUS_NO_VARIABLES(Int16)
DELASSUS_NO_VARIABLES(UInt16)
DELASSUS_NO_VARIABLES(UInt32)
DELASSUS_NO_VARIABLES(UInt64)
DELASSUS_NO_VARIABLES(Boolean)
DELASSUS_NO_VARIABLES(String)
#undef DELASSUS_NO_VARIABLES

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference[], std::size_t count, std::size_t[],
                         fmi3Binary[], std::size_t) {
  return no_variables(i, "fmi3GetBinary", count, "Binary");
}
fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference[], std::size_t count, const std::size_t[],
                         const fmi3Binary[], std::size_t) {
  return no_variables(i, "fmi3SetBinary", count, "Binary");
}
fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference[], std::size_t count, const fmi3Clock[]) {
  return no_variables(i, "fmi3SetClock", count, "Clock that can be set");
}

// Clocks
fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], std::size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return not_offered(i, "fmi3GetIntervalDecimal", "clocks with an interval are");
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], std::size_t, fmi3UInt64[],
                                   fmi3UInt64[], fmi3IntervalQualifier[]) {
  return not_offered(i, "fmi3GetIntervalFraction", "clocks with an interval are");
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], std::size_t, fmi3Float64[]) {
  return not_offered(i, "fmi3GetShiftDecimal", "clocks with an interval are");
}
fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference[], std::size_t, fmi3UInt64[],
                                fmi3UInt64[]) {
  return not_offered(i, "fmi3GetShiftFraction", "clocks with an interval are");
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], std::size_t,
                                  const fmi3Float64[]) {
  return not_offered(i, "fmi3SetIntervalDecimal", "clocks with an interval are");
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], std::size_t,
                                   const fmi3UInt64[], const fmi3UInt64[]) {
  return not_offered(i, "fmi3SetIntervalFraction", "clocks with an interval are");
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], std::size_t, const fmi3Float64[]) {
  return not_offered(i, "fmi3SetShiftDecimal", "clocks with an interval are");
}
fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference[], std::size_t, const fmi3UInt64[],
                                const fmi3UInt64[]) {
  return not_offered(i, "fmi3SetShiftFraction", "clocks with an interval are");
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference, fmi3Float64) {
  return not_offered(i, "fmi3ActivateModelPartition", "scheduled execution is");
}

// Structural parameters
fmi3Status fmi3EnterConfigurationMode(fmi3Instance i) {
  return not_offered(i, "fmi3EnterConfigurationMode", "structural parameters are");
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance i) {
  return not_offered(i, "fmi3ExitConfigurationMode", "structural parameters are");
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i) {
  return not_offered(i, "fmi3EvaluateDiscreteStates",
                     "fmi3EvaluateDiscreteStates, whose work fmi3UpdateDiscreteStates does, is");
}

}  // extern "C"
