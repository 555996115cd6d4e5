// The default experiment again and again: as it is, after a reset, from a saved state, beside another instance.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "model/scene/number.hpp"
#include "tools/check/exercise_context.hpp"
#include "tools/simulate/integrated_instance.hpp"

namespace delassus {
namespace {

using Clock = std::chrono::steady_clock;

class Runs {
 public:
  Runs(ExerciseContext& context, double seconds) : context_(context), seconds_(seconds) {}

  bool run() {
    if (!run_baseline()) return false;
    bool const once =
        context_.declares("canBeInstantiatedOnlyOncePerProcess", "canBeInstantiatedOnlyOncePerProcess");
    // Threads share what an FMU changes in its process: once found, it is not found again as something else.
    if (!once && check_two_instances() && context_.environment_was_kept()) check_two_threads();
    return true;
  }

 private:
  bool run_baseline() {
    try {
      if (context_.timeline.is_guess && context_.kind == InterfaceKind::co_simulation) find_step();
      context_.stage("instantiating");
      auto const instance = context_.instantiate("first");
      context_.stage("initialising");
      context_.initialise(*instance);
      context_.stage("reading every variable after the initialisation");
      Values const initial = context_.read(*instance);
      make_baseline(*instance);
      context_.stage("terminating");
      instance->terminate();
      judge_values(*instance, initial);
      bool const resets = check_reset(*instance);
      if (instance->saves_states() && resets)
        context_.attempt("rollback-exact", "save and restore the state at any communication point",
                         [&] { check_states(*instance); });
      context_.stage("freeing the instance");
      return true;
    } catch (StepEndedEarly const& error) {
      context_.find("step-time", error.what(), "return early only where earlyReturnAllowed is true");
      context_.failed();
      return false;
    } catch (InstanceError const& error) {
      context_.find("run-succeeds", error.what(),
                    "see what the FMU logs; it must run its default experiment with its start values");
      context_.failed();
      return false;
    }
  }

  // An FMU without a default experiment may be one of nanoseconds or of years: the longest step that it makes, and
  // makes soon. Each size gets an instance of its own, as an FMU has to be reset after an error.
  void find_step() {
    double const longest = context_.timeline.step;
    double found = 0;
    for (double step = longest * 1e-6; step <= longest * 1.5; step *= 10) {
      context_.stage(fmt::format("looking for a step that it makes: {} s", format_number(step)));
      auto const begin = Clock::now();
      try {
        auto const instance = context_.instantiate("scout");
        context_.initialise(*instance);
        bool stopped = false;
        for (int k = 0; k < 3 && !stopped; ++k)
          stopped = instance->do_step(context_.timeline.start + k * step, step).terminated;
        found = step;
      } catch (InstanceError const&) {
        if (found > 0) break;
      }
      std::chrono::duration<double> const spent = Clock::now() - begin;
      if (spent.count() > seconds_ / 200) break;
    }
    if (found > 0) context_.timeline.step = found;
  }

  // The first run also shows how long a step takes: a slow FMU is run for fewer of them, so that all exercises
  // fit into the time. A stiff one gets shorter steps, which our explicit integrator can make.
  void make_baseline(SimulatedInstance& instance) {
    for (int attempt = 0;; ++attempt) {
      auto& timeline = context_.timeline;
      context_.stage(fmt::format("making {} steps of {} s", timeline.steps, format_number(timeline.step)));
      auto const begin = Clock::now();
      try {
        baseline_ = {context_.read(instance)};
        own_times_ = {timeline.start};
        for (std::size_t k = 0; k < timeline.steps; ++k) {
          double own_time = 0;
          if (!context_.step(instance, k, &own_time)) {
            timeline.steps = k;  // an FMU may end its run: the other runs stop before
            break;
          }
          baseline_.push_back(context_.read(instance));
          own_times_.push_back(own_time);
          std::chrono::duration<double> const spent = Clock::now() - begin;
          if (spent.count() > seconds_ / 60 && k >= 1) timeline.steps = k + 1;
        }
        return;
      } catch (TooManyEvaluations const&) {
        if (attempt == 5) throw;
        timeline.step /= 100;
        instance.reset();
        context_.initialise(instance);
      }
    }
  }

  void judge_values(SimulatedInstance& instance, Values const& initial) const {
    context_.find(judge_start_values(instance.signals(), context_.numbers, initial));
    context_.find(judge_trajectory(instance.signals(), context_.numbers, baseline_));
    std::vector<double> times;
    for (std::size_t k = 0; k < baseline_.size(); ++k) times.push_back(context_.timeline.time(k));
    context_.find(judge_time(instance.signals(), context_.numbers, baseline_, times, own_times_));
  }

  // Whether `repeated` is `expected` to the bit; `first` is the communication point that both start at.
  bool compare(SimulatedInstance& instance, Trajectory const& expected, Trajectory const& repeated,
               std::size_t first, std::string const& rule, std::string const& after,
               std::string const& remedy) const {
    auto difference = first_difference(instance.signals(), context_.numbers, expected, repeated, first);
    std::size_t const steps = context_.timeline.steps - first;
    if (!difference && repeated.size() <= steps)
      difference =
          fmt::format("the FMU ends its run after {} steps and not after {}", repeated.size() - 1, steps);
    if (difference) context_.find(rule, fmt::format("{}, {}", after, *difference), remedy);
    return !difference;
  }

  // False where the instance cannot be run again; then nothing else is found of it.
  bool check_reset(SimulatedInstance& instance) {
    constexpr char const* remedy =
        "let reset restore everything that instantiation sets: time, states, parameters, counters, warm "
        "starts";
    context_.stage("resetting and running again");
    return context_.attempt("reset-reproduces", remedy, [&] {
      instance.reset();
      context_.initialise(instance);
      compare(instance, baseline_, context_.run_from(instance, 0), 0, "reset-reproduces", "after a reset",
              remedy);
    });
  }

  // Against the run that went on from the saved state, not against the first run: a reset that forgets
  // something has been found already and is not found again here.
  void check_states(SimulatedInstance& instance) {
    std::size_t const half = context_.timeline.steps / 2;
    context_.stage("saving the state, going on, and restoring it");
    instance.reset();
    context_.initialise(instance);
    for (std::size_t k = 0; k < half; ++k) {
      if (!context_.step(instance, k)) return;  // found as what a reset has forgotten
    }
    SavedState const state = instance.save_state();
    Trajectory const expected = context_.run_from(instance, half);
    instance.restore_state(state);
    bool exact = compare(
        instance, expected, context_.run_from(instance, half), half, "rollback-exact",
        "after the state was restored",
        "put everything that the future depends on into the state, warm starts and step sizes included");
    // A state is no single use: masters repeat a step several times from one state.
    if (exact) {
      instance.restore_state(state);
      exact = compare(instance, expected, context_.run_from(instance, half), half, "rollback-exact",
                      "after the state was restored a second time",
                      "do not change a saved state when it is restored or when the run goes on");
    }
    if (exact && instance.serializes_states()) check_serialisation(instance, state, expected, half);
  }

  void check_serialisation(SimulatedInstance& instance, SavedState const& state, Trajectory const& expected,
                           std::size_t half) {
    context_.stage("serialising the state and reading it back");
    auto bytes = instance.serialize(state);
    {
      SavedState const copy = instance.deserialize(bytes);
      instance.restore_state(copy);
      compare(instance, expected, context_.run_from(instance, half), half, "serialisation-exact",
              "after the state was serialised and read back", "serialise every number with all of its bits");
    }
    context_.stage("reading a state that was cut in half");
    bytes.resize(bytes.size() / 2);
    try {
      SavedState const cut = instance.deserialize(bytes);
      context_.find("state-validated", "a serialised state that was cut in half was accepted",
                    "store its size and a checksum, and refuse what does not fit");
    } catch (InstanceError const&) {
      // refused, as it should be
    }
  }

  static constexpr char const* remedy_for_shared =
      "keep no state outside of the instance, or declare canBeInstantiatedOnlyOncePerProcess";

  bool check_two_instances() {
    context_.stage("running two instances side by side");
    return context_.attempt("instances-independent", remedy_for_shared, [&] {
      auto const first = context_.instantiate("first");
      auto const second = context_.instantiate("second");
      context_.initialise(*first);
      context_.initialise(*second);
      Trajectory of_first{context_.read(*first)}, of_second{context_.read(*second)};
      for (std::size_t k = 0; k < context_.timeline.steps; ++k) {
        if (!context_.step(*first, k) || !context_.step(*second, k)) break;
        of_first.push_back(context_.read(*first));
        of_second.push_back(context_.read(*second));
      }
      bool const same = compare(*first, baseline_, of_first, 0, "instances-independent",
                                "beside a second instance", remedy_for_shared);
      if (same)
        compare(*second, baseline_, of_second, 0, "instances-independent", "as the second of two instances",
                remedy_for_shared);
    });
  }

  void check_two_threads() {
    context_.stage("running two instances in two threads");
    std::string failures[2];
    Trajectory trajectories[2];
    std::unique_ptr<SimulatedInstance> instances[2];
    bool const made = context_.attempt("instances-independent", remedy_for_shared, [&] {
      instances[0] = context_.instantiate("first");
      instances[1] = context_.instantiate("second");
    });
    if (!made) return;
    auto const work = [&](std::size_t i) {
      try {
        instances[i]->enter_initialization({context_.timeline.start, std::nullopt, std::nullopt});
        instances[i]->exit_initialization();
        trajectories[i] = context_.run_from(*instances[i], 0);
      } catch (std::exception const& error) {
        failures[i] = error.what();
      }
    };
    { std::jthread const first(work, 0), second(work, 1); }
    for (std::size_t i = 0; i < 2; ++i) {
      if (!failures[i].empty()) {
        context_.find("instances-independent", "in two threads: " + failures[i], remedy_for_shared);
      } else if (compare(*instances[i], baseline_, trajectories[i], 0, "instances-independent",
                         "in two threads", remedy_for_shared)) {
        continue;
      }
      return;
    }
  }

  ExerciseContext& context_;
  double seconds_;
  Trajectory baseline_;
  std::vector<double> own_times_;
};

}  // namespace

bool exercise_runs(ExerciseContext& context, double seconds) {
  return Runs(context, seconds).run();
}

}  // namespace delassus
