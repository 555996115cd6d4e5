#include "tools/simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/interruption.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// A communication point and a row of an input file are at the same time where they differ by less than this
// share of a step.
constexpr double time_rounding = 1e-9;

class Run {
 public:
  Run(SimulatedInstance& instance, SimulationPlan const& plan, Observer const& observer, SimulationResult& to)
      : result(to), instance_(instance), plan_(plan), observer_(observer) {
    UndisturbedWork const undisturbed;
    std::vector<std::size_t> inputs, outputs;
    for (std::size_t i = 0; i < instance.signals().signals().size(); ++i) {
      Signal const& signal = instance.signals()[i];
      if (!signal.is_number()) continue;
      if (signal.is_input()) inputs.push_back(i);
      if (signal.is_output()) outputs.push_back(i);
      if (signal.causality == "parameter") result.parameters.push_back(i);
    }
    result.signals = plan.recorded;
    if (plan.recorded.empty()) {
      result.signals = inputs;
      result.signals.insert(result.signals.end(), outputs.begin(), outputs.end());
    }
    for (std::size_t place = 0; place < result.signals.size(); ++place) {
      Signal const& signal = instance.signals()[result.signals[place]];
      result.table.names.push_back(signal.name);
      auto& part = signal.is_input() ? held_ : read_;
      part.signals.push_back(result.signals[place]);
      part.places.push_back(place);
    }
    held_.values.resize(held_.signals.size());
    read_.values.resize(read_.signals.size());
    if (plan.input)
      input_.emplace(instance.signals(), *plan.input, plan.interpolate, time_rounding * plan.step);
  }

  void set_parameters() {
    result.refused = true;
    set_by_name(instance_, plan_.settings);
    result.refused = false;
  }

  void initialise() {
    set_parameters();
    instance_.enter_initialization({plan_.start, plan_.stop, plan_.tolerance});
    if (input_) instance_.set(input_->values(plan_.start));
    instance_.exit_initialization();
    instance_.get(held_.signals, held_.values);
    result.parameter_values.resize(result.parameters.size());
    instance_.get(result.parameters, result.parameter_values);
  }

  // FMI 2 does not allow reading after setting without a step in between: outputs are read first, and the
  // inputs in the same row are those that hold from here on.
  void record_and_set(double time, std::size_t point) {
    instance_.get(read_.signals, read_.values);
    if (observer_) observer_(point);
    if (point > 0 && input_) {
      auto const values = input_->values(time);
      instance_.set(values);
      hold(values);
    }
    std::vector<double> row(result.signals.size());
    for (auto const* const part : {&held_, &read_}) {
      for (std::size_t i = 0; i < part->places.size(); ++i) row[part->places[i]] = part->values[i];
    }
    UndisturbedWork const undisturbed;
    result.table.add_row(time, row);
  }

  // In Model Exchange inputs change at their own times, whatever the communication points are.
  StepOutcome step(double time, double size, double next) {
    if (!input_) return instance_.do_step(time, size);
    double begin = time;
    while (instance_.model_exchange() != nullptr) {
      auto const change = input_->next_change(begin, next);
      if (!change) break;
      set_slopes(begin, *change);
      StepOutcome const outcome = instance_.do_step(begin, *change - begin);
      if (outcome.terminated) return outcome;
      begin = *change;
      auto const values = input_->values(begin);
      instance_.set(values);
      hold(values);
    }
    set_slopes(begin, next);
    return instance_.do_step(begin, begin == time ? size : step_size_until(begin, next - begin, next));
  }

  SimulationResult& result;

 private:
  struct Part {  // of the columns
    std::vector<std::size_t> signals, places;
    std::vector<double> values;
  };

  void set_slopes(double time, double next) {
    if (!plan_.interpolate || !instance_.interpolates_inputs()) return;
    auto const slopes = input_->slopes(time, next);
    if (!slopes.references.empty()) instance_.set_input_derivatives(slopes.references, 1, slopes.values);
  }

  void hold(std::vector<SignalValue> const& values) {
    for (auto const& [signal, value] : values) {
      auto const place = std::ranges::find(held_.signals, signal);
      if (place != held_.signals.end())
        held_.values[static_cast<std::size_t>(place - held_.signals.begin())] = std::get<double>(value);
    }
  }

  SimulatedInstance& instance_;
  SimulationPlan const& plan_;
  Observer const& observer_;
  Part held_, read_;
  std::optional<TimedInput> input_;
};

}  // namespace

SimulationPlan plan_times(ModelDescription const& description, std::optional<double> start,
                          std::optional<double> stop, std::optional<double> step) {
  ModelDescription::Experiment const experiment =
      description.default_experiment.value_or(ModelDescription::Experiment{});
  auto const number = [](std::optional<std::string> const& text) {
    return text ? parse_double(*text) : std::nullopt;
  };
  SimulationPlan plan;
  plan.start = start.value_or(number(experiment.start_time).value_or(0));
  if (!stop) stop = number(experiment.stop_time);
  if (!stop) throw CommandError(ExitCode::usage, "the FMU has no default stop time; give --stop");
  plan.stop = *stop;
  if (!(plan.stop > plan.start)) {
    throw CommandError(ExitCode::usage,
                       fmt::format("the run stops at {} s and starts at {} s; give a --stop that is later",
                                   format_number(plan.stop), format_number(plan.start)));
  }
  // Some exporters write a step of 0 for none.
  auto const own_step = number(experiment.step_size);
  plan.step = step.value_or(own_step && *own_step > 0 ? *own_step : default_step(plan.start, plan.stop));
  return plan;
}

double default_step(double start, double stop) {
  constexpr int digits = 15;  // every decimal number of so many digits is that of one double
  double const step = (stop - start) / 500;
  return parse_double(fmt::format("{:.{}g}", step, digits)).value_or(step);
}

std::size_t count_steps(double start, double stop, double step) {
  auto const fail = [](std::string const& message) { throw CommandError(ExitCode::usage, message); };
  if (!(step > 0)) fail(fmt::format("the step is {} s; it must be > 0", format_number(step)));
  if (!(stop > start)) {
    fail(fmt::format("the run stops at {} s and starts at {} s; --stop must be later than --start",
                     format_number(stop), format_number(start)));
  }
  double const count = (stop - start) / step;
  if (count > most_steps) {
    fail(fmt::format("{} s in steps of {} s are {} steps; no more than {} are kept: choose a longer --step",
                     format_time(stop - start), format_number(step), format_number(std::ceil(count)),
                     most_steps));
  }
  // A remainder of rounding is no step of its own.
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(count - 1e-6)));
}

SimulationResult run_simulation(SimulatedInstance& instance, SimulationPlan const& plan,
                                Progress const& progress, Observer const& observer) {
  SimulationResult result;
  run_simulation(instance, plan, progress, observer, result);
  return result;
}

void run_simulation(SimulatedInstance& instance, SimulationPlan const& plan, Progress const& progress,
                    Observer const& observer, SimulationResult& result) {
  std::size_t const count = count_steps(plan);
  Run run(instance, plan, observer, result);
  DecimalTimes const times(plan.start, plan.step);
  double time = plan.start;
  try {
    run.initialise();
    run.record_and_set(time, 0);
    for (std::size_t k = 0; k < count && !result.terminated; ++k) {
      bool const last = k + 1 == count;
      double const next = last ? plan.stop : times.after(k + 1);
      bool const shortened = last && std::abs(next - time - plan.step) > 1e-6 * plan.step;
      double const size = step_size_until(time, shortened ? next - time : plan.step, plan.stop);
      StepOutcome const outcome = run.step(time, size, next);
      result.terminated = outcome.terminated;
      ++result.steps;
      time = outcome.terminated ? outcome.time : next;
      run.record_and_set(time, k + 1);
      if (progress && !progress(static_cast<double>(k + 1) / static_cast<double>(count))) {
        result.interrupted = true;
        throw InstanceError(Status::error, "interrupted");
      }
    }
    instance.terminate();
  } catch (InstanceError const& error) {
    result.failure = fmt::format("at {} s: {}", format_time(time), error.what());
    result.refused &= error.status() != Status::fatal;
  }
}

}  // namespace delassus
