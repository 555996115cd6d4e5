// Our own declarations of the C interface of FMI 3.0 (FMI 3.0.2, section 2.2 and chapters 3 to 5), which
// importers call. Sizes and meanings are those of the standard. The exported functions are defined in the
// sources component_*.cpp of this folder; a loader takes its pointer types from here with decltype.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float32 = float;
using fmi3Float64 = double;
using fmi3Int8 = std::int8_t;
using fmi3UInt8 = std::uint8_t;
using fmi3Int16 = std::int16_t;
using fmi3UInt16 = std::uint16_t;
using fmi3Int32 = std::int32_t;
using fmi3UInt32 = std::uint32_t;
using fmi3Int64 = std::int64_t;
using fmi3UInt64 = std::uint64_t;
using fmi3Boolean = bool;
using fmi3Char = char;
using fmi3String = const fmi3Char*;
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum fmi3DependencyKind {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
};
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                        fmi3String message);
using fmi3ClockUpdateCallback = void (*)(fmi3InstanceEnvironment);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment, fmi3Float64 time,
                                                fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                                fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                                fmi3Boolean* early_return_requested,
                                                fmi3Float64* early_return_time);
using fmi3LockPreemptionCallback = void (*)();
using fmi3UnlockPreemptionCallback = void (*)();

// All interface types
const char* fmi3GetVersion();
fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean on, std::size_t count,
                               const fmi3String categories[]);
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resource_path,
                                          fmi3Boolean visible, fmi3Boolean logging_on,
                                          fmi3InstanceEnvironment, fmi3LogMessageCallback);
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resource_path,
                                         fmi3Boolean visible, fmi3Boolean logging_on,
                                         fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
                                         const fmi3ValueReference intermediate[],
                                         std::size_t intermediate_count, fmi3InstanceEnvironment,
                                         fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resource_path,
                                               fmi3Boolean visible, fmi3Boolean logging_on,
                                               fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback);
void fmi3FreeInstance(fmi3Instance);
fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
                                       fmi3Float64 start_time, fmi3Boolean stop_time_defined,
                                       fmi3Float64 stop_time);
fmi3Status fmi3ExitInitializationMode(fmi3Instance);
fmi3Status fmi3EnterEventMode(fmi3Instance);
fmi3Status fmi3Terminate(fmi3Instance);
fmi3Status fmi3Reset(fmi3Instance);

// DELASSUS_FMI3_NUMERIC_TYPES(X): X(type) for every type whose getter and setter have the common form.
#define DELASSUS_FMI3_NUMERIC_TYPES(X) \
  X(Float32)                           \
  X(Float64) X(Int8) X(UInt8) X(Int16) X(UInt16) X(Int32) X(UInt32) X(Int64) X(UInt64) X(Boolean) X(String)
#define DELASSUS_FMI3_DECLARE_ACCESS(type)                                                                   \
  fmi3Status fmi3Get##type(fmi3Instance, const fmi3ValueReference[], std::size_t count, fmi3##type values[], \
                           std::size_t value_count);                                                         \
  fmi3Status fmi3Set##type(fmi3Instance, const fmi3ValueReference[], std::size_t count,                      \
                           const fmi3##type values[], std::size_t value_count);
DELASSUS_FMI3_NUMERIC_TYPES(DELASSUS_FMI3_DECLARE_ACCESS)
#undef DELASSUS_FMI3_DECLARE_ACCESS

fmi3Status fmi3GetBinary(fmi3Instance, const fmi3ValueReference[], std::size_t count, std::size_t sizes[],
                         fmi3Binary values[], std::size_t value_count);
fmi3Status fmi3SetBinary(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                         const std::size_t sizes[], const fmi3Binary values[], std::size_t value_count);
fmi3Status fmi3GetClock(fmi3Instance, const fmi3ValueReference[], std::size_t count, fmi3Clock values[]);
fmi3Status fmi3SetClock(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                        const fmi3Clock values[]);
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3ValueReference, std::size_t* count);
fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3ValueReference dependent,
                                       std::size_t dependent_elements[], fmi3ValueReference independents[],
                                       std::size_t independent_elements[], fmi3DependencyKind kinds[],
                                       std::size_t count);
fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState*);
fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState*);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, std::size_t* size);
fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte bytes[], std::size_t size);
fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte bytes[], std::size_t size, fmi3FMUState*);
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance, const fmi3ValueReference unknowns[],
                                        std::size_t unknown_count, const fmi3ValueReference knowns[],
                                        std::size_t known_count, const fmi3Float64 seed[],
                                        std::size_t seed_count, fmi3Float64 sensitivity[],
                                        std::size_t sensitivity_count);
fmi3Status fmi3GetAdjointDerivative(fmi3Instance, const fmi3ValueReference unknowns[],
                                    std::size_t unknown_count, const fmi3ValueReference knowns[],
                                    std::size_t known_count, const fmi3Float64 seed[], std::size_t seed_count,
                                    fmi3Float64 sensitivity[], std::size_t sensitivity_count);
fmi3Status fmi3EnterConfigurationMode(fmi3Instance);
fmi3Status fmi3ExitConfigurationMode(fmi3Instance);
fmi3Status fmi3GetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3GetIntervalFraction(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                                   fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3GetShiftDecimal(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                               fmi3Float64 shifts[]);
fmi3Status fmi3GetShiftFraction(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                                fmi3UInt64 counters[], fmi3UInt64 resolutions[]);
fmi3Status fmi3SetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                                  const fmi3Float64 intervals[]);
fmi3Status fmi3SetIntervalFraction(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                                   const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
fmi3Status fmi3SetShiftDecimal(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                               const fmi3Float64 shifts[]);
fmi3Status fmi3SetShiftFraction(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                                const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance);
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance, fmi3Boolean* need_update, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals_changed, fmi3Boolean* values_changed,
                                    fmi3Boolean* next_event_time_defined, fmi3Float64* next_event_time);

// Model exchange
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance);
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance, fmi3Boolean no_rollback, fmi3Boolean* enter_event_mode,
                                       fmi3Boolean* terminate);
fmi3Status fmi3SetTime(fmi3Instance, fmi3Float64 time);
fmi3Status fmi3SetContinuousStates(fmi3Instance, const fmi3Float64 states[], std::size_t count);
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance, fmi3Float64 derivatives[], std::size_t count);
fmi3Status fmi3GetEventIndicators(fmi3Instance, fmi3Float64 indicators[], std::size_t count);
fmi3Status fmi3GetContinuousStates(fmi3Instance, fmi3Float64 states[], std::size_t count);
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance, fmi3Float64 nominals[], std::size_t count);
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance, std::size_t* count);
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance, std::size_t* count);

// Co-simulation
fmi3Status fmi3EnterStepMode(fmi3Instance);
fmi3Status fmi3GetOutputDerivatives(fmi3Instance, const fmi3ValueReference[], std::size_t count,
                                    const fmi3Int32 orders[], fmi3Float64 values[], std::size_t value_count);
fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64 current_point, fmi3Float64 step_size, fmi3Boolean no_rollback,
                      fmi3Boolean* event_handling_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_successful_time);

// Scheduled execution
fmi3Status fmi3ActivateModelPartition(fmi3Instance, fmi3ValueReference clock, fmi3Float64 activation_time);

}  // extern "C"
