// An instance of an FMI 2 FMU.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "tools/import/fmi2_import.hpp"
#include "tools/import/fmi2_port.hpp"
#include "tools/import/versioned_instance.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

std::atomic<long> outstanding_allocations = 0;
std::atomic<bool> out_of_memory = false;

void* allocate(std::size_t count, std::size_t size) {
  if (out_of_memory) return nullptr;
  void* const block = std::calloc(count, size);
  if (block != nullptr) ++outstanding_allocations;
  return block;
}

void release(void* block) {
  if (block != nullptr) --outstanding_allocations;
  std::free(block);
}

Status status_of(fmi2Status status) {
  return status <= fmi2Fatal ? static_cast<Status>(status) : Status::error;  // Pending: we never allow it
}

void receive_fmi2_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status,
                          fmi2String category, fmi2String format, ...) {
  // Twice through the arguments: first for the length, then for the text.
  if (format == nullptr) format = "";
  std::va_list arguments;
  va_start(arguments, format);
  int const length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size() + 1, format, arguments);
  va_end(arguments);
  if (environment == nullptr) return;
  static_cast<CallbackTicket*>(environment)
      ->add({status_of(status), category != nullptr ? category : "", text});
}

std::size_t described_states(ModelDescription const& description) {
  return static_cast<std::size_t>(
      std::ranges::count(description.model_structure, derivatives_list.fmi2, &DescribedUnknown::list));
}

std::size_t described_indicators(ModelDescription const& description) {
  auto const number = description.attributes.find("numberOfEventIndicators");
  if (number == description.attributes.end()) return 0;
  return parse_integer<std::uint32_t>(number->second).value_or(0);
}

VersionedFunctions<fmi2Status, fmi2Byte> versioned(Fmi2Library const& functions) {
#define NAMED(name) \
  { functions.name, #name }
  return {.exit_initialization = NAMED(fmi2ExitInitializationMode),
          .terminate = NAMED(fmi2Terminate),
          .reset = NAMED(fmi2Reset),
          .enter_continuous_time_mode = NAMED(fmi2EnterContinuousTimeMode),
          .get_state = NAMED(fmi2GetFMUstate),
          .free_state = NAMED(fmi2FreeFMUstate),
          .set_state = NAMED(fmi2SetFMUstate),
          .serialized_size = NAMED(fmi2SerializedFMUstateSize),
          .serialize = NAMED(fmi2SerializeFMUstate),
          .deserialize = NAMED(fmi2DeSerializeFMUstate),
          .set_time = NAMED(fmi2SetTime),
          .set_continuous_states = NAMED(fmi2SetContinuousStates),
          .get_continuous_states = NAMED(fmi2GetContinuousStates),
          .get_derivatives = NAMED(fmi2GetDerivatives),
          .get_indicators = NAMED(fmi2GetEventIndicators),
          .get_nominals = NAMED(fmi2GetNominalsOfContinuousStates)};
#undef NAMED
}

class Fmi2Instance final : public VersionedInstance<fmi2Status, fmi2Byte> {
 public:
  Fmi2Instance(InstanceContext const& context, InstanceRequest const& request, Fmi2Access const& access)
      : VersionedInstance(context, request, versioned(access.functions)), functions_(access.functions) {
    require(functions_.fmi2FreeInstance, "fmi2FreeInstance");
    // The standard: the structure lives as long as the instance. It is kept for ever, beside its ticket.
    auto const callbacks = std::make_shared<fmi2CallbackFunctions>(fmi2CallbackFunctions{
        request.without_logger ? nullptr : receive_fmi2_message, allocate, release, nullptr, &ticket_});
    ticket_.version_specific = callbacks;
    handle_ = access.instantiate({request, request.token.value_or(context.description.token()),
                                  file_uri(context.resources), callbacks.get()});
    if (handle_ == nullptr) fail("fmi2Instantiate", Status::error, "returned NULL");
  }
  ~Fmi2Instance() override { functions_.fmi2FreeInstance(handle_); }

  void enter_initialization(RunSettings const& settings) override {
    call(functions_.fmi2SetupExperiment, "fmi2SetupExperiment", settings.tolerance.has_value(),
         settings.tolerance.value_or(0), settings.start, settings.stop.has_value(),
         settings.stop.value_or(0));
    call(functions_.fmi2EnterInitializationMode, "fmi2EnterInitializationMode");
  }
  StepOutcome do_step(double current, double size) override {
    require(functions_.fmi2DoStep, "fmi2DoStep");
    log_.start_call();
    fmi2Status const status =
        functions_.fmi2DoStep(handle_, current, size, goes_back_ ? fmi2False : fmi2True);
    if (status == fmi2Discard && functions_.fmi2GetBooleanStatus != nullptr &&
        functions_.fmi2GetRealStatus != nullptr) {
      fmi2Boolean terminated = fmi2False;
      fmi2Real reached = current;
      functions_.fmi2GetBooleanStatus(handle_, fmi2Terminated, &terminated);
      functions_.fmi2GetRealStatus(handle_, fmi2LastSuccessfulTime, &reached);
      if (terminated != fmi2False) return {reached, true};
    }
    judge(static_cast<int>(status), "fmi2DoStep");
    return {current + size, false};
  }

  void set(std::span<const SignalValue> values) override {
    for (auto const& [index, value] : values) {
      Signal const& signal = signals()[index];
      if (auto const* const text = std::get_if<std::string>(&value)) {
        fmi2String const string = text->c_str();
        call(functions_.fmi2SetString, "fmi2SetString", &signal.value_reference, std::size_t{1}, &string);
      } else if (double const number = std::get<double>(value); signal.is_float()) {
        call(functions_.fmi2SetReal, "fmi2SetReal", &signal.value_reference, std::size_t{1}, &number);
      } else {
        auto const integer = static_cast<fmi2Integer>(number);
        bool const boolean = signal.type == "Boolean";
        call(boolean ? functions_.fmi2SetBoolean : functions_.fmi2SetInteger,
             boolean ? "fmi2SetBoolean" : "fmi2SetInteger", &signal.value_reference, std::size_t{1},
             &integer);
      }
    }
  }

  void get(std::span<const std::size_t> indices, std::span<double> values) override {
    // One call for each type, not for each signal: an FMU may compute all of its outputs in every call.
    std::vector<fmi2ValueReference> references[3];
    std::vector<std::size_t> places[3];
    for (std::size_t i = 0; i < indices.size(); ++i) {
      Signal const& signal = signals()[indices[i]];
      std::size_t const kind = signal.is_float() ? 0 : signal.type == "Boolean" ? 1 : 2;
      references[kind].push_back(signal.value_reference);
      places[kind].push_back(i);
    }
    std::vector<fmi2Real> reals(references[0].size());
    std::vector<fmi2Boolean> booleans(references[1].size());
    std::vector<fmi2Integer> integers(references[2].size());
    if (!reals.empty())
      call(functions_.fmi2GetReal, "fmi2GetReal", references[0].data(), reals.size(), reals.data());
    if (!booleans.empty())
      call(functions_.fmi2GetBoolean, "fmi2GetBoolean", references[1].data(), booleans.size(),
           booleans.data());
    if (!integers.empty())
      call(functions_.fmi2GetInteger, "fmi2GetInteger", references[2].data(), integers.size(),
           integers.data());
    for (std::size_t i = 0; i < reals.size(); ++i) values[places[0][i]] = reals[i];
    for (std::size_t i = 0; i < booleans.size(); ++i) values[places[1][i]] = booleans[i] != fmi2False;
    for (std::size_t i = 0; i < integers.size(); ++i) values[places[2][i]] = integers[i];
  }

  std::unique_ptr<SignalPort> make_port(std::vector<std::size_t> indices) override {
    return std::make_unique<Fmi2Port>(*this, functions_, indices);
  }

  std::string get_text(std::size_t index) override {
    fmi2String text = nullptr;
    call(functions_.fmi2GetString, "fmi2GetString", &signals()[index].value_reference, std::size_t{1}, &text);
    return text != nullptr ? text : "";
  }

  void directional_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                              std::span<const double> seed, std::span<double> result) override {
    call(functions_.fmi2GetDirectionalDerivative, "fmi2GetDirectionalDerivative", unknowns.data(),
         unknowns.size(), knowns.data(), knowns.size(), seed.data(), result.data());
  }
  void output_derivatives(std::span<const std::uint32_t> references, int order,
                          std::span<double> values) override {
    std::vector<fmi2Integer> const orders(references.size(), order);
    call(functions_.fmi2GetRealOutputDerivatives, "fmi2GetRealOutputDerivatives", references.data(),
         references.size(), orders.data(), values.data());
  }
  void set_input_derivatives(std::span<const std::uint32_t> references, int order,
                             std::span<const double> values) override {
    std::vector<fmi2Integer> const orders(references.size(), order);
    call(functions_.fmi2SetRealInputDerivatives, "fmi2SetRealInputDerivatives", references.data(),
         references.size(), orders.data(), values.data());
  }

  bool interpolates_inputs() const override { return interface_.flag("canInterpolateInputs"); }

  bool saves_states() const override { return interface_.flag("canGetAndSetFMUstate"); }
  bool serializes_states() const override { return interface_.flag("canSerializeFMUstate"); }

 private:
  std::size_t state_count() override { return described_states(description_); }
  std::size_t indicator_count() override { return described_indicators(description_); }
  void enter_event_mode() override { call(functions_.fmi2EnterEventMode, "fmi2EnterEventMode"); }
  EventUpdate update_discrete_states() override {
    fmi2EventInfo info{};
    call(functions_.fmi2NewDiscreteStates, "fmi2NewDiscreteStates", &info);
    EventUpdate update{info.newDiscreteStatesNeeded != fmi2False, info.terminateSimulation != fmi2False,
                       info.nominalsOfContinuousStatesChanged != fmi2False,
                       info.valuesOfContinuousStatesChanged != fmi2False, std::nullopt};
    if (info.nextEventTimeDefined != fmi2False) update.next_event_time = info.nextEventTime;
    return update;
  }
  IntegratorStepAnswer completed_integrator_step(bool no_rollback) override {
    fmi2Boolean enter = fmi2False, terminate = fmi2False;
    call(functions_.fmi2CompletedIntegratorStep, "fmi2CompletedIntegratorStep",
         no_rollback ? fmi2True : fmi2False, &enter, &terminate);
    return {enter != fmi2False, terminate != fmi2False};
  }

  Fmi2Library functions_;
};

}  // namespace

Fmi2Access fmi2_access(SharedLibrary const& library) {
  Fmi2Library const functions(library);
  return {functions, [instantiate = functions.fmi2Instantiate](Fmi2Access::Arguments const& with) {
            if (instantiate == nullptr) throw InstanceError(Status::fatal, "fmi2Instantiate is not exported");
            bool const exchange = with.request.kind == InterfaceKind::model_exchange;
            return instantiate(with.request.name.c_str(), exchange ? fmi2ModelExchange : fmi2CoSimulation,
                               with.token.c_str(), with.resources.c_str(), with.callbacks, fmi2False,
                               with.request.logging_on);
          }};
}

std::unique_ptr<SimulatedInstance> make_fmi2_instance(InstanceContext const& context,
                                                      InstanceRequest const& request,
                                                      Fmi2Access const& access) {
  return std::make_unique<Fmi2Instance>(context, request, access);
}

std::vector<char const*> fmi2_function_names(std::optional<InterfaceKind> kind) {
#define NAME(name) #name,
  std::vector<char const*> names{DELASSUS_FMI2_COMMON(NAME)};
  if (kind != InterfaceKind::co_simulation) {
    for (char const* const name : {DELASSUS_FMI2_MODEL_EXCHANGE(NAME)}) names.push_back(name);
  }
  if (kind != InterfaceKind::model_exchange) {
    for (char const* const name : {DELASSUS_FMI2_CO_SIMULATION(NAME)}) names.push_back(name);
  }
#undef NAME
  return names;
}

OutOfMemory::OutOfMemory() {
  out_of_memory = true;
}
OutOfMemory::~OutOfMemory() {
  out_of_memory = false;
}

long fmi2_outstanding_allocations() {
  return outstanding_allocations;
}

}  // namespace delassus
