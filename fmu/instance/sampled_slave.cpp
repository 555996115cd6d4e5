#include "fmu/instance/sampled_slave.hpp"

#include <algorithm>
#include <cmath>

#include "fmu/instance/time_resolution.hpp"
#include "model/control/control_law.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "solver/time/input_signal.hpp"

namespace delassus {
namespace {

// More samples in one step mean a mistyped sample time, and would look like a program that hangs.
constexpr double most_samples = 1e8;

}  // namespace

SampledSlave::SampledSlave(std::shared_ptr<const ControllerModel> model, LogSink log,
                           SlaveOptions const& options)
    : Slave(model, std::move(log), options),
      model_(std::move(model)),
      sample_time_(static_cast<std::size_t>(model_->controller().parameter("sample_time"))),
      initial_output_(static_cast<std::size_t>(model_->controller().parameter("initial_output"))) {
  reset();
}

void SampledSlave::reset() {
  Controller const& controller = model_->controller();
  state_ = {};
  state_.model = model_->hash();
  state_.model_exchange = options().model_exchange;
  state_.start = controller.experiment.start;
  state_.parameters = controller.default_parameters();
  state_.inputs.assign(controller.inputs.size(), 0.0);
  state_.outputs.assign(controller.outputs.size(), 0.0);
  show_initial_outputs();
}

void SampledSlave::show_initial_outputs() {
  std::fill_n(state_.outputs.begin(), model_->controller().actuators, state_.parameters[initial_output_]);
  state_.shown = state_.outputs;
}

void SampledSlave::exit_initialization() {
  if (std::string const problem = problem_with_parameters(model_->controller(), state_.parameters);
      !problem.empty())
    throw SlaveError(Status::error, problem);
  check_resolution("the start time", state_.start, "sample_time", sample_time());
  state_.t = state_.start;
  state_.next = 0;
  use_sample_time();
  state_.law.assign(model_->law().state_size(), 0.0);
  show_initial_outputs();
  state_.phase = options().event_mode ? Phase::event : Phase::step;
}

void SampledSlave::take_sample(std::span<const double> inputs) {
  model_->law().sample({next_instant(), state_.parameters, inputs}, state_.law, state_.outputs);
  ++state_.next;
}

StepResult SampledSlave::do_step(double current, double size, IntermediateUpdate const&) {
  double const end = check_step(current, size), begin = state_.t, tolerance = sample_slack * sample_time();
  InputSignal const signal{state_.inputs, state_.input_derivatives, begin};
  check_samples(end);
  bool const stops = options().event_mode && options().early_return;
  StepResult result{end, false, false};
  // A sample at the end of a step belongs to the next step, even if rounding puts it slightly before the end.
  while (next_instant() < end - tolerance) {
    double const instant = std::max(begin, next_instant());
    if (stops && instant > begin + tolerance) {
      result = {instant, true, true};
      break;
    }
    take_sample(signal.at(instant, buffer_));
    result.event = options().event_mode;
  }
  // A sample at the end of the step is an event too.
  if (options().event_mode && next_instant() <= result.time + tolerance) result.event = true;
  if (!signal.constant()) {
    auto const last = signal.at(result.time, buffer_);
    state_.inputs.assign(last.begin(), last.end());
    state_.input_derivatives.clear();
  }
  state_.t = result.time;
  if (!options().event_mode) state_.shown = state_.outputs;
  return result;
}

void SampledSlave::check_samples(double end) const {
  check_resolution("the time", end, "sample_time", sample_time());
  double const samples = (end - next_instant()) / sample_time();
  if (samples > most_samples)
    throw SlaveError(Status::discard, "until " + format_time(end) + " s there are " +
                                          format_number(std::ceil(samples)) + " samples of " +
                                          format_number(sample_time()) +
                                          " s, more than 1e8; raise sample_time or make shorter steps");
}

DiscreteUpdate SampledSlave::update_discrete_states() {
  check_samples(state_.t);
  while (next_instant() <= state_.t + sample_slack * sample_time()) take_sample(state_.inputs);
  state_.shown = state_.outputs;
  return {next_instant(), false};
}

double const* SampledSlave::place_of(Variable const& variable) {
  auto const index = static_cast<std::size_t>(variable.index);
  switch (variable.storage) {
    case Storage::parameter:
      return &state_.parameters[index];
    case Storage::input:
      return &state_.inputs[index];
    default:
      return &state_.shown[index];
  }
}

void SampledSlave::assign(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                          std::span<const double> values) {
  // Before initialisation ends they may be set one by one; they are checked together at its end.
  if (runs()) {
    auto const parameters = parameters_with(types, whole_arrays, references, values, state_.parameters);
    if (std::string const problem =
            parameters ? problem_with_parameters(model_->controller(), *parameters) : std::string();
        !problem.empty())
      throw SlaveError(Status::discard, problem);
  }
  bool parameters_changed = false;
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          bool const parameter = variable.storage == Storage::parameter;
          parameters_changed |= parameter;
          std::vector<double>& place = parameter ? state_.parameters : state_.inputs;
          std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(position), count,
                      place.begin() + variable.index + offset);
        });
  if (parameters_changed) use_sample_time();
  if (parameters_changed && !runs()) show_initial_outputs();
}

void SampledSlave::put_state(SlaveState const& state) {
  check_owner(state);
  SampledState given = dynamic_cast<SampledState const&>(state);  // before anything changes: it may throw
  state_ = std::move(given);
  use_sample_time();
  // The state may come from an instance with event mode, whose outputs change only in event mode.
  if (options().event_mode) return;
  if (state_.phase == Phase::event) state_.phase = Phase::step;
  state_.shown = state_.outputs;
}

std::unique_ptr<SlaveState> SampledSlave::read_state(std::string_view bytes) const {
  auto state = std::make_unique<SampledState>(read_sampled_state(bytes));
  if (state->model != model_->hash())
    throw SlaveError(Status::error, "the FMU state belongs to another model");
  check_sampled_state(*model_, *state);
  return state;
}

}  // namespace delassus
