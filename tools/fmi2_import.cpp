// An instance of an FMI 2 FMU.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "fmu/fmi2_interface.hpp"
#include "tools/fmu_import.hpp"

namespace delassus {
namespace {

// X(name) for every function that a co-simulation FMU must export (FMI 2.0.4, section 4.2).
// clang-format off
#define FMI2_FUNCTIONS(X)                                                                                   \
  X(fmi2GetTypesPlatform) X(fmi2GetVersion) X(fmi2SetDebugLogging) X(fmi2Instantiate) X(fmi2FreeInstance)   \
  X(fmi2SetupExperiment) X(fmi2EnterInitializationMode) X(fmi2ExitInitializationMode) X(fmi2Terminate)      \
  X(fmi2Reset) X(fmi2GetReal) X(fmi2GetInteger) X(fmi2GetBoolean) X(fmi2GetString) X(fmi2SetReal)           \
  X(fmi2SetInteger) X(fmi2SetBoolean) X(fmi2SetString) X(fmi2GetFMUstate) X(fmi2SetFMUstate)                \
  X(fmi2FreeFMUstate) X(fmi2SerializedFMUstateSize) X(fmi2SerializeFMUstate) X(fmi2DeSerializeFMUstate)     \
  X(fmi2GetDirectionalDerivative) X(fmi2SetRealInputDerivatives) X(fmi2GetRealOutputDerivatives)            \
  X(fmi2DoStep) X(fmi2CancelStep) X(fmi2GetStatus) X(fmi2GetRealStatus) X(fmi2GetIntegerStatus)             \
  X(fmi2GetBooleanStatus) X(fmi2GetStringStatus)
// clang-format on

struct Functions {
#define DECLARE(name) \
  decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses): a name to declare
  FMI2_FUNCTIONS(DECLARE)
#undef DECLARE

  explicit Functions(SharedLibrary const& library) {
#define BIND(name) library.bind(name, #name);
    FMI2_FUNCTIONS(BIND)
#undef BIND
  }
};

#define NAME(name) #name,
constexpr std::array function_names{FMI2_FUNCTIONS(NAME)};
#undef NAME

std::atomic<long> outstanding_allocations = 0;

void* allocate(std::size_t count, std::size_t size) {
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

void receive_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category,
                     fmi2String format, ...) {
  // Twice through the arguments: first for the length, then for the text.
  std::va_list arguments;
  va_start(arguments, format);
  int const length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size() + 1, format, arguments);
  va_end(arguments);
  if (environment == nullptr) return;
  static_cast<InstanceLogBook*>(environment)
      ->add({status_of(status), category != nullptr ? category : "", text});
}

class Fmi2Instance final : public SimulatedInstance {
 public:
  Fmi2Instance(InstanceContext const& context, InstanceRequest const& request)
      : SimulatedInstance(SignalTable(context.description)),
        functions_(context.library),
        interface_(*context.description.interface("CoSimulation")),
        log_(request.log),
        callbacks_{receive_message, allocate, release, nullptr, &log_} {
    require(functions_.fmi2Instantiate, "fmi2Instantiate");
    require(functions_.fmi2FreeInstance, "fmi2FreeInstance");
    std::string const token = request.token.value_or(context.description.token());
    component_ = functions_.fmi2Instantiate(request.name.c_str(), fmi2CoSimulation, token.c_str(),
                                            file_uri(context.resources).c_str(), &callbacks_, fmi2False,
                                            request.logging_on);
    if (component_ == nullptr) fail("fmi2Instantiate", Status::error, "returned NULL");
  }
  ~Fmi2Instance() override { functions_.fmi2FreeInstance(component_); }

  void enter_initialization(RunSettings const& settings) override {
    call(functions_.fmi2SetupExperiment, "fmi2SetupExperiment", settings.tolerance.has_value(),
         settings.tolerance.value_or(0), settings.start, settings.stop.has_value(),
         settings.stop.value_or(0));
    call(functions_.fmi2EnterInitializationMode, "fmi2EnterInitializationMode");
  }
  void exit_initialization() override {
    call(functions_.fmi2ExitInitializationMode, "fmi2ExitInitializationMode");
  }
  void terminate() override { call(functions_.fmi2Terminate, "fmi2Terminate"); }
  void reset() override { call(functions_.fmi2Reset, "fmi2Reset"); }

  StepOutcome do_step(double current, double size) override {
    require(functions_.fmi2DoStep, "fmi2DoStep");
    log_.start_call();
    fmi2Status const status = functions_.fmi2DoStep(component_, current, size, fmi2True);
    if (status == fmi2Discard && functions_.fmi2GetBooleanStatus != nullptr &&
        functions_.fmi2GetRealStatus != nullptr) {
      fmi2Boolean terminated = fmi2False;
      fmi2Real reached = current;
      functions_.fmi2GetBooleanStatus(component_, fmi2Terminated, &terminated);
      functions_.fmi2GetRealStatus(component_, fmi2LastSuccessfulTime, &reached);
      if (terminated != fmi2False) return {reached, true};
    }
    judge(status, "fmi2DoStep");
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

  std::string get_text(std::size_t index) override {
    fmi2String text = nullptr;
    call(functions_.fmi2GetString, "fmi2GetString", &signals()[index].value_reference, std::size_t{1}, &text);
    return text != nullptr ? text : "";
  }

  bool saves_states() const override { return interface_.flag("canGetAndSetFMUstate"); }
  bool serializes_states() const override { return interface_.flag("canSerializeFMUstate"); }

  SavedState save_state() override {
    fmi2FMUstate state = nullptr;
    call(functions_.fmi2GetFMUstate, "fmi2GetFMUstate", &state);
    return own(state);
  }
  void restore_state(SavedState const& state) override {
    call(functions_.fmi2SetFMUstate, "fmi2SetFMUstate", state.get());
  }

  std::vector<std::uint8_t> serialize(SavedState const& state) override {
    std::size_t size = 0;
    call(functions_.fmi2SerializedFMUstateSize, "fmi2SerializedFMUstateSize", state.get(), &size);
    std::vector<std::uint8_t> bytes(size);
    call(functions_.fmi2SerializeFMUstate, "fmi2SerializeFMUstate", state.get(),
         reinterpret_cast<fmi2Byte*>(bytes.data()), size);
    return bytes;
  }
  SavedState deserialize(std::span<const std::uint8_t> bytes) override {
    fmi2FMUstate state = nullptr;
    call(functions_.fmi2DeSerializeFMUstate, "fmi2DeSerializeFMUstate",
         reinterpret_cast<fmi2Byte const*>(bytes.data()), bytes.size(), &state);
    return own(state);
  }

 private:
  SavedState own(fmi2FMUstate state) {
    return {state, [this](fmi2FMUstate pointer) {
              if (functions_.fmi2FreeFMUstate != nullptr) functions_.fmi2FreeFMUstate(component_, &pointer);
            }};
  }

  [[noreturn]] void fail(std::string_view function, Status status, std::string const& what) const {
    std::string const said = log_.of_this_call();
    throw InstanceError(status, fmt::format("{} {}{}", function, what, said.empty() ? "" : ": " + said));
  }

  template <typename Function>
  static void require(Function function, std::string_view name) {
    if (function == nullptr) throw InstanceError(Status::fatal, fmt::format("{} is not exported", name));
  }

  void judge(fmi2Status status, std::string_view name) const {
    if (status != fmi2OK && status != fmi2Warning)
      fail(name, status_of(status), fmt::format("returned {}", status_name(status_of(status))));
  }

  template <typename Function, typename... Arguments>
  void call(Function function, std::string_view name, Arguments... arguments) {
    require(function, name);
    log_.start_call();
    judge(function(component_, arguments...), name);
  }

  Functions functions_;
  DescribedInterface interface_;
  InstanceLogBook log_;
  fmi2CallbackFunctions callbacks_;  // the standard: lives as long as the instance
  fmi2Component component_ = nullptr;
};

}  // namespace

std::unique_ptr<SimulatedInstance> make_fmi2_instance(InstanceContext const& context,
                                                      InstanceRequest const& request) {
  return std::make_unique<Fmi2Instance>(context, request);
}

std::span<const char* const> fmi2_function_names() {
  return function_names;
}
long fmi2_outstanding_allocations() {
  return outstanding_allocations;
}

}  // namespace delassus
