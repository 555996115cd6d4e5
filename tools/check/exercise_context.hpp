// What the exercises of a checked FMU share: the FMU as one of its interface types, when and how far to run,
// and where findings go.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/scene/decimal_times.hpp"
#include "tools/check/exercise.hpp"
#include "tools/check/exercise_values.hpp"
#include "tools/check/host_environment.hpp"
#include "tools/import/fmu.hpp"

namespace delassus {

struct Timeline {
  double start = 0, step = 0.01;
  std::size_t steps = 50;
  bool is_guess = false;  // the description says nothing of times
  double time(std::size_t k) const { return DecimalTimes(start, step).after(k); }
};

// From the default experiment; no more than 50 steps, each a whole number of the FMU's internal steps.
Timeline timeline_of(ModelDescription const& description, InterfaceKind kind);

// A step that ended early where it may not.
class StepEndedEarly : public InstanceError {
 public:
  using InstanceError::InstanceError;
};

class ExerciseContext {
 public:
  // `solver`: of Model Exchange.
  ExerciseContext(ImportedFmu& fmu, InterfaceKind kind, ExerciseReport const& report,
                  OdeMethod solver = OdeMethod::dopri5);
  ~ExerciseContext();

  ImportedFmu& fmu;
  ModelDescription const& description;
  DescribedInterface const& interface;
  InterfaceKind const kind;
  OdeMethod const solver;
  Timeline timeline;
  SignalTable const signals;
  std::vector<std::size_t> numbers, texts, binaries, clocks;  // readable at any communication point

  // What is tried next. What the stage before has changed in this process is found here.
  void stage(std::string const& what);
  void find(std::string const& rule, std::string const& message, std::string const& remedy) const;
  void find(std::vector<Finding> const& findings) const;
  void failed() const { report_.failed(); }
  void crash_breaks(std::string const& rule) const { report_.survival(rule); }

  // A capability by its names in FMI 2 and FMI 3; an empty name: that version has none.
  bool declares(std::string const& fmi2, std::string const& fmi3) const;

  // Runs `work`; a call that the FMU refuses is a finding of `rule`. False where it was.
  bool attempt(std::string const& rule, std::string const& remedy, std::function<void()> const& work) const;

  InstanceRequest request(std::string const& name);
  // Model Exchange with an integrator, so that both kinds run in steps.
  std::unique_ptr<SimulatedInstance> instantiate(std::string const& name);
  std::unique_ptr<SimulatedInstance> instantiate(InstanceRequest const& request);

  void initialise(SimulatedInstance& instance) const;
  Values read(SimulatedInstance& instance) const;  // of `numbers`; the others are read as well
  // Throws StepEndedEarly. False where the FMU asks to end the run, which it may. `own_time`: StepOutcome's.
  bool step(SimulatedInstance& instance, std::size_t k, double* own_time = nullptr) const;
  // The values after each of the steps from `first` on; entry 0 is before the first of them.
  Trajectory run_from(SimulatedInstance& instance, std::size_t first) const;

  // What has changed in this process is found, once each, and undone.
  void check_environment() const;
  bool environment_was_kept() const { return changes_found_.empty(); }

  std::set<std::string> const& logged_categories() const { return logged_categories_; }
  std::vector<std::string> const& chatter() const { return chatter_; }  // logged while logging was off

 private:
  ExerciseReport const& report_;
  HostEnvironment environment_;
  std::string stage_;
  int instances_ = 0;
  mutable std::set<std::string> changes_found_;
  std::set<std::string> logged_categories_;
  std::vector<std::string> chatter_;
};

// The exercises, each in its own source. They find what they find and throw nothing of the FMU's.
void exercise_access(ExerciseContext& context);                // exercise_access.cpp
bool exercise_runs(ExerciseContext& context, double seconds);  // exercise_runs.cpp
void exercise_capabilities(ExerciseContext& context);          // exercise_capabilities.cpp
bool exercise_model_exchange(ExerciseContext& context);        // exercise_model_exchange.cpp
void exercise_event_indicators(ExerciseContext& context,
                               double seconds);       // exercise_event_indicators.cpp
void exercise_derivatives(ExerciseContext& context);  // exercise_derivatives.cpp
void exercise_robustness(ExerciseContext& context);   // exercise_robustness.cpp
void exercise_starved(ExerciseContext& context);      // exercise_robustness.cpp
void exercise_reference(ExerciseContext& context, ReferenceSettings const& settings,
                        double seconds);  // exercise_reference.cpp

}  // namespace delassus
