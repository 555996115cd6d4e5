// Every function of both standards in every state of the life cycle of both interface kinds. The tables are those of
// FMI 2.0.4 (sections 3.2.3 and 4.2.4) and of FMI 3.0.2 (sections 2.3, 3.2 and 4.2): OK where they allow the call,
// Error where they do not, and the instance is alive afterwards.
//
// States: I instantiated, i initialization mode, E event mode, S step mode (FMI 2: step complete), C continuous-time
// mode, T terminated. A letter in brackets: the standard says nothing, either answer will do.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "tests/support/exchange_faces.hpp"

namespace delassus::test {
namespace {

enum class Kind { co_simulation, model_exchange };

template <class Function>
Function bind(char const* name) {
  return reinterpret_cast<Function>(fmu_library().find(name));
}
#define CALL(function, ...) bind<decltype(&::function)>(#function)(instance __VA_OPT__(, ) __VA_ARGS__)

struct Row {
  char const* function;
  char const* co_simulation;   // states in which it is allowed
  char const* model_exchange;  // the same
  std::function<int(void* instance)> call;
};

// What a call hands over: the scene is `impact`, whose references are looked up by name.
struct References {
  std::uint32_t input, tunable, fixed, output, enumeration, integer, state, clock;
};

References references_of(VariableTable const& table) {
  return {reference_of(table, "push"),
          reference_of(table, "ground.zeta"),
          reference_of(table, "solver.stepper"),
          reference_of(table, "ball.position"),
          reference_of(table, "solver.rule"),
          reference_of(table, "events.count"),
          reference_of(table, "ball.state.position"),
          reference_of(table, "events.clock")};
}

bool allows(char const* table, char state) {
  return std::strchr(table, state) != nullptr;
}
bool leaves_open(char const* table, char state) {
  std::string const bracket{'(', state, ')'};
  return std::string(table).find(bracket) != std::string::npos;
}

std::shared_ptr<const SceneModel> impact_with_clock() {
  return std::make_shared<const SceneModel>(compile_scene(read_scene_source(
      R"(<scene name="impact"><gravity acceleration="0 -9.81"/><interface event_clock="yes"/>
<body name="ball" type="slider" axis="y" mass="1"><initial position="0" velocity="-1"/></body>
<contact name="ground" point="ball" zeta="0.2" delta="1e-2"/><force name="push" point="ball"/></scene>)",
      "impact.xml")));
}

class Folder {
 public:
  Folder() {
    std::ofstream(folder_.path() / scene_archive_name, std::ios::binary)
        << write_scene_archive(model->scene());
  }
  std::shared_ptr<const SceneModel> const model = impact_with_clock();
  std::filesystem::path const& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

// ---- FMI 3.0

std::vector<Row> fmi3_rows(References const& at) {
  static double value = 0;
  static double values[4];
  static std::int64_t wide = 1;
  static std::int32_t narrow = 0;
  static bool flag = false;
  static std::size_t count = 0;
  char const *all = "IiESCT", *none = "";
  std::vector<Row> rows{
      {"fmi3SetDebugLogging", all, all,
       [](void* instance) { return CALL(fmi3SetDebugLogging, true, 0, nullptr); }},
      {"fmi3EnterInitializationMode", "I", "I",
       [](void* instance) { return CALL(fmi3EnterInitializationMode, false, 0, 0, false, 0); }},
      {"fmi3ExitInitializationMode", "i", "i",
       [](void* instance) { return CALL(fmi3ExitInitializationMode); }},
      {"fmi3EnterEventMode", "S", "C", [](void* instance) { return CALL(fmi3EnterEventMode); }},
      {"fmi3Terminate", "ES", "EC", [](void* instance) { return CALL(fmi3Terminate); }},
      {"fmi3Reset", all, all, [](void* instance) { return CALL(fmi3Reset); }},
      {"fmi3GetFloat64", all, all,
       [at](void* instance) { return CALL(fmi3GetFloat64, &at.output, 1, &value, 1); }},
      {"fmi3GetInt32", all, all,
       [at](void* instance) { return CALL(fmi3GetInt32, &at.integer, 1, &narrow, 1); }},
      {"fmi3GetInt64", all, all,
       [at](void* instance) { return CALL(fmi3GetInt64, &at.enumeration, 1, &wide, 1); }},
      {"fmi3SetFloat64 of an input", "IiES", "IiEC",
       [at](void* instance) { return CALL(fmi3SetFloat64, &at.input, 1, &value, 1); }},
      {"fmi3SetFloat64 of a tunable parameter", "IiES", "IiE(C)",
       [at](void* instance) {
         double const zeta = .5;
         return CALL(fmi3SetFloat64, &at.tunable, 1, &zeta, 1);
       }},
      {"fmi3SetInt64 of a fixed parameter", "Ii", "Ii",
       [at](void* instance) {
         std::int64_t const stepper = 2;
         return CALL(fmi3SetInt64, &at.fixed, 1, &stepper, 1);
       }},
      {"fmi3SetFloat64 of an output", none, none,
       [at](void* instance) { return CALL(fmi3SetFloat64, &at.output, 1, &value, 1); }},
      {"fmi3SetFloat64 of a state", none, "(E)(C)",
       [at](void* instance) { return CALL(fmi3SetFloat64, &at.state, 1, &value, 1); }},
      {"fmi3SetInt32 of nothing", "IiES(T)", "IiEC(T)",
       [](void* instance) { return CALL(fmi3SetInt32, nullptr, 0, nullptr, 0); }},
      {"fmi3GetClock", "E", "E", [at](void* instance) { return CALL(fmi3GetClock, &at.clock, 1, &flag); }},
      {"fmi3SetClock of an output", none, none,
       [at](void* instance) { return CALL(fmi3SetClock, &at.clock, 1, &flag); }},
      {"fmi3GetNumberOfVariableDependencies", all, all,
       [at](void* instance) { return CALL(fmi3GetNumberOfVariableDependencies, at.output, &count); }},
      {"fmi3GetVariableDependencies", all, all,
       [at](void* instance) {
         std::size_t number = 0;
         CALL(fmi3GetNumberOfVariableDependencies, at.output, &number);
         std::vector<std::size_t> mine(number), theirs(number);
         std::vector<fmi3ValueReference> independents(number);
         std::vector<fmi3DependencyKind> kinds(number);
         return CALL(fmi3GetVariableDependencies, at.output, mine.data(), independents.data(), theirs.data(),
                     kinds.data(), number);
       }},
      {"fmi3GetFMUState and its like", all, all,
       [](void* instance) {
         fmi3FMUState state = nullptr, copy = nullptr;
         std::size_t size = 0;
         std::vector<std::uint8_t> bytes;
         int status = CALL(fmi3GetFMUState, &state);
         status = std::max<int>(status, CALL(fmi3SerializedFMUStateSize, state, &size));
         bytes.resize(size);
         status = std::max<int>(status, CALL(fmi3SerializeFMUState, state, bytes.data(), size));
         status = std::max<int>(status, CALL(fmi3DeserializeFMUState, bytes.data(), size, &copy));
         status = std::max<int>(status, CALL(fmi3SetFMUState, copy));
         status = std::max<int>(status, CALL(fmi3FreeFMUState, &state));
         return std::max<int>(status, CALL(fmi3FreeFMUState, &copy));
       }},
      {"fmi3UpdateDiscreteStates", "E", "E",
       [](void* instance) {
         return CALL(fmi3UpdateDiscreteStates, &flag, &flag, &flag, &flag, &flag, &value);
       }},
      {"fmi3EvaluateDiscreteStates, which is not provided", none, none,
       [](void* instance) { return CALL(fmi3EvaluateDiscreteStates); }},
      {"fmi3EnterConfigurationMode, without structural parameters", none, none,
       [](void* instance) { return CALL(fmi3EnterConfigurationMode); }},
      {"fmi3ExitConfigurationMode", none, none,
       [](void* instance) { return CALL(fmi3ExitConfigurationMode); }},
      {"fmi3EnterStepMode", "E", none, [](void* instance) { return CALL(fmi3EnterStepMode); }},
      {"fmi3DoStep", "S", none,
       [](void* instance) {
         double time = 0;
         fmi3ValueReference const independent = 0;
         CALL(fmi3GetFloat64, &independent, 1, &time, 1);
         return CALL(fmi3DoStep, time, 1e-3, true, &flag, &flag, &flag, &value);
       }},
      {"fmi3EnterContinuousTimeMode", none, "E",
       [](void* instance) { return CALL(fmi3EnterContinuousTimeMode); }},
      {"fmi3CompletedIntegratorStep", none, "C",
       [](void* instance) { return CALL(fmi3CompletedIntegratorStep, true, &flag, &flag); }},
      {"fmi3SetTime", none, "C", [](void* instance) { return CALL(fmi3SetTime, 1e-3); }},
      {"fmi3SetContinuousStates", none, "C",
       [](void* instance) {
         double const x[] = {.1, -1};
         return CALL(fmi3SetContinuousStates, x, 2);
       }},
      {"fmi3GetContinuousStates", none, "iECT",
       [](void* instance) { return CALL(fmi3GetContinuousStates, values, 2); }},
      {"fmi3GetContinuousStateDerivatives", none, "iECT",
       [](void* instance) { return CALL(fmi3GetContinuousStateDerivatives, values, 2); }},
      {"fmi3GetEventIndicators", none, "iECT",
       [](void* instance) { return CALL(fmi3GetEventIndicators, values, 1); }},
      {"fmi3GetNominalsOfContinuousStates", none, "iECT",
       [](void* instance) { return CALL(fmi3GetNominalsOfContinuousStates, values, 2); }},
      {"fmi3GetNumberOfContinuousStates", none, "I(i)E(C)(T)",
       [](void* instance) { return CALL(fmi3GetNumberOfContinuousStates, &count); }},
      {"fmi3GetNumberOfEventIndicators", none, "I(i)E(C)(T)",
       [](void* instance) { return CALL(fmi3GetNumberOfEventIndicators, &count); }},
      {"fmi3GetIntervalDecimal, of a clock without interval", none, none,
       [at](void* instance) { return CALL(fmi3GetIntervalDecimal, &at.clock, 1, &value, nullptr); }},
      {"fmi3GetIntervalFraction", none, none,
       [at](void* instance) {
         return CALL(fmi3GetIntervalFraction, &at.clock, 1, nullptr, nullptr, nullptr);
       }},
      {"fmi3GetShiftDecimal", none, none,
       [at](void* instance) { return CALL(fmi3GetShiftDecimal, &at.clock, 1, &value); }},
      {"fmi3GetShiftFraction", none, none,
       [at](void* instance) { return CALL(fmi3GetShiftFraction, &at.clock, 1, nullptr, nullptr); }},
      {"fmi3SetIntervalDecimal", none, none,
       [at](void* instance) { return CALL(fmi3SetIntervalDecimal, &at.clock, 1, &value); }},
      {"fmi3SetIntervalFraction", none, none,
       [at](void* instance) { return CALL(fmi3SetIntervalFraction, &at.clock, 1, nullptr, nullptr); }},
      {"fmi3SetShiftDecimal", none, none,
       [at](void* instance) { return CALL(fmi3SetShiftDecimal, &at.clock, 1, &value); }},
      {"fmi3SetShiftFraction", none, none,
       [at](void* instance) { return CALL(fmi3SetShiftFraction, &at.clock, 1, nullptr, nullptr); }},
      {"fmi3ActivateModelPartition", none, none,
       [at](void* instance) { return CALL(fmi3ActivateModelPartition, at.clock, 0); }},
  };
  rows.push_back({"fmi3GetDirectionalDerivative", "iEST", "iECT", [at](void* instance) {
                    return CALL(fmi3GetDirectionalDerivative, &at.output, 1, &at.input, 1, &value, 1, values,
                                1);
                  }});
  rows.push_back({"fmi3GetAdjointDerivative", "iEST", "iECT", [at](void* instance) {
                    return CALL(fmi3GetAdjointDerivative, &at.output, 1, &at.input, 1, &value, 1, values, 1);
                  }});
  rows.push_back({"fmi3GetOutputDerivatives", "ST", none, [at](void* instance) {
                    std::int32_t const order = 1;
                    return CALL(fmi3GetOutputDerivatives, &at.output, 1, &order, values, 1);
                  }});
  // Types that no variable has: an empty request is fine, a reference is not.
#define NO_VARIABLES(type)                                                                      \
  rows.push_back({"fmi3Get" #type ", which no variable has", none, none, [at](void* instance) { \
                    static fmi3##type nothing{};                                                \
                    return CALL(fmi3Get##type, &at.output, 1, &nothing, 1);                     \
                  }});                                                                          \
  rows.push_back({"fmi3Set" #type ", which no variable has", none, none, [at](void* instance) { \
                    static fmi3##type const nothing{};                                          \
                    return CALL(fmi3Set##type, &at.output, 1, &nothing, 1);                     \
                  }});
  NO_VARIABLES(Float32)
  NO_VARIABLES(Int8)
  NO_VARIABLES(UInt8)
  NO_VARIABLES(Int16)
  NO_VARIABLES(UInt16)
  NO_VARIABLES(UInt32)
  NO_VARIABLES(UInt64)
  NO_VARIABLES(Boolean)
  NO_VARIABLES(String)
#undef NO_VARIABLES
  rows.push_back({"fmi3GetBinary, which no variable has", none, none,
                  [at](void* instance) { return CALL(fmi3GetBinary, &at.output, 1, &count, nullptr, 1); }});
  rows.push_back({"fmi3SetBinary, which no variable has", none, none,
                  [at](void* instance) { return CALL(fmi3SetBinary, &at.output, 1, &count, nullptr, 1); }});
  return rows;
}

void silent(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String) {}

void* fmi3_instance(Folder const& folder, Kind kind, char state) {
  std::string const token = folder.model->token(3), location = Fmi3Face::location(folder.path());
  void* const instance =
      kind == Kind::co_simulation
          ? bind<decltype(&::fmi3InstantiateCoSimulation)>("fmi3InstantiateCoSimulation")(
                "test", token.c_str(), location.c_str(), false, true, true, true, nullptr, 0, nullptr, silent,
                nullptr)
          : bind<decltype(&::fmi3InstantiateModelExchange)>("fmi3InstantiateModelExchange")(
                "test", token.c_str(), location.c_str(), false, true, nullptr, silent);
  auto const demand = [](int status) { ASSERT_EQ(status, ok); };
  if (state == 'I') return instance;
  demand(CALL(fmi3EnterInitializationMode, false, 0, 0, false, 0));
  if (state == 'i') return instance;
  demand(CALL(fmi3ExitInitializationMode));
  if (state == 'E') return instance;
  bool flag = false;
  double value = 0;
  demand(CALL(fmi3UpdateDiscreteStates, &flag, &flag, &flag, &flag, &flag, &value));
  if (kind == Kind::co_simulation) {
    demand(CALL(fmi3EnterStepMode));
  } else {
    demand(CALL(fmi3EnterContinuousTimeMode));
  }
  if (state == 'T') demand(CALL(fmi3Terminate));
  return instance;
}

// ---- FMI 2.0

std::vector<Row> fmi2_rows(References const& at) {
  static double value = 0;
  static double values[4];
  static int integer = 1;
  static fmi2Boolean flag = fmi2False;
  static fmi2EventInfo info{};
  static fmi2Status status_value = fmi2OK;
  static fmi2String text = nullptr;
  char const *all = "IiESCT", *none = "";
  return {
      {"fmi2SetDebugLogging", all, all,
       [](void* instance) { return CALL(fmi2SetDebugLogging, fmi2True, 0, nullptr); }},
      {"fmi2SetupExperiment", "I", "I",
       [](void* instance) { return CALL(fmi2SetupExperiment, fmi2False, 0, 0, fmi2False, 0); }},
      {"fmi2EnterInitializationMode", "I", "I",
       [](void* instance) { return CALL(fmi2EnterInitializationMode); }},
      {"fmi2ExitInitializationMode", "i", "i",
       [](void* instance) { return CALL(fmi2ExitInitializationMode); }},
      {"fmi2Terminate", "S", "EC", [](void* instance) { return CALL(fmi2Terminate); }},
      {"fmi2Reset", all, all, [](void* instance) { return CALL(fmi2Reset); }},
      {"fmi2GetReal", "iST", "iECT",
       [at](void* instance) { return CALL(fmi2GetReal, &at.output, 1, &value); }},
      {"fmi2GetInteger", "iST", "iECT",
       [at](void* instance) { return CALL(fmi2GetInteger, &at.integer, 1, &integer); }},
      {"fmi2GetBoolean, which no variable has", none, none,
       [at](void* instance) { return CALL(fmi2GetBoolean, &at.output, 1, &flag); }},
      {"fmi2GetString, which no variable has", none, none,
       [at](void* instance) { return CALL(fmi2GetString, &at.output, 1, &text); }},
      {"fmi2SetReal of an input", "IiS", "IiEC",
       [at](void* instance) { return CALL(fmi2SetReal, &at.input, 1, &value); }},
      {"fmi2SetReal of a tunable parameter", "IiS", "IiE(C)",
       [at](void* instance) {
         double const zeta = .5;
         return CALL(fmi2SetReal, &at.tunable, 1, &zeta);
       }},
      {"fmi2SetInteger of a fixed parameter", "Ii", "Ii",
       [at](void* instance) {
         int const stepper = 2;
         return CALL(fmi2SetInteger, &at.fixed, 1, &stepper);
       }},
      {"fmi2SetReal of an output", none, none,
       [at](void* instance) { return CALL(fmi2SetReal, &at.output, 1, &value); }},
      {"fmi2SetBoolean, which no variable has", none, none,
       [at](void* instance) { return CALL(fmi2SetBoolean, &at.output, 1, &flag); }},
      {"fmi2SetString, which no variable has", none, none,
       [at](void* instance) { return CALL(fmi2SetString, &at.output, 1, &text); }},
      {"fmi2GetFMUstate and its like", all, all,
       [](void* instance) {
         fmi2FMUstate state = nullptr, copy = nullptr;
         std::size_t size = 0;
         std::vector<char> bytes;
         int status = CALL(fmi2GetFMUstate, &state);
         status = std::max<int>(status, CALL(fmi2SerializedFMUstateSize, state, &size));
         bytes.resize(size);
         status = std::max<int>(status, CALL(fmi2SerializeFMUstate, state, bytes.data(), size));
         status = std::max<int>(status, CALL(fmi2DeSerializeFMUstate, bytes.data(), size, &copy));
         status = std::max<int>(status, CALL(fmi2SetFMUstate, copy));
         status = std::max<int>(status, CALL(fmi2FreeFMUstate, &state));
         return std::max<int>(status, CALL(fmi2FreeFMUstate, &copy));
       }},
      {"fmi2SetRealInputDerivatives", "IiS", none,
       [at](void* instance) {
         int const order = 1;
         return CALL(fmi2SetRealInputDerivatives, &at.input, 1, &order, &value);
       }},
      {"fmi2GetDirectionalDerivative", "iST", "iECT",
       [at](void* instance) {
         return CALL(fmi2GetDirectionalDerivative, &at.output, 1, &at.input, 1, &value, values);
       }},
      {"fmi2GetRealOutputDerivatives", "ST", none,
       [at](void* instance) {
         int const order = 1;
         return CALL(fmi2GetRealOutputDerivatives, &at.output, 1, &order, values);
       }},
      {"fmi2DoStep", "S", none,
       [](void* instance) {
         double time = 0;
         fmi2ValueReference const independent = 0;
         CALL(fmi2GetReal, &independent, 1, &time);
         return CALL(fmi2DoStep, time, 1e-3, fmi2True);
       }},
      {"fmi2CancelStep, of a step that never waits", none, none,
       [](void* instance) { return CALL(fmi2CancelStep); }},
      {"fmi2GetRealStatus", "ST", none,
       [](void* instance) { return CALL(fmi2GetRealStatus, fmi2LastSuccessfulTime, &value); }},
      {"fmi2GetBooleanStatus", "ST", none,
       [](void* instance) { return CALL(fmi2GetBooleanStatus, fmi2Terminated, &flag); }},
      // No step is ever pending: Discard where they are allowed.
      {"fmi2GetStatus", "(S)(T)", none,
       [](void* instance) { return CALL(fmi2GetStatus, fmi2DoStepStatus, &status_value); }},
      {"fmi2GetIntegerStatus", "(S)(T)", none,
       [](void* instance) { return CALL(fmi2GetIntegerStatus, fmi2DoStepStatus, &integer); }},
      {"fmi2GetStringStatus", "(S)(T)", none,
       [](void* instance) { return CALL(fmi2GetStringStatus, fmi2PendingStatus, &text); }},
      {"fmi2EnterEventMode", none, "EC", [](void* instance) { return CALL(fmi2EnterEventMode); }},
      {"fmi2NewDiscreteStates", none, "E", [](void* instance) { return CALL(fmi2NewDiscreteStates, &info); }},
      {"fmi2EnterContinuousTimeMode", none, "E",
       [](void* instance) { return CALL(fmi2EnterContinuousTimeMode); }},
      {"fmi2CompletedIntegratorStep", none, "C",
       [](void* instance) { return CALL(fmi2CompletedIntegratorStep, fmi2True, &flag, &flag); }},
      {"fmi2SetTime", none, "EC", [](void* instance) { return CALL(fmi2SetTime, 1e-3); }},
      {"fmi2SetContinuousStates", none, "C",
       [](void* instance) {
         double const x[] = {.1, -1};
         return CALL(fmi2SetContinuousStates, x, 2);
       }},
      {"fmi2GetDerivatives", none, "iECT",
       [](void* instance) { return CALL(fmi2GetDerivatives, values, 2); }},
      {"fmi2GetEventIndicators", none, "iECT",
       [](void* instance) { return CALL(fmi2GetEventIndicators, values, 1); }},
      {"fmi2GetContinuousStates", none, "iECT",
       [](void* instance) { return CALL(fmi2GetContinuousStates, values, 2); }},
      {"fmi2GetNominalsOfContinuousStates", none, "IiECT",
       [](void* instance) { return CALL(fmi2GetNominalsOfContinuousStates, values, 2); }},
  };
}

void silent2(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) {}

void* fmi2_instance(Folder const& folder, Kind kind, char state) {
  static fmi2CallbackFunctions const callbacks{silent2, nullptr, nullptr, nullptr, nullptr};
  std::string const token = folder.model->token(2), location = Fmi2Face::location(folder.path());
  void* const instance = bind<decltype(&::fmi2Instantiate)>("fmi2Instantiate")(
      "test", kind == Kind::co_simulation ? fmi2CoSimulation : fmi2ModelExchange, token.c_str(),
      location.c_str(), &callbacks, fmi2False, fmi2True);
  auto const demand = [](int status) { ASSERT_EQ(status, ok); };
  if (state == 'I') return instance;
  demand(CALL(fmi2SetupExperiment, fmi2False, 0, 0, fmi2False, 0));
  demand(CALL(fmi2EnterInitializationMode));
  if (state == 'i') return instance;
  demand(CALL(fmi2ExitInitializationMode));
  if (state == 'E') return instance;
  if (kind == Kind::model_exchange) {
    fmi2EventInfo info;
    demand(CALL(fmi2NewDiscreteStates, &info));
    demand(CALL(fmi2EnterContinuousTimeMode));
  }
  if (state == 'T') demand(CALL(fmi2Terminate));
  return instance;
}

// ----

template <class Make, class Free>
void check(std::vector<Row> const& rows, std::string const& states, Kind kind, Make const& make,
           Free const& free_instance) {
  for (Row const& row : rows) {
    char const* const table = kind == Kind::co_simulation ? row.co_simulation : row.model_exchange;
    for (char const state : states) {
      void* const instance = make(kind, state);
      ASSERT_NE(instance, nullptr);
      int const status = row.call(instance);
      if (leaves_open(table, state)) {
        EXPECT_LE(status, error) << row.function << " in " << state;
      } else if (allows(table, state)) {
        EXPECT_EQ(status, ok) << row.function << " in " << state;
      } else {
        EXPECT_EQ(status, error) << row.function << " in " << state;
      }
      free_instance(instance);
    }
    // Without an instance there is nothing to ask.
    EXPECT_EQ(row.call(nullptr), error) << row.function;
  }
}

TEST(LifeCycle, OfFmi3AnswersAsTheStandardSaysInEveryState) {
  Folder const folder;
  References const at = references_of(folder.model->table());
  auto const make = [&](Kind kind, char state) { return fmi3_instance(folder, kind, state); };
  auto const release = bind<decltype(&::fmi3FreeInstance)>("fmi3FreeInstance");
  check(fmi3_rows(at), "IiEST", Kind::co_simulation, make, release);
  check(fmi3_rows(at), "IiECT", Kind::model_exchange, make, release);
  release(nullptr);
}

TEST(LifeCycle, OfFmi2AnswersAsTheStandardSaysInEveryState) {
  Folder const folder;
  References const at = references_of(folder.model->table());
  auto const make = [&](Kind kind, char state) { return fmi2_instance(folder, kind, state); };
  auto const release = bind<decltype(&::fmi2FreeInstance)>("fmi2FreeInstance");
  check(fmi2_rows(at), "IiST", Kind::co_simulation, make, release);
  check(fmi2_rows(at), "IiECT", Kind::model_exchange, make, release);
  release(nullptr);
}

TEST(LifeCycle, KnowsNoScheduledExecution) {
  Folder const folder;
  std::string const token = folder.model->token(3), location = Fmi3Face::location(folder.path());
  EXPECT_EQ(
      bind<decltype(&::fmi3InstantiateScheduledExecution)>("fmi3InstantiateScheduledExecution")(
          "test", token.c_str(), location.c_str(), false, true, nullptr, silent, nullptr, nullptr, nullptr),
      nullptr);
}

// Event mode and early return of co-simulation in FMI 3, and the clock, through the C interface.
TEST(LifeCycle, OfAStepThatEndsAtAnEventTicksTheClock) {
  Folder const folder;
  References const at = references_of(folder.model->table());
  void* const instance = fmi3_instance(folder, Kind::co_simulation, 'S');
  bool event = false, end = false, early = false, ticks = false, flag = false;
  double time = 0, next = 0;
  // The ball touches at the start; it leaves within a tenth of a second.
  ASSERT_EQ(CALL(fmi3DoStep, 0, .1, true, &event, &end, &early, &time), ok);
  EXPECT_TRUE(event);
  EXPECT_TRUE(early);
  EXPECT_LT(time, .1);
  ASSERT_EQ(CALL(fmi3EnterEventMode), ok);
  ASSERT_EQ(CALL(fmi3GetClock, &at.clock, 1, &ticks), ok);
  EXPECT_TRUE(ticks);
  ASSERT_EQ(CALL(fmi3UpdateDiscreteStates, &flag, &flag, &flag, &flag, &flag, &next), ok);
  ASSERT_EQ(CALL(fmi3GetClock, &at.clock, 1, &ticks), ok);
  EXPECT_FALSE(ticks);
  ASSERT_EQ(CALL(fmi3EnterStepMode), ok);
  ASSERT_EQ(CALL(fmi3DoStep, time, .1 - time, true, &event, &end, &early, &time), ok);
  EXPECT_FALSE(early);
  EXPECT_EQ(time, .1);
  bind<decltype(&::fmi3FreeInstance)>("fmi3FreeInstance")(instance);
}

}  // namespace
}  // namespace delassus::test
