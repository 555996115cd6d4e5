// The functions of an FMI 3 library, bound by name (FMI 3.0, section 2.2 and chapters 3 to 5).
#pragma once

#include "fmu/fmi3/interface.hpp"
#include "tools/support/shared_library.hpp"

namespace delassus {

// X(name) for every function of a group.
#define DELASSUS_FMI3_ACCESSORS(X, type) X(fmi3Get##type) X(fmi3Set##type)
// clang-format off
#define DELASSUS_FMI3_COMMON(X)                                                                             \
  X(fmi3GetVersion) X(fmi3SetDebugLogging) X(fmi3FreeInstance) X(fmi3EnterInitializationMode)               \
  X(fmi3ExitInitializationMode) X(fmi3EnterEventMode) X(fmi3Terminate) X(fmi3Reset)                         \
  DELASSUS_FMI3_ACCESSORS(X, Float32) DELASSUS_FMI3_ACCESSORS(X, Float64)                                   \
  DELASSUS_FMI3_ACCESSORS(X, Int8) DELASSUS_FMI3_ACCESSORS(X, UInt8) DELASSUS_FMI3_ACCESSORS(X, Int16)      \
  DELASSUS_FMI3_ACCESSORS(X, UInt16) DELASSUS_FMI3_ACCESSORS(X, Int32) DELASSUS_FMI3_ACCESSORS(X, UInt32)   \
  DELASSUS_FMI3_ACCESSORS(X, Int64) DELASSUS_FMI3_ACCESSORS(X, UInt64) DELASSUS_FMI3_ACCESSORS(X, Boolean)  \
  DELASSUS_FMI3_ACCESSORS(X, String) DELASSUS_FMI3_ACCESSORS(X, Binary) DELASSUS_FMI3_ACCESSORS(X, Clock)   \
  X(fmi3GetNumberOfVariableDependencies) X(fmi3GetVariableDependencies) X(fmi3GetFMUState)                  \
  X(fmi3SetFMUState) X(fmi3FreeFMUState) X(fmi3SerializedFMUStateSize) X(fmi3SerializeFMUState)             \
  X(fmi3DeserializeFMUState) X(fmi3GetDirectionalDerivative) X(fmi3GetAdjointDerivative)                    \
  X(fmi3EnterConfigurationMode) X(fmi3ExitConfigurationMode) X(fmi3GetIntervalDecimal)                      \
  X(fmi3GetIntervalFraction) X(fmi3GetShiftDecimal) X(fmi3GetShiftFraction) X(fmi3SetIntervalDecimal)       \
  X(fmi3SetIntervalFraction) X(fmi3SetShiftDecimal) X(fmi3SetShiftFraction) X(fmi3EvaluateDiscreteStates)   \
  X(fmi3UpdateDiscreteStates)
#define DELASSUS_FMI3_MODEL_EXCHANGE(X)                                                                     \
  X(fmi3InstantiateModelExchange) X(fmi3EnterContinuousTimeMode) X(fmi3CompletedIntegratorStep)             \
  X(fmi3SetTime) X(fmi3SetContinuousStates) X(fmi3GetContinuousStateDerivatives) X(fmi3GetEventIndicators)  \
  X(fmi3GetContinuousStates) X(fmi3GetNominalsOfContinuousStates) X(fmi3GetNumberOfEventIndicators)         \
  X(fmi3GetNumberOfContinuousStates)
#define DELASSUS_FMI3_CO_SIMULATION(X)                                                                      \
  X(fmi3InstantiateCoSimulation) X(fmi3EnterStepMode) X(fmi3GetOutputDerivatives) X(fmi3DoStep)
#define DELASSUS_FMI3_SCHEDULED_EXECUTION(X)                                                                \
  X(fmi3InstantiateScheduledExecution) X(fmi3ActivateModelPartition)
// clang-format on

// X(type of the description, type of the accessor): an enumeration is an Int64.
// clang-format off
#define DELASSUS_FMI3_NUMBERS(X)                                                                      \
  X(Float32, Float32) X(Float64, Float64) X(Int8, Int8) X(UInt8, UInt8) X(Int16, Int16) X(UInt16, UInt16)   \
  X(Int32, Int32) X(UInt32, UInt32) X(Int64, Int64) X(UInt64, UInt64) X(Boolean, Boolean)                   \
  X(Enumeration, Int64)
// clang-format on

struct Fmi3Library {
#define DECLARE(name) \
  decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses): a name to declare
  DELASSUS_FMI3_COMMON(DECLARE)
  DELASSUS_FMI3_MODEL_EXCHANGE(DECLARE)
  DELASSUS_FMI3_CO_SIMULATION(DECLARE)
#undef DECLARE

  Fmi3Library() = default;  // nothing bound
  explicit Fmi3Library(SharedLibrary const& library) {
#define BIND(name) library.bind(name, #name);
    DELASSUS_FMI3_COMMON(BIND)
    DELASSUS_FMI3_MODEL_EXCHANGE(BIND)
    DELASSUS_FMI3_CO_SIMULATION(BIND)
#undef BIND
  }
};

}  // namespace delassus
