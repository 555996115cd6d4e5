// Our own declarations of the C interface of FMI 2.0 (FMI 2.0.4, sections 2.1, 3.2 and 4.2), which importers
// call. Sizes and meanings are those of the standard. The exported functions are defined in the sources
// component_*.cpp of this folder; a loader takes its pointer types from here with decltype.
#pragma once

#include <cstddef>

extern "C" {

using fmi2Component = void*;
using fmi2ComponentEnvironment = void*;
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2Char = char;
using fmi2String = const fmi2Char*;
using fmi2Byte = char;

inline constexpr fmi2Boolean fmi2True = 1;
inline constexpr fmi2Boolean fmi2False = 0;

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

using fmi2CallbackLogger = void (*)(fmi2ComponentEnvironment, fmi2String instance_name, fmi2Status,
                                    fmi2String category, fmi2String format, ...);
using fmi2CallbackAllocateMemory = void* (*)(std::size_t count, std::size_t size);
using fmi2CallbackFreeMemory = void (*)(void*);
using fmi2StepFinished = void (*)(fmi2ComponentEnvironment, fmi2Status);

struct fmi2CallbackFunctions {
  fmi2CallbackLogger logger;
  fmi2CallbackAllocateMemory allocateMemory;
  fmi2CallbackFreeMemory freeMemory;
  fmi2StepFinished stepFinished;
  fmi2ComponentEnvironment componentEnvironment;
};

struct fmi2EventInfo {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
};

// Both model kinds
const char* fmi2GetTypesPlatform();
const char* fmi2GetVersion();
fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean on, std::size_t count,
                               const fmi2String categories[]);
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type, fmi2String guid, fmi2String resource_location,
                              const fmi2CallbackFunctions*, fmi2Boolean visible, fmi2Boolean logging_on);
void fmi2FreeInstance(fmi2Component);
fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start_time, fmi2Boolean stop_time_defined, fmi2Real stop_time);
fmi2Status fmi2EnterInitializationMode(fmi2Component);
fmi2Status fmi2ExitInitializationMode(fmi2Component);
fmi2Status fmi2Terminate(fmi2Component);
fmi2Status fmi2Reset(fmi2Component);
fmi2Status fmi2GetReal(fmi2Component, const fmi2ValueReference[], std::size_t count, fmi2Real values[]);
fmi2Status fmi2GetInteger(fmi2Component, const fmi2ValueReference[], std::size_t count, fmi2Integer values[]);
fmi2Status fmi2GetBoolean(fmi2Component, const fmi2ValueReference[], std::size_t count, fmi2Boolean values[]);
fmi2Status fmi2GetString(fmi2Component, const fmi2ValueReference[], std::size_t count, fmi2String values[]);
fmi2Status fmi2SetReal(fmi2Component, const fmi2ValueReference[], std::size_t count, const fmi2Real values[]);
fmi2Status fmi2SetInteger(fmi2Component, const fmi2ValueReference[], std::size_t count,
                          const fmi2Integer values[]);
fmi2Status fmi2SetBoolean(fmi2Component, const fmi2ValueReference[], std::size_t count,
                          const fmi2Boolean values[]);
fmi2Status fmi2SetString(fmi2Component, const fmi2ValueReference[], std::size_t count,
                         const fmi2String values[]);
fmi2Status fmi2GetFMUstate(fmi2Component, fmi2FMUstate*);
fmi2Status fmi2SetFMUstate(fmi2Component, fmi2FMUstate);
fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate*);
fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, std::size_t* size);
fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate, fmi2Byte bytes[], std::size_t size);
fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte bytes[], std::size_t size, fmi2FMUstate*);
fmi2Status fmi2GetDirectionalDerivative(fmi2Component, const fmi2ValueReference unknowns[],
                                        std::size_t unknown_count, const fmi2ValueReference knowns[],
                                        std::size_t known_count, const fmi2Real seed[],
                                        fmi2Real sensitivity[]);

// Model exchange
fmi2Status fmi2EnterEventMode(fmi2Component);
fmi2Status fmi2NewDiscreteStates(fmi2Component, fmi2EventInfo*);
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component);
fmi2Status fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean no_rollback, fmi2Boolean* enter_event_mode,
                                       fmi2Boolean* terminate);
fmi2Status fmi2SetTime(fmi2Component, fmi2Real time);
fmi2Status fmi2SetContinuousStates(fmi2Component, const fmi2Real states[], std::size_t count);
fmi2Status fmi2GetDerivatives(fmi2Component, fmi2Real derivatives[], std::size_t count);
fmi2Status fmi2GetEventIndicators(fmi2Component, fmi2Real indicators[], std::size_t count);
fmi2Status fmi2GetContinuousStates(fmi2Component, fmi2Real states[], std::size_t count);
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component, fmi2Real nominals[], std::size_t count);

// Co-simulation
fmi2Status fmi2SetRealInputDerivatives(fmi2Component, const fmi2ValueReference[], std::size_t count,
                                       const fmi2Integer orders[], const fmi2Real values[]);
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component, const fmi2ValueReference[], std::size_t count,
                                        const fmi2Integer orders[], fmi2Real values[]);
fmi2Status fmi2DoStep(fmi2Component, fmi2Real current_point, fmi2Real step_size, fmi2Boolean no_rollback);
fmi2Status fmi2CancelStep(fmi2Component);
fmi2Status fmi2GetStatus(fmi2Component, fmi2StatusKind, fmi2Status* value);
fmi2Status fmi2GetRealStatus(fmi2Component, fmi2StatusKind, fmi2Real* value);
fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer* value);
fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2StatusKind, fmi2Boolean* value);
fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String* value);

}  // extern "C"
