// The co-simulation master of one instance: sets values, initialises, steps and records.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/import/simulated_instance.hpp"
#include "tools/simulate/timed_input.hpp"

namespace delassus {

struct SimulationPlan {
  double start = 0, stop = 1, step = 1e-3;  // s
  std::optional<double> tolerance;
  std::vector<SignalValue> settings;  // before the initialisation
  std::optional<TimeTable> input;     // its columns have been looked up with find_inputs
  bool interpolate = false;           // continuous inputs follow lines between rows instead of holding
  std::vector<std::size_t> recorded;  // signals; empty: inputs, then outputs
};

struct SimulationResult {
  TimeTable table;                   // of what the plan records; whole rows, also where the run failed
  std::vector<std::size_t> signals;  // of the table's columns
  std::vector<std::size_t> parameters;
  std::vector<double> parameter_values;  // after the initialisation
  std::size_t steps = 0;
  bool terminated = false;             // by the instance, before `stop`
  bool interrupted = false;            // by `progress`
  std::optional<std::string> failure;  // also of an interruption
  bool refused = false;  // the failure is that the instance did not take one of the plan's settings
};

// Called at each communication point, counted from zero at the start, after the outputs were read and before
// inputs are set.
using Observer = std::function<void(std::size_t point)>;

// Called after each step with the share that is done; returning false ends the run, which then counts as
// failed.
using Progress = std::function<bool(double share)>;

// The times of a run: those that are asked for, otherwise those of the model's default experiment. Throws CommandError
// where there is no stop time.
SimulationPlan plan_times(ModelDescription const& description, std::optional<double> start,
                          std::optional<double> stop, std::optional<double> step);

// Of 500 in a run. Rounded as a decimal number, so that its multiples are what a person would write.
double default_step(double start, double stop);

// Rows beyond these fill the memory of a machine.
inline constexpr double most_steps = 1e8;

// Number of steps; the last one may be shorter, to end at `stop`. Throws CommandError where the times make no
// sense.
std::size_t count_steps(double start, double stop, double step);
inline std::size_t count_steps(SimulationPlan const& plan) {
  return count_steps(plan.start, plan.stop, plan.step);
}

// What goes wrong in the instance is in the result. Time is start + k step in decimal numbers, not a sum of steps.
SimulationResult run_simulation(SimulatedInstance& instance, SimulationPlan const& plan,
                                Progress const& progress, Observer const& observer = {});
// The same, for a caller with a Rescue: its table has whole rows at any time that is not UndisturbedWork.
void run_simulation(SimulatedInstance& instance, SimulationPlan const& plan, Progress const& progress,
                    Observer const& observer, SimulationResult& result);

}  // namespace delassus
