// An instance of an FMI 3 FMU.
#include <algorithm>
#include <unordered_map>

#include "tools/import/fmi3_import.hpp"
#include "tools/import/fmi3_port.hpp"
#include "tools/import/versioned_instance.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

void receive_fmi3_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                          fmi3String message) {
  if (environment == nullptr) return;
  static_cast<CallbackTicket*>(environment)
      ->add({std::clamp(static_cast<Status>(status), Status::ok, Status::fatal),
             category != nullptr ? category : "", message != nullptr ? message : ""});
}

void receive_update(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set_requested,
                    fmi3Boolean get_allowed, fmi3Boolean step_finished, fmi3Boolean can_return_early,
                    fmi3Boolean* early_return_requested, fmi3Float64* early_return_time) {
  if (early_return_requested != nullptr) *early_return_requested = false;
  if (environment == nullptr) return;
  auto const& ticket = *static_cast<CallbackTicket*>(environment);
  if (!ticket.intermediate || ticket.book == nullptr) return;
  auto const stop = ticket.intermediate({time, set_requested, get_allowed, step_finished, can_return_early});
  if (!stop || early_return_requested == nullptr || early_return_time == nullptr) return;
  *early_return_requested = true;
  *early_return_time = *stop;
}

constexpr std::string_view fmi3_instantiation(InterfaceKind kind) {
  return kind == InterfaceKind::model_exchange ? "fmi3InstantiateModelExchange"
                                               : "fmi3InstantiateCoSimulation";
}

VersionedFunctions<fmi3Status, fmi3Byte> versioned(Fmi3Library const& functions) {
#define NAMED(name) \
  { functions.name, #name }
  return {.exit_initialization = NAMED(fmi3ExitInitializationMode),
          .terminate = NAMED(fmi3Terminate),
          .reset = NAMED(fmi3Reset),
          .enter_continuous_time_mode = NAMED(fmi3EnterContinuousTimeMode),
          .get_state = NAMED(fmi3GetFMUState),
          .free_state = NAMED(fmi3FreeFMUState),
          .set_state = NAMED(fmi3SetFMUState),
          .serialized_size = NAMED(fmi3SerializedFMUStateSize),
          .serialize = NAMED(fmi3SerializeFMUState),
          .deserialize = NAMED(fmi3DeserializeFMUState),
          .set_time = NAMED(fmi3SetTime),
          .set_continuous_states = NAMED(fmi3SetContinuousStates),
          .get_continuous_states = NAMED(fmi3GetContinuousStates),
          .get_derivatives = NAMED(fmi3GetContinuousStateDerivatives),
          .get_indicators = NAMED(fmi3GetEventIndicators),
          .get_nominals = NAMED(fmi3GetNominalsOfContinuousStates)};
#undef NAMED
}

class Fmi3Instance final : public VersionedInstance<fmi3Status, fmi3Byte>, private StepModeFace {
 public:
  Fmi3Instance(InstanceContext const& context, InstanceRequest const& request, Fmi3Access const& access)
      : VersionedInstance(context, request, versioned(access.functions)),
        functions_(access.functions),
        event_mode_(request.event_mode) {
    require(functions_.fmi3FreeInstance, "fmi3FreeInstance");
    // The standard: a path that ends in a separator, or NULL where the FMU has no resources.
    std::string const resources = context.resources.string() + "/";
    bool const has_resources = std::filesystem::is_directory(context.resources) || request.resources;
    handle_ = access.instantiate({request, request.token.value_or(context.description.token()),
                                  has_resources ? resources.c_str() : nullptr, &ticket_,
                                  request.without_logger ? nullptr : receive_fmi3_message,
                                  request.intermediate ? receive_update : nullptr});
    if (handle_ == nullptr) fail(fmi3_instantiation(request.kind), Status::error, "returned NULL");
    forget_set_values();
  }
  ~Fmi3Instance() override { functions_.fmi3FreeInstance(handle_); }

  StepModeFace* step_mode() override {
    return kind_ == InterfaceKind::co_simulation && event_mode_ ? this : nullptr;
  }

  void enter_initialization(RunSettings const& settings) override {
    call(functions_.fmi3EnterInitializationMode, "fmi3EnterInitializationMode",
         settings.tolerance.has_value(), settings.tolerance.value_or(0), settings.start,
         settings.stop.has_value(), settings.stop.value_or(0));
    readable_ = true;
  }
  void reset() override {
    VersionedInstance::reset();
    forget_set_values();
  }

  StepOutcome do_step(double current, double size) override {
    fmi3Boolean event = false, terminate = false, early = false;
    double reached = current + size;
    call(functions_.fmi3DoStep, "fmi3DoStep", current, size, !goes_back_, &event, &terminate, &early,
         &reached);
    return {terminate || early ? reached : current + size, terminate, event, early, reached};
  }

  void set(std::span<const SignalValue> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Signal const& signal = signals()[values[i].signal];
      if (auto const* const text = std::get_if<std::string>(&values[i].value)) {
        set_text(signal, *text);
        continue;
      }
      // An array is set as a whole: elements that are not among the values keep what they have.
      std::vector<double> elements = signal.size == 1 ? std::vector<double>(1) : current_elements(signal);
      elements[signal.offset] = std::get<double>(values[i].value);
      for (; i + 1 < values.size() && signals()[values[i + 1].signal].first == signal.first; ++i) {
        elements[signals()[values[i + 1].signal].offset] = std::get<double>(values[i + 1].value);
      }
      set_variable(signal, elements);
      if (!readable_) elements_set_[signal.first] = elements;
    }
  }

  void get(std::span<const std::size_t> indices, std::span<double> values) override {
    std::vector<double> elements;
    std::size_t held = static_cast<std::size_t>(-1);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      Signal const& signal = signals()[indices[i]];
      if (signal.first != held) elements = get_variable(signal);
      held = signal.first;
      values[i] = elements[signal.offset];
    }
  }

  std::unique_ptr<SignalPort> make_port(std::vector<std::size_t> indices) override {
    return std::make_unique<Fmi3Port>(*this, functions_, indices);
  }

  std::string get_text(std::size_t index) override {
    Signal const& signal = signals()[index];
    std::vector<fmi3String> texts(signal.size, nullptr);
    call(functions_.fmi3GetString, "fmi3GetString", &signal.value_reference, std::size_t{1}, texts.data(),
         texts.size());
    return texts[signal.offset] != nullptr ? texts[signal.offset] : "";
  }

  std::vector<std::uint8_t> get_binary(std::size_t index) override {
    Signal const& signal = signals()[index];
    std::vector<std::size_t> sizes(signal.size);
    std::vector<fmi3Binary> values(signal.size);
    call(functions_.fmi3GetBinary, "fmi3GetBinary", &signal.value_reference, std::size_t{1}, sizes.data(),
         values.data(), signal.size);
    auto const* const bytes = values[signal.offset];
    return bytes == nullptr ? std::vector<std::uint8_t>{}
                            : std::vector<std::uint8_t>(bytes, bytes + sizes[signal.offset]);
  }
  void set_binary(std::size_t index, std::span<const std::uint8_t> bytes) override {
    Signal const& signal = signals()[index];
    require_scalar(signal);
    std::size_t const size = bytes.size();
    fmi3Binary const value = bytes.data();
    call(functions_.fmi3SetBinary, "fmi3SetBinary", &signal.value_reference, std::size_t{1}, &size, &value,
         std::size_t{1});
  }
  bool get_clock(std::size_t index) override {
    fmi3Clock ticks = false;
    call(functions_.fmi3GetClock, "fmi3GetClock", &signals()[index].value_reference, std::size_t{1}, &ticks);
    return ticks;
  }
  void set_clock(std::size_t index, bool ticks) override {
    fmi3Clock const value = ticks;
    call(functions_.fmi3SetClock, "fmi3SetClock", &signals()[index].value_reference, std::size_t{1}, &value);
  }
  ClockInterval clock_interval(std::size_t index) override {
    ClockInterval answer;
    fmi3IntervalQualifier qualifier = fmi3IntervalNotYetKnown;
    call(functions_.fmi3GetIntervalDecimal, "fmi3GetIntervalDecimal", &signals()[index].value_reference,
         std::size_t{1}, &answer.interval, &qualifier);
    answer.known = static_cast<ClockInterval::Known>(qualifier);
    return answer;
  }

  void directional_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                              std::span<const double> seed, std::span<double> result) override {
    call(functions_.fmi3GetDirectionalDerivative, "fmi3GetDirectionalDerivative", unknowns.data(),
         unknowns.size(), knowns.data(), knowns.size(), seed.data(), seed.size(), result.data(),
         result.size());
  }
  void adjoint_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                          std::span<const double> seed, std::span<double> result) override {
    call(functions_.fmi3GetAdjointDerivative, "fmi3GetAdjointDerivative", unknowns.data(), unknowns.size(),
         knowns.data(), knowns.size(), seed.data(), seed.size(), result.data(), result.size());
  }
  void output_derivatives(std::span<const std::uint32_t> references, int order,
                          std::span<double> values) override {
    std::vector<fmi3Int32> const orders(references.size(), order);
    call(functions_.fmi3GetOutputDerivatives, "fmi3GetOutputDerivatives", references.data(),
         references.size(), orders.data(), values.data(), values.size());
  }

  bool saves_states() const override { return interface_.flag("canGetAndSetFMUState"); }
  bool serializes_states() const override { return interface_.flag("canSerializeFMUState"); }

 private:
  std::size_t state_count() override {
    std::size_t count = 0;
    call(functions_.fmi3GetNumberOfContinuousStates, "fmi3GetNumberOfContinuousStates", &count);
    return count;
  }
  std::size_t indicator_count() override {
    std::size_t count = 0;
    call(functions_.fmi3GetNumberOfEventIndicators, "fmi3GetNumberOfEventIndicators", &count);
    return count;
  }
  void enter_event_mode() override { call(functions_.fmi3EnterEventMode, "fmi3EnterEventMode"); }
  void enter_step_mode() override { call(functions_.fmi3EnterStepMode, "fmi3EnterStepMode"); }
  EventUpdate update_discrete_states() override {
    fmi3Boolean again = false, terminate = false, nominals = false, values = false, defined = false;
    double next = 0;
    call(functions_.fmi3UpdateDiscreteStates, "fmi3UpdateDiscreteStates", &again, &terminate, &nominals,
         &values, &defined, &next);
    return {again, terminate, nominals, values, defined ? std::optional(next) : std::nullopt};
  }
  IntegratorStepAnswer completed_integrator_step(bool no_rollback) override {
    fmi3Boolean enter = false, terminate = false;
    call(functions_.fmi3CompletedIntegratorStep, "fmi3CompletedIntegratorStep", no_rollback, &enter,
         &terminate);
    return {enter, terminate};
  }

  static void require_scalar(Signal const& signal) {
    if (signal.size == 1) return;
    throw InstanceError(
        Status::error,
        fmt::format("cannot set {}: arrays of texts and binary values are not supported", signal.name));
  }

  void set_text(Signal const& signal, std::string const& text) {
    require_scalar(signal);
    fmi3String const string = text.c_str();
    call(functions_.fmi3SetString, "fmi3SetString", &signal.value_reference, std::size_t{1}, &string,
         std::size_t{1});
  }

  void forget_set_values() {
    readable_ = false;
    elements_set_.clear();
  }

  // FMI 3 forbids reading before the initialisation mode; until then what we set last, or the start value, is
  // the value.
  std::vector<double> current_elements(Signal const& signal) {
    if (readable_) return get_variable(signal);
    if (auto const known = elements_set_.find(signal.first); known != elements_set_.end())
      return known->second;
    std::vector<double> elements(signal.size, 0.0);
    for (std::size_t i = 0; i < signal.size; ++i) {
      elements[i] = parse_double(signals()[signal.first + i].start).value_or(0);
    }
    return elements;
  }

  template <typename Value, typename Getter>
  std::vector<double> get_as(Getter getter, std::string_view name, Signal const& signal) {
    auto const values = std::make_unique<Value[]>(signal.size);
    call(getter, name, &signal.value_reference, std::size_t{1}, values.get(), signal.size);
    return {values.get(), values.get() + signal.size};
  }

  template <typename Value, typename Setter>
  void set_as(Setter setter, std::string_view name, Signal const& signal,
              std::vector<double> const& elements) {
    auto const values = std::make_unique<Value[]>(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) values[i] = static_cast<Value>(elements[i]);
    call(setter, name, &signal.value_reference, std::size_t{1}, static_cast<Value const*>(values.get()),
         elements.size());
  }

  std::vector<double> get_variable(Signal const& signal) {
#define GET(described, accessor) \
  if (signal.type == #described) \
    return get_as<fmi3##accessor>(functions_.fmi3Get##accessor, "fmi3Get" #accessor, signal);
    DELASSUS_FMI3_NUMBERS(GET)
#undef GET
    throw InstanceError(Status::error, fmt::format("{} is a {} and has no number", signal.name, signal.type));
  }

  void set_variable(Signal const& signal, std::vector<double> const& elements) {
#define SET(described, accessor) \
  if (signal.type == #described) \
    return set_as<fmi3##accessor>(functions_.fmi3Set##accessor, "fmi3Set" #accessor, signal, elements);
    DELASSUS_FMI3_NUMBERS(SET)
#undef SET
    throw InstanceError(Status::error,
                        fmt::format("{} is a {} and takes no number", signal.name, signal.type));
  }

  Fmi3Library functions_;
  bool event_mode_ = false;
  bool readable_ = false;
  std::unordered_map<std::size_t, std::vector<double>> elements_set_;  // by the variable's first signal
};

}  // namespace

Fmi3Access fmi3_access(SharedLibrary const& library) {
  Fmi3Library const functions(library);
  return {functions, [functions](Fmi3Access::Arguments const& with) {
            InstanceRequest const& request = with.request;
            auto const present = [&](auto function) {
              if (function == nullptr)
                throw InstanceError(Status::fatal,
                                    fmt::format("{} is not exported", fmi3_instantiation(request.kind)));
              return function;
            };
            if (request.kind == InterfaceKind::model_exchange) {
              return present(functions.fmi3InstantiateModelExchange)(
                  request.name.c_str(), with.token.c_str(), with.resources, false, request.logging_on,
                  with.environment, with.log);
            }
            return present(functions.fmi3InstantiateCoSimulation)(
                request.name.c_str(), with.token.c_str(), with.resources, false, request.logging_on,
                request.event_mode, request.early_return_allowed,
                request.intermediate_variables.empty() ? nullptr : request.intermediate_variables.data(),
                request.intermediate_variables.size(), with.environment, with.log, with.update);
          }};
}

std::unique_ptr<SimulatedInstance> make_fmi3_instance(InstanceContext const& context,
                                                      InstanceRequest const& request,
                                                      Fmi3Access const& access) {
  return std::make_unique<Fmi3Instance>(context, request, access);
}

std::vector<char const*> fmi3_function_names(std::optional<InterfaceKind> kind) {
#define NAME(name) #name,
  std::vector<char const*> names{DELASSUS_FMI3_COMMON(NAME)};
  if (kind != InterfaceKind::co_simulation) {
    for (char const* const name : {DELASSUS_FMI3_MODEL_EXCHANGE(NAME)}) names.push_back(name);
  }
  if (kind != InterfaceKind::model_exchange) {
    for (char const* const name : {DELASSUS_FMI3_CO_SIMULATION(NAME)}) names.push_back(name);
  }
  if (!kind) {
    for (char const* const name : {DELASSUS_FMI3_SCHEDULED_EXECUTION(NAME)}) names.push_back(name);
  }
#undef NAME
  return names;
}

}  // namespace delassus
