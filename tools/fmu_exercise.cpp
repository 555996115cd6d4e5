#include "tools/fmu_exercise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/number.hpp"
#include "tools/exercise_values.hpp"
#include "xml/schema_value.hpp"

namespace delassus {
namespace {

constexpr std::size_t most_steps = 50;

struct Timeline {
  double start = 0, step = 0.01;
  std::size_t steps = most_steps;
  double time(std::size_t k) const { return start + static_cast<double>(k) * step; }
};

Timeline timeline_of(ModelDescription const& description) {
  Timeline timeline;
  if (!description.default_experiment) return timeline;
  auto const& experiment = *description.default_experiment;
  auto const number = [](std::optional<std::string> const& text) {
    return text ? parse_double(*text) : std::nullopt;
  };
  timeline.start = number(experiment.start_time).value_or(0);
  double const duration = number(experiment.stop_time).value_or(timeline.start + 1) - timeline.start;
  timeline.step = number(experiment.step_size).value_or(duration / most_steps);
  if (!(timeline.step > 0) || !(duration > 0)) return {};
  timeline.steps = static_cast<std::size_t>(
      std::clamp(std::floor(duration / timeline.step + 1e-9), 1.0, double{most_steps}));
  return timeline;
}

class Exercise {
 public:
  Exercise(ImportedFmu& fmu, ExerciseReport const& report)
      : fmu_(fmu),
        description_(fmu.description()),
        report_(report),
        timeline_(timeline_of(fmu.description())) {
    SignalTable const table(description_);
    auto const& signals = table.signals();
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (signals[i].is_number()) numbers_.push_back(i);
      if (signals[i].type == "String") texts_.push_back(i);
    }
  }

  void run() {
    if (!load()) return;
    check_exports();
    check_version();
    check_wrong_token();
    bool const once = description_.interface("CoSimulation")->flag("canBeInstantiatedOnlyOncePerProcess");
    if (!run_baseline()) return;
    if (!once) check_two_instances();
    check_memory();
  }

 private:
  void stage(std::string const& what) const { report_.stage(what); }
  void find(std::string const& rule, std::string const& message, std::string const& remedy,
            Severity severity = Severity::error) const {
    report_.finding({rule, severity, "", 0, message, remedy});
  }

  bool load() {
    stage("loading the shared library");
    try {
      fmu_.library(fmu_.kinds().front());
      return true;
    } catch (std::exception const& error) {
      find("binary-loads", error.what(), "link what the library needs into it; `ldd` lists what is missing");
      report_.failed();
      return false;
    }
  }

  void check_exports() const {
    std::string missing;
    for (char const* const name : fmi_function_names(description_.version, fmu_.kinds().front())) {
      if (fmu_.library(fmu_.kinds().front()).find(name) == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(name);
    }
    if (!missing.empty()) {
      find("binary-exports", "the shared library does not export " + missing,
           "export every function of the interface type, also those of capabilities that are not offered");
    }
  }

  void check_version() const {
    stage("asking for the version");
    auto const ask = [&](char const* function, std::string_view expected) {
      char const* (*get)() = nullptr;
      fmu_.library(fmu_.kinds().front()).bind(get, function);
      if (get == nullptr) return;
      char const* const answer = get();
      std::string const text = answer != nullptr ? answer : "NULL";
      // A later patch of FMI 3 may say so: 3.0.1.
      bool const equal = text == expected || (description_.version == 3 && text.starts_with("3.0"));
      if (!equal)
        find("binary-version", fmt::format("{} returns '{}'", function, text),
             fmt::format("return '{}'", expected));
    };
    if (description_.version == 2) {
      ask("fmi2GetVersion", "2.0");
      ask("fmi2GetTypesPlatform", "default");
    } else {
      ask("fmi3GetVersion", "3.0");
    }
  }

  void check_wrong_token() {
    stage("instantiating with a wrong token");
    try {
      auto const instance =
          fmu_.instantiate({.name = "wrong", .log = {}, .token = "not-" + description_.token()});
      find("token-checked", "an instance was made although the token is not the description's",
           "compare the token with that of the description, and return NULL where it differs");
    } catch (InstanceError const&) {
      // refused, as it should be
    }
  }

  std::unique_ptr<SimulatedInstance> instantiate(std::string const& name) {
    return fmu_.instantiate({.name = name, .log = {}});
  }

  void initialise(SimulatedInstance& instance) const {
    instance.enter_initialization({timeline_.start, std::nullopt, std::nullopt});
    instance.exit_initialization();
  }

  Values read(SimulatedInstance& instance) const {
    Values values(numbers_.size());
    instance.get(numbers_, values);
    for (auto const index : texts_) instance.get_text(index);
    return values;
  }

  void step(SimulatedInstance& instance, std::size_t k) const {
    StepOutcome const outcome = instance.do_step(timeline_.time(k), timeline_.step);
    if (outcome.terminated) {
      throw InstanceError(Status::discard,
                          fmt::format("the FMU asked to end the run at {} s, within its default experiment",
                                      format_number(outcome.time)));
    }
  }

  // The values after each of the steps from `first` on; entry 0 is before the first of them.
  Trajectory run_from(SimulatedInstance& instance, std::size_t first) const {
    Trajectory trajectory{read(instance)};
    for (std::size_t k = first; k < timeline_.steps; ++k) {
      step(instance, k);
      trajectory.push_back(read(instance));
    }
    return trajectory;
  }

  bool run_baseline() {
    try {
      stage("instantiating");
      auto const instance = instantiate("first");
      stage("initialising");
      initialise(*instance);
      stage("reading every variable after the initialisation");
      Values const initial = read(*instance);
      stage(fmt::format("making {} steps of {} s", timeline_.steps, format_number(timeline_.step)));
      baseline_ = run_from(*instance, 0);
      stage("terminating");
      instance->terminate();
      judge_values(*instance, initial);
      check_reset(*instance);
      if (instance->saves_states()) check_states(*instance);
      stage("freeing the instance");
      return true;
    } catch (InstanceError const& error) {
      find("run-succeeds", error.what(),
           "see what the FMU logs; it must run its default experiment with its start values");
      report_.failed();
      return false;
    }
  }

  void judge_values(SimulatedInstance& instance, Values const& initial) const {
    for (auto const& finding : judge_start_values(instance.signals(), numbers_, initial))
      report_.finding(finding);
    for (auto const& finding : judge_trajectory(instance.signals(), numbers_, baseline_))
      report_.finding(finding);
    std::vector<double> times;
    for (std::size_t k = 0; k < baseline_.size(); ++k) times.push_back(timeline_.time(k));
    for (auto const& finding : judge_time(instance.signals(), numbers_, baseline_, times))
      report_.finding(finding);
  }

  // Whether `repeated` is `expected` to the bit; `first` is the communication point that both start at.
  bool compare(SimulatedInstance& instance, Trajectory const& expected, Trajectory const& repeated,
               std::size_t first, std::string const& rule, std::string const& after,
               std::string const& remedy) const {
    auto const difference = first_difference(instance.signals(), numbers_, expected, repeated, first);
    if (difference) find(rule, fmt::format("{}, {}", after, *difference), remedy);
    return !difference;
  }

  void check_reset(SimulatedInstance& instance) const {
    stage("resetting and running again");
    instance.reset();
    initialise(instance);
    compare(instance, baseline_, run_from(instance, 0), 0, "reset-reproduces", "after a reset",
            "let reset restore everything that instantiation sets: time, states, parameters, counters, warm "
            "starts");
  }

  // Against the run that went on from the saved state, not against the first run: a reset that forgets
  // something has been found already and is not found again here.
  void check_states(SimulatedInstance& instance) const {
    std::size_t const half = timeline_.steps / 2;
    stage("saving the state, going on, and restoring it");
    instance.reset();
    initialise(instance);
    for (std::size_t k = 0; k < half; ++k) step(instance, k);
    SavedState const state = instance.save_state();
    Trajectory const expected = run_from(instance, half);
    instance.restore_state(state);
    bool const exact = compare(
        instance, expected, run_from(instance, half), half, "rollback-exact", "after the state was restored",
        "put everything that the future depends on into the state, warm starts and step sizes included");
    if (exact && instance.serializes_states()) check_serialisation(instance, state, expected, half);
  }

  void check_serialisation(SimulatedInstance& instance, SavedState const& state, Trajectory const& expected,
                           std::size_t half) const {
    stage("serialising the state and reading it back");
    auto bytes = instance.serialize(state);
    SavedState const copy = instance.deserialize(bytes);
    instance.restore_state(copy);
    compare(instance, expected, run_from(instance, half), half, "serialisation-exact",
            "after the state was serialised and read back", "serialise every number with all of its bits");
    stage("reading a state that was cut in half");
    bytes.resize(bytes.size() / 2);
    try {
      instance.deserialize(bytes);
      find("state-validated", "a serialised state that was cut in half was accepted",
           "store its size and a checksum, and refuse what does not fit", Severity::warning);
    } catch (InstanceError const&) {
      // refused, as it should be
    }
  }

  void check_two_instances() {
    stage("running two instances side by side");
    try {
      auto const first = instantiate("first");
      auto const second = instantiate("second");
      initialise(*first);
      initialise(*second);
      Trajectory of_first{read(*first)}, of_second{read(*second)};
      for (std::size_t k = 0; k < timeline_.steps; ++k) {
        step(*first, k);
        step(*second, k);
        of_first.push_back(read(*first));
        of_second.push_back(read(*second));
      }
      std::string const remedy =
          "keep no state outside of the instance, or declare canBeInstantiatedOnlyOncePerProcess";
      compare(*first, baseline_, of_first, 0, "instances-independent", "beside a second instance", remedy);
      compare(*second, baseline_, of_second, 0, "instances-independent", "as the second of two instances",
              remedy);
    } catch (InstanceError const& error) {
      find("instances-independent", fmt::format("two instances side by side: {}", error.what()),
           "keep no state outside of the instance, or declare canBeInstantiatedOnlyOncePerProcess");
    }
  }

  void check_memory() const {
    if (description_.version != 2) return;
    if (long const blocks = fmi2_outstanding_allocations(); blocks != 0) {
      find("memory-balance", fmt::format("{} blocks from allocateMemory were not given back", blocks),
           "call freeMemory for every block, also where instantiation fails");
    }
  }

  ImportedFmu& fmu_;
  ModelDescription const& description_;
  ExerciseReport const& report_;
  Timeline timeline_;
  std::vector<std::size_t> numbers_, texts_;
  Trajectory baseline_;
};

}  // namespace

void exercise_fmu(ImportedFmu& fmu, ExerciseReport const& report) {
  Exercise(fmu, report).run();
}

}  // namespace delassus
