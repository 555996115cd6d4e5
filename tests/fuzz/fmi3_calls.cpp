// Sequences of calls of FMI 3.0.
#include <memory>

#include "fmu/fmi3/interface.hpp"
#include "tests/fuzz/fmi_calls.hpp"

using namespace delassus;
using namespace delassus::fuzz;

namespace {

// What a host does in an intermediate update: it reads, and sometimes asks for an early return.
struct Environment {
  bool early = false;
};
Environment environment;

void log_message(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message) {
  demand_always(category && message && *category != '\0', "a message has a category and a text");
}

void intermediate_update(fmi3InstanceEnvironment given, fmi3Float64 time, fmi3Boolean, fmi3Boolean,
                         fmi3Boolean, fmi3Boolean can_return, fmi3Boolean* requested, fmi3Float64* at) {
  *requested = can_return && static_cast<Environment*>(given)->early;
  *at = time;
}

// Arrays of C have no vector<bool>.
template <class Value>
struct Array {
  explicit Array(std::size_t count) : size(count), data(new Value[count]()) {}
  std::size_t size;
  std::unique_ptr<Value[]> data;
};

// A pointer that is sometimes NULL.
template <class Pointer>
Pointer maybe(Pointer pointer, InputBytes& bytes) {
  return bytes.byte() == 255 ? nullptr : pointer;
}

template <class Value, class Function>
int access(Function function, void* instance, CallArguments const& arguments,
           std::vector<std::uint32_t> const& references) {
  Array<Value> values(arguments.about(arguments.elements(references, true)));
  for (std::size_t i = 0; i < values.size; ++i) values.data[i] = static_cast<Value>(arguments.bytes.byte());
  return function(instance, references.data(), references.size(), values.data.get(), values.size);
}

struct Fmi3 {
  static void* instantiate(FmiExample const& example, bool exchange, InputBytes& bytes) {
    unsigned const options = bytes.byte();
    char const* const token = options >= 250 ? "wrong" : example.token3.c_str();
    std::string const resources = example.folder + "/";
    environment.early = (options & 8U) != 0;
    bool const logging = (options & 1U) != 0;
    if (exchange) {
      return fmi3InstantiateModelExchange("fuzzed", token, resources.c_str(), false, logging, &environment,
                                          log_message);
    }
    std::vector<std::uint32_t> const intermediate(
        bytes.below(3), example.references[bytes.word() % example.references.size()]);
    return fmi3InstantiateCoSimulation("fuzzed", token, resources.c_str(), false, logging,
                                       (options & 2U) != 0, (options & 4U) != 0, intermediate.data(),
                                       intermediate.size(), &environment, log_message,
                                       (options & 16U) != 0 ? intermediate_update : nullptr);
  }
  static void free(void* instance) { fmi3FreeInstance(instance); }

  static int enter_initialization(void* instance, CallArguments const& arguments) {
    bool const plain = arguments.bytes.below(4) != 0;
    double const tolerance = plain ? 1e-6 : arguments.bytes.real(),
                 start = plain ? 0 : arguments.bytes.real();
    int const status =
        fmi3EnterInitializationMode(instance, !plain && !(tolerance > 0 && tolerance < 1e-10), tolerance,
                                    start, !plain, plain ? 1 : arguments.bytes.real());
    if (status == 0) arguments.instance.time = start;
    return status;
  }
  static int exit_initialization(void* instance) { return fmi3ExitInitializationMode(instance); }
  static int start(void* instance) {
    fmi3EnterInitializationMode(instance, false, 0, 0, false, 0);
    return fmi3ExitInitializationMode(instance);
  }
  static int terminate(void* instance) { return fmi3Terminate(instance); }
  static int reset(void* instance) { return fmi3Reset(instance); }

  static int get(void* instance, CallArguments const& arguments) {
    auto const references = arguments.references();
    std::vector<double> values(arguments.about(arguments.elements(references, true)));
    return fmi3GetFloat64(instance, maybe(references.data(), arguments.bytes), references.size(),
                          maybe(values.data(), arguments.bytes), values.size());
  }
  static int set(void* instance, CallArguments const& arguments) {
    auto const references = arguments.references();
    auto const values =
        arguments.values_for(references, arguments.about(arguments.elements(references, true)));
    return fmi3SetFloat64(instance, maybe(references.data(), arguments.bytes), references.size(),
                          maybe(values.data(), arguments.bytes), values.size());
  }
  static int get_integers(void* instance, CallArguments const& arguments) {
    bool const wide = arguments.bytes.flag();
    auto const references = arguments.references();
    return wide ? access<fmi3Int64>(fmi3GetInt64, instance, arguments, references)
                : access<fmi3Int32>(fmi3GetInt32, instance, arguments, references);
  }
  static int set_integers(void* instance, CallArguments const& arguments) {
    auto const references = arguments.references();
    if (!arguments.bytes.flag()) return access<fmi3Int32>(fmi3SetInt32, instance, arguments, references);
    std::vector<fmi3Int64> values(arguments.about(arguments.elements(references, true)));
    for (fmi3Int64& value : values) {
      unsigned const choice = arguments.bytes.byte();
      value = choice < 200 ? choice % 5 : static_cast<fmi3Int64>(arguments.bytes.number(8));
    }
    return fmi3SetInt64(instance, references.data(), references.size(), values.data(), values.size());
  }

  static int step(void* instance, double current, double size, double& reached) {
    bool event = false, end = false, early = false;
    return fmi3DoStep(instance, current, size, true, &event, &end, &early, &reached);
  }

  static int take_state(void* instance, void** state) { return fmi3GetFMUState(instance, state); }
  static int put_state(void* instance, void* state) { return fmi3SetFMUState(instance, state); }
  static int free_state(void* instance, void** state) { return fmi3FreeFMUState(instance, state); }
  static int state_size(void* instance, void* state, std::size_t* size) {
    return fmi3SerializedFMUStateSize(instance, state, size);
  }
  static int serialise(void* instance, void* state, std::uint8_t* bytes, std::size_t size) {
    return fmi3SerializeFMUState(instance, state, bytes, size);
  }
  static int deserialise(void* instance, std::uint8_t const* bytes, std::size_t size, void** state) {
    return fmi3DeserializeFMUState(instance, bytes, size, state);
  }

  static int enter_event_mode(void* instance) { return fmi3EnterEventMode(instance); }
  static int update(void* instance) {
    bool again = false, end = false, nominals = false, values = false, defined = false;
    double next = 0;
    return fmi3UpdateDiscreteStates(instance, &again, &end, &nominals, &values, &defined, &next);
  }
  static int leave_event_mode(void* instance, bool exchange) {
    return exchange ? fmi3EnterContinuousTimeMode(instance) : fmi3EnterStepMode(instance);
  }

  static int exchange(void* instance, CallArguments const& arguments) {
    std::size_t states = 0, indicators = 0;
    bool event = false, end = false;
    switch (arguments.bytes.below(8)) {
      case 0: {
        double const time =
            arguments.bytes.below(4) == 0 ? arguments.bytes.real() : arguments.instance.time + 1e-4;
        int const status = fmi3SetTime(instance, time);
        if (status == 0) arguments.instance.time = time;
        return status;
      }
      case 1: {
        fmi3GetNumberOfContinuousStates(instance, &states);
        std::vector<double> x(arguments.about(states));
        fmi3GetContinuousStates(instance, x.data(), x.size());
        for (double& value : x) {
          if (arguments.bytes.below(3) == 0) value = arguments.bytes.real();
        }
        return fmi3SetContinuousStates(instance, x.data(), x.size());
      }
      case 2: {
        fmi3GetNumberOfContinuousStates(instance, &states);
        std::vector<double> rates(arguments.about(states));
        return fmi3GetContinuousStateDerivatives(instance, rates.data(), rates.size());
      }
      case 3: {
        fmi3GetNumberOfEventIndicators(instance, &indicators);
        std::vector<double> values(arguments.about(indicators));
        return fmi3GetEventIndicators(instance, values.data(), values.size());
      }
      case 4: {
        fmi3GetNumberOfContinuousStates(instance, &states);
        std::vector<double> nominals(arguments.about(states));
        return fmi3GetNominalsOfContinuousStates(instance, nominals.data(), nominals.size());
      }
      case 5:
        return fmi3CompletedIntegratorStep(instance, arguments.bytes.flag(), &event, &end);
      case 6:
        return fmi3GetNumberOfEventIndicators(instance, maybe(&indicators, arguments.bytes));
      default:
        return fmi3GetContinuousStates(instance, nullptr, 0);
    }
  }

  static int derivatives(void* instance, CallArguments const& arguments) {
    auto const unknowns = arguments.references(), knowns = arguments.references();
    std::size_t const outer = arguments.elements(unknowns, true), inner = arguments.elements(knowns, true);
    unsigned const choice = arguments.bytes.below(3);
    if (choice == 2) {
      std::vector<fmi3Int32> orders(unknowns.size());
      for (fmi3Int32& order : orders) order = static_cast<fmi3Int32>(arguments.bytes.below(4));
      std::vector<double> values(arguments.about(outer));
      return fmi3GetOutputDerivatives(instance, unknowns.data(), unknowns.size(), orders.data(),
                                      values.data(), values.size());
    }
    auto const seed = arguments.reals(arguments.about(choice == 0 ? inner : outer));
    std::vector<double> sensitivity(arguments.about(choice == 0 ? outer : inner));
    auto const function = choice == 0 ? fmi3GetDirectionalDerivative : fmi3GetAdjointDerivative;
    return function(instance, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(),
                    seed.size(), sensitivity.data(), sensitivity.size());
  }

  static int logging(void* instance, CallArguments const& arguments) {
    static char const* const names[]{"logCalls",  "logEvents", "logStatusError",
                                     "logSolver", "chatter",   nullptr};
    std::vector<char const*> categories(arguments.bytes.below(3));
    for (auto& category : categories) category = names[arguments.bytes.below(6)];
    return fmi3SetDebugLogging(instance, arguments.bytes.flag(), categories.size(), categories.data());
  }

  static int special(void* instance, CallArguments const& arguments) {
    std::uint32_t const reference = arguments.reference();
    switch (arguments.bytes.below(8)) {
      case 0: {
        Array<fmi3Clock> clocks(arguments.bytes.below(3));
        std::vector<std::uint32_t> const references(clocks.size, reference);
        return fmi3GetClock(instance, references.data(), references.size(), clocks.data.get());
      }
      case 1: {
        std::size_t count = 0;
        fmi3GetNumberOfVariableDependencies(instance, reference, &count);
        count = arguments.about(count);
        std::vector<std::size_t> dependent(count), independent(count);
        std::vector<fmi3ValueReference> references(count);
        std::vector<fmi3DependencyKind> kinds(count);
        return fmi3GetVariableDependencies(instance, reference, dependent.data(), references.data(),
                                           independent.data(), kinds.data(), count);
      }
      case 2:
        return access<fmi3Float32>(fmi3GetFloat32, instance, arguments, {reference});
      case 3:
        return access<fmi3Boolean>(fmi3SetBoolean, instance, arguments, {reference});
      case 4:
        return fmi3EnterConfigurationMode(instance);
      case 5:
        return fmi3EvaluateDiscreteStates(instance);
      case 6: {
        double interval = 0;
        fmi3IntervalQualifier qualifier = fmi3IntervalNotYetKnown;
        return fmi3GetIntervalDecimal(instance, &reference, 1, &interval, &qualifier);
      }
      default: {
        bool const clock = true;
        return fmi3SetClock(instance, &reference, 1, &clock);
      }
    }
  }
};

}  // namespace

Seeds fuzz::seeds() {
  return call_seeds();
}

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  return run_calls<Fmi3>(data, size);
}
