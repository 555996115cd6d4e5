// The functions of an FMI 2 library, bound by name (FMI 2.0.4, sections 2.1, 3.2 and 4.2).
#pragma once

#include "fmu/fmi2/interface.hpp"
#include "tools/support/shared_library.hpp"

namespace delassus {

// X(name) for every function of a group.
// clang-format off
#define DELASSUS_FMI2_COMMON(X)                                                                             \
  X(fmi2GetTypesPlatform) X(fmi2GetVersion) X(fmi2SetDebugLogging) X(fmi2Instantiate) X(fmi2FreeInstance)   \
  X(fmi2SetupExperiment) X(fmi2EnterInitializationMode) X(fmi2ExitInitializationMode) X(fmi2Terminate)      \
  X(fmi2Reset) X(fmi2GetReal) X(fmi2GetInteger) X(fmi2GetBoolean) X(fmi2GetString) X(fmi2SetReal)           \
  X(fmi2SetInteger) X(fmi2SetBoolean) X(fmi2SetString) X(fmi2GetFMUstate) X(fmi2SetFMUstate)                \
  X(fmi2FreeFMUstate) X(fmi2SerializedFMUstateSize) X(fmi2SerializeFMUstate) X(fmi2DeSerializeFMUstate)     \
  X(fmi2GetDirectionalDerivative)
#define DELASSUS_FMI2_MODEL_EXCHANGE(X)                                                                     \
  X(fmi2EnterEventMode) X(fmi2NewDiscreteStates) X(fmi2EnterContinuousTimeMode)                             \
  X(fmi2CompletedIntegratorStep) X(fmi2SetTime) X(fmi2SetContinuousStates) X(fmi2GetDerivatives)            \
  X(fmi2GetEventIndicators) X(fmi2GetContinuousStates) X(fmi2GetNominalsOfContinuousStates)
#define DELASSUS_FMI2_CO_SIMULATION(X)                                                                      \
  X(fmi2SetRealInputDerivatives) X(fmi2GetRealOutputDerivatives) X(fmi2DoStep) X(fmi2CancelStep)            \
  X(fmi2GetStatus) X(fmi2GetRealStatus) X(fmi2GetIntegerStatus) X(fmi2GetBooleanStatus)                     \
  X(fmi2GetStringStatus)
// clang-format on

struct Fmi2Library {
#define DECLARE(name) \
  decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses): a name to declare
  DELASSUS_FMI2_COMMON(DECLARE)
  DELASSUS_FMI2_MODEL_EXCHANGE(DECLARE)
  DELASSUS_FMI2_CO_SIMULATION(DECLARE)
#undef DECLARE

  Fmi2Library() = default;  // nothing bound
  explicit Fmi2Library(SharedLibrary const& library) {
#define BIND(name) library.bind(name, #name);
    DELASSUS_FMI2_COMMON(BIND)
    DELASSUS_FMI2_MODEL_EXCHANGE(BIND)
    DELASSUS_FMI2_CO_SIMULATION(BIND)
#undef BIND
  }
};

}  // namespace delassus
