// Sequences of calls of FMI 2.0.
#include <cstdarg>

#include "fmu/fmi2/interface.hpp"
#include "tests/fuzz/fmi_calls.hpp"

using namespace delassus;
using namespace delassus::fuzz;

namespace {

void log_message(fmi2ComponentEnvironment, fmi2String name, fmi2Status, fmi2String category,
                 fmi2String format, ...) {
  char text[4096];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  demand_always(name && category && *category != '\0', "a message has a name and a category");
}

fmi2CallbackFunctions const callbacks{log_message, nullptr, nullptr, nullptr, nullptr};

// A pointer that is sometimes NULL.
template <class Pointer>
Pointer maybe(Pointer pointer, InputBytes& bytes) {
  return bytes.byte() == 255 ? nullptr : pointer;
}

struct Fmi2 {
  static void* instantiate(FmiExample const& example, bool exchange, InputBytes& bytes) {
    unsigned const options = bytes.byte();
    char const* const token = options >= 250 ? "wrong" : example.token2.c_str();
    std::string const resources = (options & 2U) != 0 ? example.folder : "file://" + example.folder;
    return fmi2Instantiate("fuzzed", exchange ? fmi2ModelExchange : fmi2CoSimulation, token,
                           resources.c_str(), &callbacks, fmi2False, (options & 1U) != 0);
  }
  static void free(void* instance) { fmi2FreeInstance(instance); }

  static int enter_initialization(void* instance, CallArguments const& arguments) {
    bool const plain = arguments.bytes.below(4) != 0;
    double const tolerance = plain ? 1e-6 : arguments.bytes.real(),
                 start = plain ? 0 : arguments.bytes.real();
    int const status = fmi2SetupExperiment(instance, !plain && !(tolerance > 0 && tolerance < 1e-10),
                                           tolerance, start, !plain, plain ? 1 : arguments.bytes.real());
    if (status == 0) arguments.instance.time = start;
    return fmi2EnterInitializationMode(instance);
  }
  static int exit_initialization(void* instance) { return fmi2ExitInitializationMode(instance); }
  static int start(void* instance) {
    fmi2SetupExperiment(instance, fmi2False, 0, 0, fmi2False, 0);
    fmi2EnterInitializationMode(instance);
    return fmi2ExitInitializationMode(instance);
  }
  static int terminate(void* instance) { return fmi2Terminate(instance); }
  static int reset(void* instance) { return fmi2Reset(instance); }

  static int get(void* instance, CallArguments const& arguments) {
    auto const references = arguments.references();
    std::vector<double> values(references.size());
    return fmi2GetReal(instance, maybe(references.data(), arguments.bytes), references.size(),
                       maybe(values.data(), arguments.bytes));
  }
  static int set(void* instance, CallArguments const& arguments) {
    auto const references = arguments.references();
    auto const values = arguments.values_for(references, references.size());
    return fmi2SetReal(instance, maybe(references.data(), arguments.bytes), references.size(),
                       maybe(values.data(), arguments.bytes));
  }
  static int get_integers(void* instance, CallArguments const& arguments) {
    auto const references = arguments.references();
    std::vector<int> values(references.size());
    return fmi2GetInteger(instance, references.data(), references.size(), values.data());
  }
  static int set_integers(void* instance, CallArguments const& arguments) {
    auto const references = arguments.references();
    std::vector<int> values(references.size());
    for (int& value : values) {
      unsigned const choice = arguments.bytes.byte();
      value = choice < 200 ? static_cast<int>(choice % 5) : static_cast<int>(arguments.bytes.number(4));
    }
    return fmi2SetInteger(instance, references.data(), references.size(), values.data());
  }

  static int step(void* instance, double current, double size, double& reached) {
    int const status = fmi2DoStep(instance, current, size, fmi2True);
    if (status == 0) reached = current + size;
    return status;
  }

  static int take_state(void* instance, void** state) { return fmi2GetFMUstate(instance, state); }
  static int put_state(void* instance, void* state) { return fmi2SetFMUstate(instance, state); }
  static int free_state(void* instance, void** state) { return fmi2FreeFMUstate(instance, state); }
  static int state_size(void* instance, void* state, std::size_t* size) {
    return fmi2SerializedFMUstateSize(instance, state, size);
  }
  static int serialise(void* instance, void* state, std::uint8_t* bytes, std::size_t size) {
    return fmi2SerializeFMUstate(instance, state, reinterpret_cast<char*>(bytes), size);
  }
  static int deserialise(void* instance, std::uint8_t const* bytes, std::size_t size, void** state) {
    return fmi2DeSerializeFMUstate(instance, reinterpret_cast<char const*>(bytes), size, state);
  }

  static int enter_event_mode(void* instance) { return fmi2EnterEventMode(instance); }
  static int update(void* instance) {
    fmi2EventInfo info{};
    return fmi2NewDiscreteStates(instance, &info);
  }
  static int leave_event_mode(void* instance, bool) { return fmi2EnterContinuousTimeMode(instance); }

  static int exchange(void* instance, CallArguments const& arguments) {
    // FMI 2 tells the numbers in the description only.
    std::size_t states = 0;
    for (Variable const& variable : arguments.example().model->table().variables()) {
      if (variable.storage == Storage::state) states += static_cast<std::size_t>(variable.size);
    }
    auto const indicators = static_cast<std::size_t>(arguments.example().model->table().event_indicators());
    int event = 0, end = 0;
    switch (arguments.bytes.below(6)) {
      case 0: {
        double const time =
            arguments.bytes.below(4) == 0 ? arguments.bytes.real() : arguments.instance.time + 1e-4;
        int const status = fmi2SetTime(instance, time);
        if (status == 0) arguments.instance.time = time;
        return status;
      }
      case 1: {
        std::vector<double> x(arguments.about(states));
        fmi2GetContinuousStates(instance, x.data(), x.size());
        for (double& value : x) {
          if (arguments.bytes.below(3) == 0) value = arguments.bytes.real();
        }
        return fmi2SetContinuousStates(instance, x.data(), x.size());
      }
      case 2: {
        std::vector<double> rates(arguments.about(states));
        return fmi2GetDerivatives(instance, rates.data(), rates.size());
      }
      case 3: {
        std::vector<double> values(arguments.about(indicators));
        return fmi2GetEventIndicators(instance, values.data(), values.size());
      }
      case 4: {
        std::vector<double> nominals(arguments.about(states));
        return fmi2GetNominalsOfContinuousStates(instance, nominals.data(), nominals.size());
      }
      default:
        return fmi2CompletedIntegratorStep(instance, arguments.bytes.flag(), &event, &end);
    }
  }

  static int derivatives(void* instance, CallArguments const& arguments) {
    auto const unknowns = arguments.references(), knowns = arguments.references();
    std::vector<int> orders(unknowns.size());
    for (int& order : orders) order = static_cast<int>(arguments.bytes.below(6)) - 1;
    std::vector<double> values(unknowns.size());
    switch (arguments.bytes.below(3)) {
      case 0: {
        auto const seed = arguments.reals(knowns.size());
        return fmi2GetDirectionalDerivative(instance, unknowns.data(), unknowns.size(), knowns.data(),
                                            knowns.size(), seed.data(), values.data());
      }
      case 1:
        return fmi2GetRealOutputDerivatives(instance, unknowns.data(), unknowns.size(), orders.data(),
                                            values.data());
      default:
        values = arguments.reals(unknowns.size());
        return fmi2SetRealInputDerivatives(instance, unknowns.data(), unknowns.size(), orders.data(),
                                           values.data());
    }
  }

  static int logging(void* instance, CallArguments const& arguments) {
    static char const* const names[]{"logCalls",  "logEvents", "logStatusError",
                                     "logSolver", "chatter",   nullptr};
    std::vector<char const*> categories(arguments.bytes.below(3));
    for (auto& category : categories) category = names[arguments.bytes.below(6)];
    return fmi2SetDebugLogging(instance, arguments.bytes.flag(), categories.size(), categories.data());
  }

  static int special(void* instance, CallArguments const& arguments) {
    auto const kind = static_cast<fmi2StatusKind>(arguments.bytes.below(4));
    auto const reference = arguments.reference();
    double real = 0;
    int integer = 0;
    char const* text = "";
    fmi2Status status = fmi2OK;
    switch (arguments.bytes.below(8)) {
      case 0:
        return fmi2GetRealStatus(instance, kind, maybe(&real, arguments.bytes));
      case 1:
        return fmi2GetBooleanStatus(instance, kind, &integer);
      case 2:
        return fmi2GetStatus(instance, kind, &status);
      case 3:
        return fmi2GetIntegerStatus(instance, kind, &integer);
      case 4:
        return fmi2GetStringStatus(instance, kind, &text);
      case 5:
        return fmi2CancelStep(instance);
      case 6:
        return fmi2SetBoolean(instance, &reference, 1, &integer);
      default:
        return fmi2SetString(instance, &reference, 1, &text);
    }
  }
};

}  // namespace

Seeds fuzz::seeds() {
  return call_seeds();
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  return run_calls<Fmi2>(data, size);
}
