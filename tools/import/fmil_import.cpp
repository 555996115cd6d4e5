#include "tools/import/fmil_import.hpp"

#include <fmt/format.h>

#include <cstdlib>

// Last: FMIL gives the standard's names of types other meanings.
#include <fmilib.h>

namespace delassus {
namespace {

// An argument as FMIL declares it: the same bits by another name of the type.
template <class Given>
struct Renamed {
  Given given;

  template <class Wanted>
  operator Wanted() const {  // NOLINT: that is what it is for
    if constexpr (std::is_same_v<Given, Wanted>) {
      return given;
    } else if constexpr (std::is_pointer_v<Given>) {
      static_assert(std::is_pointer_v<Wanted>);
      // FMIL leaves out some a const.
      return (Wanted)(given);  // NOLINT
    } else {
      static_assert(sizeof(Given) == sizeof(Wanted));
      return static_cast<Wanted>(given);
    }
  }
};

// One FMU as FMIL has it; its address is the handle of the instance.
template <class Import>
struct FmilFmu {
  jm_callbacks callbacks{};
  fmi_import_context_t* context = nullptr;
  Import* import = nullptr;
  bool loaded = false, instantiated = false;
  std::string said;  // FMIL's own errors

  FmilFmu() {
    callbacks.malloc = std::malloc;
    callbacks.calloc = std::calloc;
    callbacks.realloc = std::realloc;
    callbacks.free = std::free;
    callbacks.logger = [](jm_callbacks* of, jm_string, jm_log_level_enu_t level, jm_string message) {
      auto& text = *static_cast<std::string*>(of->context);
      if (level <= jm_log_level_error) text += (text.empty() ? "" : "; ") + std::string(message);
    };
    callbacks.log_level = jm_log_level_error;
    callbacks.context = &said;
    context = fmi_import_allocate_context(&callbacks);
  }
  FmilFmu(FmilFmu const&) = delete;
  FmilFmu& operator=(FmilFmu const&) = delete;
  ~FmilFmu() {
    if constexpr (std::is_same_v<Import, fmi2_import_t>) {
      if (instantiated) fmi2_import_free_instance(import);
      if (loaded) fmi2_import_destroy_dllfmu(import);
      if (import != nullptr) fmi2_import_free(import);
    } else {
      if (instantiated) fmi3_import_free_instance(import);
      if (loaded) fmi3_import_destroy_dllfmu(import);
      if (import != nullptr) fmi3_import_free(import);
    }
    if (context != nullptr) fmi_import_free_context(context);
  }

  [[noreturn]] void refuse(std::string const& what) const {
    throw InstanceError(Status::error,
                        fmt::format("FMI Library {}{}", what, said.empty() ? "" : ": " + said));
  }
};
using Fmu2 = FmilFmu<fmi2_import_t>;
using Fmu3 = FmilFmu<fmi3_import_t>;

// A function with the standard's signature that goes through FMIL's of the same purpose.
template <class Fmu, auto fmil, class Standard>
struct Through;
template <class Fmu, auto fmil, class Result, class... Arguments>
struct Through<Fmu, fmil, Result (*)(void*, Arguments...)> {
  static Result call(void* handle, Arguments... arguments) {
    auto* const import = static_cast<Fmu*>(handle)->import;
    return static_cast<Result>(fmil(import, Renamed<Arguments>{arguments}...));
  }
};

template <class Fmu, auto fmil, class Standard>
void bind(Standard& function) {
  function = Through<Fmu, fmil, Standard>::call;
}

Fmi2Library fmi2_functions() {
  Fmi2Library bound;
#define BIND(standard, fmil) bind<Fmu2, fmi2_import_##fmil>(bound.fmi2##standard)
  BIND(SetDebugLogging, set_debug_logging);
  BIND(SetupExperiment, setup_experiment);
  BIND(EnterInitializationMode, enter_initialization_mode);
  BIND(ExitInitializationMode, exit_initialization_mode);
  BIND(Terminate, terminate);
  BIND(Reset, reset);
  BIND(GetReal, get_real);
  BIND(GetInteger, get_integer);
  BIND(GetBoolean, get_boolean);
  BIND(GetString, get_string);
  BIND(SetReal, set_real);
  BIND(SetInteger, set_integer);
  BIND(SetBoolean, set_boolean);
  BIND(SetString, set_string);
  BIND(GetFMUstate, get_fmu_state);
  BIND(SetFMUstate, set_fmu_state);
  BIND(FreeFMUstate, free_fmu_state);
  BIND(SerializedFMUstateSize, serialized_fmu_state_size);
  BIND(SerializeFMUstate, serialize_fmu_state);
  BIND(DeSerializeFMUstate, de_serialize_fmu_state);
  // FMIL takes the knowns first, the standard the unknowns.
  bound.fmi2GetDirectionalDerivative = [](fmi2Component handle, fmi2ValueReference const* unknowns,
                                          std::size_t unknown_count, fmi2ValueReference const* knowns,
                                          std::size_t known_count, fmi2Real const* seed, fmi2Real* result) {
    return static_cast<fmi2Status>(fmi2_import_get_directional_derivative(
        static_cast<Fmu2*>(handle)->import, knowns, known_count, unknowns, unknown_count, seed, result));
  };
  BIND(EnterEventMode, enter_event_mode);
  BIND(NewDiscreteStates, new_discrete_states);
  BIND(EnterContinuousTimeMode, enter_continuous_time_mode);
  BIND(CompletedIntegratorStep, completed_integrator_step);
  BIND(SetTime, set_time);
  BIND(SetContinuousStates, set_continuous_states);
  BIND(GetDerivatives, get_derivatives);
  BIND(GetEventIndicators, get_event_indicators);
  BIND(GetContinuousStates, get_continuous_states);
  BIND(GetNominalsOfContinuousStates, get_nominals_of_continuous_states);
  BIND(SetRealInputDerivatives, set_real_input_derivatives);
  BIND(GetRealOutputDerivatives, get_real_output_derivatives);
  BIND(DoStep, do_step);
  BIND(CancelStep, cancel_step);
  BIND(GetStatus, get_status);
  BIND(GetRealStatus, get_real_status);
  BIND(GetIntegerStatus, get_integer_status);
  BIND(GetBooleanStatus, get_boolean_status);
  BIND(GetStringStatus, get_string_status);
#undef BIND
  bound.fmi2FreeInstance = [](void* handle) { delete static_cast<Fmu2*>(handle); };
  return bound;
}

Fmi3Library fmi3_functions() {
  Fmi3Library bound;
#define BIND(standard, fmil) bind<Fmu3, fmi3_import_##fmil>(bound.fmi3##standard)
#define BIND_BOTH(standard, fmil)  \
  BIND(Get##standard, get_##fmil); \
  BIND(Set##standard, set_##fmil)
  BIND(SetDebugLogging, set_debug_logging);
  BIND(EnterInitializationMode, enter_initialization_mode);
  BIND(ExitInitializationMode, exit_initialization_mode);
  BIND(EnterEventMode, enter_event_mode);
  BIND(Terminate, terminate);
  BIND(Reset, reset);
  BIND_BOTH(Float32, float32);
  BIND_BOTH(Float64, float64);
  BIND_BOTH(Int8, int8);
  BIND_BOTH(UInt8, uint8);
  BIND_BOTH(Int16, int16);
  BIND_BOTH(UInt16, uint16);
  BIND_BOTH(Int32, int32);
  BIND_BOTH(UInt32, uint32);
  BIND_BOTH(Int64, int64);
  BIND_BOTH(UInt64, uint64);
  BIND_BOTH(Boolean, boolean);
  BIND_BOTH(String, string);
  BIND_BOTH(Binary, binary);
  BIND_BOTH(Clock, clock);
  BIND(GetNumberOfVariableDependencies, get_number_of_variable_dependencies);
  BIND(GetVariableDependencies, get_variable_dependencies);
  BIND_BOTH(FMUState, fmu_state);
  BIND(FreeFMUState, free_fmu_state);
  BIND(SerializedFMUStateSize, serialized_fmu_state_size);
  BIND(SerializeFMUState, serialize_fmu_state);
  BIND(DeserializeFMUState, de_serialize_fmu_state);
  BIND(GetDirectionalDerivative, get_directional_derivative);
  BIND(GetAdjointDerivative, get_adjoint_derivative);
  BIND(EnterConfigurationMode, enter_configuration_mode);
  BIND(ExitConfigurationMode, exit_configuration_mode);
  BIND_BOTH(IntervalDecimal, interval_decimal);
  BIND_BOTH(IntervalFraction, interval_fraction);
  BIND_BOTH(ShiftDecimal, shift_decimal);
  BIND_BOTH(ShiftFraction, shift_fraction);
  BIND(EvaluateDiscreteStates, evaluate_discrete_states);
  BIND(UpdateDiscreteStates, update_discrete_states);
  BIND(EnterContinuousTimeMode, enter_continuous_time_mode);
  BIND(CompletedIntegratorStep, completed_integrator_step);
  BIND(SetTime, set_time);
  BIND_BOTH(ContinuousStates, continuous_states);
  BIND(GetContinuousStateDerivatives, get_derivatives);
  BIND(GetEventIndicators, get_event_indicators);
  BIND(GetNominalsOfContinuousStates, get_nominals_of_continuous_states);
  BIND(GetNumberOfEventIndicators, get_number_of_event_indicators);
  BIND(GetNumberOfContinuousStates, get_number_of_continuous_states);
  BIND(EnterStepMode, enter_step_mode);
  BIND(GetOutputDerivatives, get_output_derivatives);
  BIND(DoStep, do_step);
#undef BIND_BOTH
#undef BIND
  bound.fmi3FreeInstance = [](void* handle) { delete static_cast<Fmu3*>(handle); };
  return bound;
}

// FMIL takes the token from the description; a checker's wrong one cannot go through it.
void require_own_token(InstanceRequest const& request) {
  if (request.token)
    throw InstanceError(Status::error, "FMI Library passes only the description's own token to an FMU");
}

}  // namespace

bool has_fmil() {
  return true;
}

void require_fmil() {}

Fmi2Access fmi2_through_fmil(std::filesystem::path const& folder) {
  return {fmi2_functions(), [folder](Fmi2Access::Arguments const& with) -> void* {
            require_own_token(with.request);
            bool const exchange = with.request.kind == InterfaceKind::model_exchange;
            auto fmu = std::make_unique<Fmu2>();
            fmu->import = fmi2_import_parse_xml(fmu->context, folder.c_str(), nullptr);
            if (fmu->import == nullptr) fmu->refuse("cannot read the description");
            fmu->loaded =
                fmi2_import_create_dllfmu(
                    fmu->import, exchange ? fmi2_fmu_kind_me : fmi2_fmu_kind_cs,
                    reinterpret_cast<fmi2_callback_functions_t const*>(with.callbacks)) == jm_status_success;
            if (!fmu->loaded) fmu->refuse("cannot load the FMU's library");
            // That is how FMIL is told whether the FMU shall log.
            fmu->callbacks.log_level = with.request.logging_on ? jm_log_level_error : jm_log_level_nothing;
            fmu->instantiated = fmi2_import_instantiate(fmu->import, with.request.name.c_str(),
                                                        exchange ? fmi2_model_exchange : fmi2_cosimulation,
                                                        with.resources.c_str(), 0) == jm_status_success;
            fmu->callbacks.log_level = jm_log_level_error;
            return fmu->instantiated ? fmu.release() : nullptr;
          }};
}

Fmi3Access fmi3_through_fmil(std::filesystem::path const& folder) {
  return {fmi3_functions(), [folder](Fmi3Access::Arguments const& with) -> void* {
            InstanceRequest const& request = with.request;
            require_own_token(request);
            bool const exchange = request.kind == InterfaceKind::model_exchange;
            auto fmu = std::make_unique<Fmu3>();
            fmu->import = fmi3_import_parse_xml(fmu->context, folder.c_str(), nullptr);
            if (fmu->import == nullptr) fmu->refuse("cannot read the description");
            fmu->loaded = fmi3_import_create_dllfmu(
                              fmu->import, exchange ? fmi3_fmu_kind_me : fmi3_fmu_kind_cs, with.environment,
                              reinterpret_cast<fmi3_log_message_callback_ft>(with.log)) == jm_status_success;
            if (!fmu->loaded) fmu->refuse("cannot load the FMU's library");
            jm_status_enu_t const status =
                exchange ? fmi3_import_instantiate_model_exchange(fmu->import, request.name.c_str(),
                                                                  with.resources, false, request.logging_on)
                         : fmi3_import_instantiate_co_simulation(
                               fmu->import, request.name.c_str(), with.resources, false, request.logging_on,
                               request.event_mode, request.early_return_allowed,
                               request.intermediate_variables.data(), request.intermediate_variables.size(),
                               with.update);
            fmu->instantiated = status == jm_status_success;
            return fmu->instantiated ? fmu.release() : nullptr;
          }};
}

}  // namespace delassus
