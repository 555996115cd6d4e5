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

constexpr double most_steps = 1e8;

// A communication point and a row of an input file are at the same time where they differ by less than this
// share of a step.
constexpr double time_rounding = 1e-9;

class Run {
 public:
  Run(SimulatedInstance& instance, SimulationPlan const& plan, Observer const& observer, SimulationResult& to)
      : result(to), instance_(instance), plan_(plan), observer_(observer) {
    UndisturbedWork const undisturbed;
    for (std::size_t i = 0; i < instance.signals().signals().size(); ++i) {
      Signal const& signal = instance.signals()[i];
      if (!signal.is_number()) continue;
      if (signal.is_input()) inputs_.push_back(i);
      if (signal.is_output()) outputs_.push_back(i);
      if (signal.causality == "parameter") result.parameters.push_back(i);
    }
    result.signals = inputs_;
    result.signals.insert(result.signals.end(), outputs_.begin(), outputs_.end());
    for (auto const index : result.signals) result.table.names.push_back(instance.signals()[index].name);
    if (plan.input) input_signals_ = find_inputs(instance.signals(), *plan.input);
  }

  void set_parameters() {
    result.refused = true;
    set_by_name(instance_, plan_.settings);
    result.refused = false;
  }

  void initialise() {
    set_parameters();
    instance_.enter_initialization({plan_.start, plan_.stop, plan_.tolerance});
    instance_.set(input_values(plan_.start));
    instance_.exit_initialization();
    held_inputs_.resize(inputs_.size());
    instance_.get(inputs_, held_inputs_);
    result.parameter_values.resize(result.parameters.size());
    instance_.get(result.parameters, result.parameter_values);
  }

  // FMI 2 does not allow reading after setting without a step in between: outputs are read first, and the
  // inputs in the same row are those that hold from here on.
  void record_and_set(double time, std::size_t point) {
    std::vector<double> outputs(outputs_.size());
    instance_.get(outputs_, outputs);
    if (observer_) observer_(point);
    if (point > 0) {
      auto const values = input_values(time);
      instance_.set(values);
      hold(values);
    }
    std::vector<double> row = held_inputs_;
    row.insert(row.end(), outputs.begin(), outputs.end());
    UndisturbedWork const undisturbed;
    result.table.add_row(time, row);
  }

  SimulationResult& result;

 private:
  std::vector<SignalValue> input_values(double time) const {
    std::vector<SignalValue> values;
    if (!plan_.input) return values;
    std::size_t const row = plan_.input->row_at(time, time_rounding * plan_.step);
    for (std::size_t column = 0; column < input_signals_.size(); ++column) {
      if (input_signals_[column])
        values.push_back({*input_signals_[column], plan_.input->columns[column][row]});
    }
    return values;
  }

  void hold(std::vector<SignalValue> const& values) {
    for (auto const& [signal, value] : values) {
      auto const place = std::ranges::find(inputs_, signal);
      if (place != inputs_.end())
        held_inputs_[static_cast<std::size_t>(place - inputs_.begin())] = std::get<double>(value);
    }
  }

  SimulatedInstance& instance_;
  SimulationPlan const& plan_;
  Observer const& observer_;
  std::vector<std::size_t> inputs_, outputs_;
  std::vector<std::optional<std::size_t>> input_signals_;
  std::vector<double> held_inputs_;
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

std::vector<std::optional<std::size_t>> find_inputs(SignalTable const& signals, TimeTable const& input) {
  std::vector<std::optional<std::size_t>> found;
  for (std::size_t column = 0; column < input.names.size(); ++column) {
    auto const index = signals.find(input.names[column]);
    if (!index) {
      try {
        signals.resolve(input.names[column]);
      } catch (UnknownSignal const& error) {
        throw UnknownSignal(fmt::format("{}:1: {}", input.file, error.what()));
      }
      throw CommandError(ExitCode::usage,
                         fmt::format("{0}:1: {1} is an array; a column is one element, such as {1}[1]",
                                     input.file, input.names[column]));
    }
    Signal const& signal = signals[*index];
    bool const takes_values = signal.is_input() || signal.variability == "tunable";
    found.push_back(takes_values && signal.is_number() ? index : std::nullopt);
    if (!found.back()) continue;
    for (std::size_t row = 0; row < input.rows(); ++row) {
      if (!std::isfinite(input.columns[column][row])) {
        throw CommandError(
            ExitCode::usage,
            fmt::format("{}: {} is {} at time {}; an input must be finite", input.file, signal.name,
                        format_number(input.columns[column][row]), format_time(input.time[row])));
      }
      if (auto const rule = range_rule(signal, input.columns[column][row]); !rule.empty()) {
        throw CommandError(
            ExitCode::usage,
            fmt::format("{}: {} is {} at time {}; it must be {}", input.file, signal.name,
                        format_number(input.columns[column][row]), format_time(input.time[row]), rule));
      }
    }
  }
  return found;
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
      StepOutcome const outcome = instance.do_step(time, size);
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
