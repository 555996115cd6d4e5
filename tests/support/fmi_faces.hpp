// The two C interfaces of the FMU's shared library behind one test vocabulary, so that one test runs through
// both.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fmu/fmi2/interface.hpp"
#include "fmu/fmi3/interface.hpp"
#include "tests/support/scene_run.hpp"
#include "tools/support/shared_library.hpp"
#include "tools/support/temporary_folder.hpp"

namespace delassus::test {

inline SharedLibrary const& fmu_library() {
  static SharedLibrary const library(DELASSUS_FMU_BINARY);
  return library;
}

#define DELASSUS_BIND(name) \
  decltype(&::name) const name = reinterpret_cast<decltype(&::name)>(fmu_library().find(#name))

// A resources folder with a compiled scene in it.
class Resources {
 public:
  explicit Resources(std::string const& example) : model(example_model(example)) {
    write(write_scene_archive(model->scene()));
  }
  void write(std::string const& bytes) const {
    std::ofstream(folder_.path() / scene_archive_name, std::ios::binary) << bytes;
  }
  std::filesystem::path const& path() const { return folder_.path(); }

  std::shared_ptr<const SceneModel> const model;

 private:
  TemporaryFolder folder_;
};

struct Logged {
  int status;
  std::string category, message;
};

// Where logging is on, every call and the work of each step are told; most tests look for what else is.
inline bool keeps_everything = false;
inline void keep_logged(void* log, Logged logged) {
  bool const plenty = logged.category == "logCalls" || logged.category == "logSolver";
  if (keeps_everything || !plenty) static_cast<std::vector<Logged>*>(log)->push_back(std::move(logged));
}

// Statuses have the same numbers in both versions: 0 OK, 1 Warning, 2 Discard, 3 Error, 4 Fatal.
enum { ok = 0, warning = 1, discarded = 2, error = 3 };

inline void record(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category,
                   fmi2String format, ...) {
  char text[2048];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  keep_logged(environment, {status, category, text});
}

class Fmi2Face {
 public:
  static constexpr int version = 2;
  static std::string location(std::filesystem::path const& folder) { return "file://" + folder.string(); }

  explicit Fmi2Face(std::vector<Logged>& log, bool has_logger = true) {
    callbacks_ = {has_logger ? record : nullptr, nullptr, nullptr, nullptr, &log};
  }
  ~Fmi2Face() {
    if (instance) fmi2FreeInstance(instance);
  }

  bool instantiate(char const* token, char const* resources, bool logging = true) {
    instance = fmi2Instantiate("test", fmi2CoSimulation, token, resources, &callbacks_, fmi2False, logging);
    return instance != nullptr;
  }
  int enter(double start = 0, double const* stop = nullptr) {
    int const status =
        fmi2SetupExperiment(instance, fmi2False, 0, start, stop ? fmi2True : fmi2False, stop ? *stop : 0);
    return status != ok ? status : fmi2EnterInitializationMode(instance);
  }
  int exit() { return fmi2ExitInitializationMode(instance); }
  int terminate() { return fmi2Terminate(instance); }
  int reset() { return fmi2Reset(instance); }
  int get(std::vector<std::uint32_t> const& references, std::vector<double>& values) {
    return fmi2GetReal(instance, references.data(), references.size(), values.data());
  }
  int set(std::vector<std::uint32_t> const& references, std::vector<double> const& values) {
    return fmi2SetReal(instance, references.data(), references.size(), values.data());
  }
  int get_enumeration(std::uint32_t reference, int& value) {
    return fmi2GetInteger(instance, &reference, 1, &value);
  }
  int set_enumeration(std::uint32_t reference, int value) {
    return fmi2SetInteger(instance, &reference, 1, &value);
  }
  int step(double current, double size) { return fmi2DoStep(instance, current, size, fmi2True); }
  int take(void** state) { return fmi2GetFMUstate(instance, state); }
  int put(void* state) { return fmi2SetFMUstate(instance, state); }
  int release(void** state) { return fmi2FreeFMUstate(instance, state); }
  int serialise(void* state, std::vector<std::uint8_t>& bytes) {
    std::size_t size = 0;
    int const status = fmi2SerializedFMUstateSize(instance, state, &size);
    bytes.resize(size);
    return status != ok ? status
                        : fmi2SerializeFMUstate(instance, state, reinterpret_cast<char*>(bytes.data()), size);
  }
  int deserialise(std::vector<std::uint8_t> const& bytes, void** state) {
    return fmi2DeSerializeFMUstate(instance, reinterpret_cast<char const*>(bytes.data()), bytes.size(),
                                   state);
  }
  int logging(bool on, std::vector<char const*> const& categories) {
    return fmi2SetDebugLogging(instance, on, categories.size(), categories.data());
  }
  // Elements of an array have references of their own.
  static std::vector<std::uint32_t> references(VariableTable const& table,
                                               std::vector<std::string> const& names) {
    std::vector<std::uint32_t> result;
    for (auto const& name : names) {
      auto const element = table.find(reference_of_variable(table, name));
      for (int i = 0; i < element.variable->size; ++i)
        result.push_back(element.variable->value_reference + static_cast<std::uint32_t>(i));
    }
    return result;
  }
  static std::uint32_t reference_of_variable(VariableTable const& table, std::string const& name) {
    for (Variable const& variable : table.variables()) {
      if (variable.name == name) return variable.value_reference;
    }
    throw std::invalid_argument(name);
  }

  fmi2Component instance = nullptr;

 protected:
  fmi2CallbackFunctions callbacks_{};

 private:
  DELASSUS_BIND(fmi2Instantiate);
  DELASSUS_BIND(fmi2FreeInstance);
  DELASSUS_BIND(fmi2SetupExperiment);
  DELASSUS_BIND(fmi2EnterInitializationMode);
  DELASSUS_BIND(fmi2ExitInitializationMode);
  DELASSUS_BIND(fmi2Terminate);
  DELASSUS_BIND(fmi2Reset);
  DELASSUS_BIND(fmi2GetReal);
  DELASSUS_BIND(fmi2SetReal);
  DELASSUS_BIND(fmi2GetInteger);
  DELASSUS_BIND(fmi2SetInteger);
  DELASSUS_BIND(fmi2DoStep);
  DELASSUS_BIND(fmi2GetFMUstate);
  DELASSUS_BIND(fmi2SetFMUstate);
  DELASSUS_BIND(fmi2FreeFMUstate);
  DELASSUS_BIND(fmi2SerializedFMUstateSize);
  DELASSUS_BIND(fmi2SerializeFMUstate);
  DELASSUS_BIND(fmi2DeSerializeFMUstate);
  DELASSUS_BIND(fmi2SetDebugLogging);
};

inline void record_fmi3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                        fmi3String message) {
  keep_logged(environment, {status, category, message});
}

class Fmi3Face {
 public:
  static constexpr int version = 3;
  static std::string location(std::filesystem::path const& folder) { return folder.string() + "/"; }

  explicit Fmi3Face(std::vector<Logged>& log, bool has_logger = true) : log_(&log), has_logger_(has_logger) {}
  ~Fmi3Face() {
    if (instance) fmi3FreeInstance(instance);
  }

  bool instantiate(char const* token, char const* resources, bool logging = true) {
    instance = fmi3InstantiateCoSimulation("test", token, resources, false, logging, false, false, nullptr, 0,
                                           log_, has_logger_ ? record_fmi3 : nullptr, nullptr);
    return instance != nullptr;
  }
  int enter(double start = 0, double const* stop = nullptr) {
    return fmi3EnterInitializationMode(instance, false, 0, start, stop != nullptr, stop ? *stop : 0);
  }
  int exit() { return fmi3ExitInitializationMode(instance); }
  int terminate() { return fmi3Terminate(instance); }
  int reset() { return fmi3Reset(instance); }
  int get(std::vector<std::uint32_t> const& references, std::vector<double>& values) {
    return fmi3GetFloat64(instance, references.data(), references.size(), values.data(), values.size());
  }
  int set(std::vector<std::uint32_t> const& references, std::vector<double> const& values) {
    return fmi3SetFloat64(instance, references.data(), references.size(), values.data(), values.size());
  }
  int get_enumeration(std::uint32_t reference, int& value) {
    fmi3Int64 wide = 0;
    int const status = fmi3GetInt64(instance, &reference, 1, &wide, 1);
    value = static_cast<int>(wide);
    return status;
  }
  int set_enumeration(std::uint32_t reference, int value) {
    fmi3Int64 const wide = value;
    return fmi3SetInt64(instance, &reference, 1, &wide, 1);
  }
  int step(double current, double size) {
    bool event = true, end = true, early = true;
    double reached = 0;
    int const status = fmi3DoStep(instance, current, size, true, &event, &end, &early, &reached);
    return event || end || early ? error : status;
  }
  int take(void** state) { return fmi3GetFMUState(instance, state); }
  int put(void* state) { return fmi3SetFMUState(instance, state); }
  int release(void** state) { return fmi3FreeFMUState(instance, state); }
  int serialise(void* state, std::vector<std::uint8_t>& bytes) {
    std::size_t size = 0;
    int const status = fmi3SerializedFMUStateSize(instance, state, &size);
    bytes.resize(size);
    return status != ok ? status : fmi3SerializeFMUState(instance, state, bytes.data(), size);
  }
  int deserialise(std::vector<std::uint8_t> const& bytes, void** state) {
    return fmi3DeserializeFMUState(instance, bytes.data(), bytes.size(), state);
  }
  int logging(bool on, std::vector<char const*> const& categories) {
    return fmi3SetDebugLogging(instance, on, categories.size(), categories.data());
  }
  // An array is one variable.
  static std::vector<std::uint32_t> references(VariableTable const& table,
                                               std::vector<std::string> const& names) {
    std::vector<std::uint32_t> result;
    for (auto const& name : names) result.push_back(Fmi2Face::reference_of_variable(table, name));
    return result;
  }

  fmi3Instance instance = nullptr;

 protected:
  std::vector<Logged>* log_;

 private:
  bool has_logger_;
  DELASSUS_BIND(fmi3InstantiateCoSimulation);
  DELASSUS_BIND(fmi3FreeInstance);
  DELASSUS_BIND(fmi3EnterInitializationMode);
  DELASSUS_BIND(fmi3ExitInitializationMode);
  DELASSUS_BIND(fmi3Terminate);
  DELASSUS_BIND(fmi3Reset);
  DELASSUS_BIND(fmi3GetFloat64);
  DELASSUS_BIND(fmi3SetFloat64);
  DELASSUS_BIND(fmi3GetInt64);
  DELASSUS_BIND(fmi3SetInt64);
  DELASSUS_BIND(fmi3DoStep);
  DELASSUS_BIND(fmi3GetFMUState);
  DELASSUS_BIND(fmi3SetFMUState);
  DELASSUS_BIND(fmi3FreeFMUState);
  DELASSUS_BIND(fmi3SerializedFMUStateSize);
  DELASSUS_BIND(fmi3SerializeFMUState);
  DELASSUS_BIND(fmi3DeserializeFMUState);
  DELASSUS_BIND(fmi3SetDebugLogging);
};

#undef DELASSUS_BIND

// All real outputs of the rod, by variable.
inline std::vector<std::string> rod_outputs() {
  return {"rod.position",         "rod.velocity",        "rod.angle",
          "rod.angular_velocity", "tip_ground.position", "tip_ground.force",
          "tip_ground.gap",       "contact.residual",    "energy.total"};
}
inline constexpr std::size_t rod_output_elements = 13;

}  // namespace delassus::test
