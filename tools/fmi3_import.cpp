// An instance of an FMI 3 FMU.
#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "fmu/fmi3_interface.hpp"
#include "tools/fmu_import.hpp"
#include "xml/schema_value.hpp"

namespace delassus {
namespace {

// X(name) for every function that a co-simulation FMU must export: the common ones and those of its interface
// type.
#define ACCESSORS(X, type) X(fmi3Get##type) X(fmi3Set##type)
// clang-format off
#define FMI3_FUNCTIONS(X)                                                                                   \
  X(fmi3GetVersion) X(fmi3SetDebugLogging) X(fmi3InstantiateCoSimulation) X(fmi3FreeInstance)               \
  X(fmi3EnterInitializationMode) X(fmi3ExitInitializationMode) X(fmi3EnterEventMode) X(fmi3Terminate)       \
  X(fmi3Reset) ACCESSORS(X, Float32) ACCESSORS(X, Float64) ACCESSORS(X, Int8) ACCESSORS(X, UInt8)           \
  ACCESSORS(X, Int16) ACCESSORS(X, UInt16) ACCESSORS(X, Int32) ACCESSORS(X, UInt32) ACCESSORS(X, Int64)     \
  ACCESSORS(X, UInt64) ACCESSORS(X, Boolean) ACCESSORS(X, String) ACCESSORS(X, Binary) ACCESSORS(X, Clock)  \
  X(fmi3GetNumberOfVariableDependencies) X(fmi3GetVariableDependencies) X(fmi3GetFMUState)                  \
  X(fmi3SetFMUState) X(fmi3FreeFMUState) X(fmi3SerializedFMUStateSize) X(fmi3SerializeFMUState)             \
  X(fmi3DeserializeFMUState) X(fmi3GetDirectionalDerivative) X(fmi3GetAdjointDerivative)                    \
  X(fmi3EnterConfigurationMode) X(fmi3ExitConfigurationMode) X(fmi3GetIntervalDecimal)                      \
  X(fmi3GetIntervalFraction) X(fmi3GetShiftDecimal) X(fmi3GetShiftFraction) X(fmi3SetIntervalDecimal)       \
  X(fmi3SetIntervalFraction) X(fmi3SetShiftDecimal) X(fmi3SetShiftFraction) X(fmi3EvaluateDiscreteStates)   \
  X(fmi3UpdateDiscreteStates) X(fmi3EnterStepMode) X(fmi3GetOutputDerivatives) X(fmi3DoStep)
// clang-format on

struct Functions {
#define DECLARE(name) \
  decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses): a name to declare
  FMI3_FUNCTIONS(DECLARE)
#undef DECLARE

  explicit Functions(SharedLibrary const& library) {
#define BIND(name) library.bind(name, #name);
    FMI3_FUNCTIONS(BIND)
#undef BIND
  }
};

#define NAME(name) #name,
constexpr std::array function_names{FMI3_FUNCTIONS(NAME)};
#undef NAME

void receive_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                     fmi3String message) {
  if (environment == nullptr) return;
  static_cast<InstanceLogBook*>(environment)
      ->add({static_cast<Status>(status), category != nullptr ? category : "",
             message != nullptr ? message : ""});
}

class Fmi3Instance final : public SimulatedInstance {
 public:
  Fmi3Instance(InstanceContext const& context, InstanceRequest const& request)
      : SimulatedInstance(SignalTable(context.description)),
        functions_(context.library),
        interface_(*context.description.interface("CoSimulation")),
        log_(request.log) {
    require(functions_.fmi3InstantiateCoSimulation, "fmi3InstantiateCoSimulation");
    require(functions_.fmi3FreeInstance, "fmi3FreeInstance");
    std::string const token = request.token.value_or(context.description.token());
    // The standard: a path that ends in a separator, or NULL where the FMU has no resources.
    std::string const resources = context.resources.string() + "/";
    bool const has_resources = std::filesystem::is_directory(context.resources);
    instance_ = functions_.fmi3InstantiateCoSimulation(
        request.name.c_str(), token.c_str(), has_resources ? resources.c_str() : nullptr, false,
        request.logging_on, false, false, nullptr, 0, &log_, receive_message, nullptr);
    if (instance_ == nullptr) fail("fmi3InstantiateCoSimulation", Status::error, "returned NULL");
    forget_set_values();
  }
  ~Fmi3Instance() override { functions_.fmi3FreeInstance(instance_); }

  void enter_initialization(RunSettings const& settings) override {
    call(functions_.fmi3EnterInitializationMode, "fmi3EnterInitializationMode",
         settings.tolerance.has_value(), settings.tolerance.value_or(0), settings.start,
         settings.stop.has_value(), settings.stop.value_or(0));
    readable_ = true;
  }
  void exit_initialization() override {
    call(functions_.fmi3ExitInitializationMode, "fmi3ExitInitializationMode");
  }
  void terminate() override { call(functions_.fmi3Terminate, "fmi3Terminate"); }
  void reset() override {
    call(functions_.fmi3Reset, "fmi3Reset");
    forget_set_values();
  }

  StepOutcome do_step(double current, double size) override {
    fmi3Boolean event = false, terminate = false, early = false;
    double reached = current + size;
    call(functions_.fmi3DoStep, "fmi3DoStep", current, size, true, &event, &terminate, &early, &reached);
    return {terminate ? reached : current + size, terminate};
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

  std::string get_text(std::size_t index) override {
    Signal const& signal = signals()[index];
    std::vector<fmi3String> texts(signal.size, nullptr);
    call(functions_.fmi3GetString, "fmi3GetString", &signal.value_reference, std::size_t{1}, texts.data(),
         texts.size());
    return texts[signal.offset] != nullptr ? texts[signal.offset] : "";
  }

  bool saves_states() const override { return interface_.flag("canGetAndSetFMUState"); }
  bool serializes_states() const override { return interface_.flag("canSerializeFMUState"); }

  SavedState save_state() override {
    fmi3FMUState state = nullptr;
    call(functions_.fmi3GetFMUState, "fmi3GetFMUState", &state);
    return own(state);
  }
  void restore_state(SavedState const& state) override {
    call(functions_.fmi3SetFMUState, "fmi3SetFMUState", state.get());
  }

  std::vector<std::uint8_t> serialize(SavedState const& state) override {
    std::size_t size = 0;
    call(functions_.fmi3SerializedFMUStateSize, "fmi3SerializedFMUStateSize", state.get(), &size);
    std::vector<std::uint8_t> bytes(size);
    call(functions_.fmi3SerializeFMUState, "fmi3SerializeFMUState", state.get(), bytes.data(), size);
    return bytes;
  }
  SavedState deserialize(std::span<const std::uint8_t> bytes) override {
    fmi3FMUState state = nullptr;
    call(functions_.fmi3DeserializeFMUState, "fmi3DeserializeFMUState", bytes.data(), bytes.size(), &state);
    return own(state);
  }

 private:
  SavedState own(fmi3FMUState state) {
    return {state, [this](fmi3FMUState pointer) {
              if (functions_.fmi3FreeFMUState != nullptr) functions_.fmi3FreeFMUState(instance_, &pointer);
            }};
  }

  void set_text(Signal const& signal, std::string const& text) {
    if (signal.size != 1) {
      throw InstanceError(Status::error,
                          fmt::format("cannot set {}: arrays of texts are not supported", signal.name));
    }
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

// X(type of the description, type of the accessor): an enumeration is an Int64.
// clang-format off
#define NUMERIC_TYPES(X)                                                                                    \
  X(Float32, Float32) X(Float64, Float64) X(Int8, Int8) X(UInt8, UInt8) X(Int16, Int16) X(UInt16, UInt16)   \
  X(Int32, Int32) X(UInt32, UInt32) X(Int64, Int64) X(UInt64, UInt64) X(Boolean, Boolean)                   \
  X(Enumeration, Int64)
  // clang-format on

  std::vector<double> get_variable(Signal const& signal) {
#define GET(described, accessor) \
  if (signal.type == #described) \
    return get_as<fmi3##accessor>(functions_.fmi3Get##accessor, "fmi3Get" #accessor, signal);
    NUMERIC_TYPES(GET)
#undef GET
    throw InstanceError(Status::error, fmt::format("{} is a {} and has no number", signal.name, signal.type));
  }

  void set_variable(Signal const& signal, std::vector<double> const& elements) {
#define SET(described, accessor) \
  if (signal.type == #described) \
    return set_as<fmi3##accessor>(functions_.fmi3Set##accessor, "fmi3Set" #accessor, signal, elements);
    NUMERIC_TYPES(SET)
#undef SET
    throw InstanceError(Status::error,
                        fmt::format("{} is a {} and takes no number", signal.name, signal.type));
  }

  [[noreturn]] void fail(std::string_view function, Status status, std::string const& what) const {
    std::string const said = log_.of_this_call();
    throw InstanceError(status, fmt::format("{} {}{}", function, what, said.empty() ? "" : ": " + said));
  }

  template <typename Function>
  static void require(Function function, std::string_view name) {
    if (function == nullptr) throw InstanceError(Status::fatal, fmt::format("{} is not exported", name));
  }

  template <typename Function, typename... Arguments>
  void call(Function function, std::string_view name, Arguments... arguments) {
    require(function, name);
    log_.start_call();
    fmi3Status const status = function(instance_, arguments...);
    if (status != fmi3OK && status != fmi3Warning) {
      fail(name, static_cast<Status>(status),
           fmt::format("returned {}", status_name(static_cast<Status>(status))));
    }
  }

  Functions functions_;
  DescribedInterface interface_;
  InstanceLogBook log_;
  fmi3Instance instance_ = nullptr;
  bool readable_ = false;
  std::unordered_map<std::size_t, std::vector<double>> elements_set_;  // by the variable's first signal
};

}  // namespace

std::unique_ptr<SimulatedInstance> make_fmi3_instance(InstanceContext const& context,
                                                      InstanceRequest const& request) {
  return std::make_unique<Fmi3Instance>(context, request);
}

std::span<const char* const> fmi3_function_names() {
  return function_names;
}

}  // namespace delassus
