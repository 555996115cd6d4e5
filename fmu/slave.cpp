#include "fmu/slave.hpp"

#include <algorithm>
#include <cmath>

#include "fmu/redundancy_report.hpp"
#include "model/number.hpp"
#include "model/start_problem.hpp"
#include "model/vocabulary.hpp"

namespace delassus {
namespace {

std::string quoted(std::string const& text) {
  return "'" + text + "'";
}

[[noreturn]] void refuse(std::string const& message) {
  throw SlaveError(Status::error, message);
}
[[noreturn]] void discard(std::string const& message) {
  throw SlaveError(Status::discard, message);
}

std::string_view text(VariableType type) {
  switch (type) {
    case VariableType::real:
      return "a real variable";
    case VariableType::integer:
      return "an integer variable";
    case VariableType::enumeration:
      return "an enumeration";
    case VariableType::clock:
      return "a clock";
  }
  return "?";
}

}  // namespace

Slave::Slave(std::shared_ptr<const Model> model, LogSink log, SlaveOptions const& options)
    : model_(std::move(model)), log_(std::move(log)), options_(options) {
  int size = 0;
  for (OutputDefinition const& output : model_->outputs()) {
    if (output.on_request) on_request_[size] = {&output, false};
    if (output.type != VariableType::real) {
      for (int i = 0; i < output.size; ++i) discrete_outputs_.push_back(size + i);
    }
    size += output.size;
  }
  outputs_.resize(static_cast<std::size_t>(size));
  reset();
}

void Slave::reset() {
  Scene const& scene = model_->scene();
  state_ = {};
  state_.model = model_->hash();
  state_.model_exchange = options_.model_exchange;
  state_.start = scene.experiment.start;
  state_.parameters = scene.default_parameters();
  state_.inputs = scene.default_inputs();
  state_.inputs_seen = state_.inputs;
  state_.settings = settings_of(scene.solver);
  make_stepper();
}

void Slave::make_stepper() {
  StepperSettings settings = stepper_settings(state_.settings);
  // A host that integrates by itself integrates the relaxed ODE.
  if (options_.model_exchange) settings.kind = StepperKind::relaxed;
  stepper_ = delassus::make_stepper(model_->system(), settings);
  derivatives_.resize(states());
  forget_observation();
}

void Slave::forget_observation() {
  observed_ = outputs_current_ = derivatives_current_ = indicators_current_ = false;
}

Dynamics const& Slave::observe() {
  if (!runs() && state_.phase != Phase::terminated) use_initial_state();
  Dynamics const& dynamics =
      observed_ ? stepper_->dynamics() : stepper_->observe(instant().input, state_.parameters);
  observed_ = true;
  return dynamics;
}

Instant Slave::instant() const {
  std::vector<double> const& inputs =
      model_->scene().interface.feedthrough ? state_.inputs : state_.inputs_seen;
  return {stepper_->time(), stepper_->q(), stepper_->v(), inputs, state_.parameters};
}

void Slave::setup_experiment(double start, std::optional<double> stop, std::optional<double> tolerance) {
  if (!std::isfinite(start)) refuse("the start time is not a finite number");
  if (stop && !(*stop > start)) {
    refuse("the stop time " + format_number(*stop) + " s must be later than the start time " +
           format_number(start) + " s");
  }
  if (tolerance && !(*tolerance > 0))
    refuse("the tolerance is " + format_number(*tolerance) + " and must be > 0");
  state_.start = start;
  state_.stop = stop;
  state_.motion_current = false;
  forget_observation();
  if (tolerance && !state_.tolerance_was_set) {
    // A host's tolerance may be any positive number; the stepper's has a range.
    Range const range =
        find_attribute(*find_element("scene", "solver"), setting_names[tolerance_setting])->range;
    state_.settings[tolerance_setting] = std::clamp(*tolerance, range.minimum, range.maximum);
    make_stepper();
  }
}

void Slave::enter_initialization() {
  state_.phase = Phase::initialization;
}

void Slave::exit_initialization() {
  if (std::string const problem = problem_with_parameters(model_->scene(), state_.parameters);
      !problem.empty())
    refuse(problem);
  if (auto const problem = find_start_problem(model_->scene(), state_.parameters, state_.inputs))
    refuse(problem->message);
  use_initial_state();
  hold_discrete_outputs();
  state_.phase = options_.model_exchange || options_.event_mode ? Phase::event : Phase::step;
  if (options_.model_exchange) {
    observe();
    stepper_->accept();  // what changes of mode are told from
    forget_observation();
  }
  if (!log_) return;
  if (std::string const report = redundancy_report(*model_, state_.parameters, state_.inputs);
      !report.empty())
    log_(Status::ok, "logContact", report);
  if (stepper_->settings().kind != StepperKind::implicit) return;
  for (Contact const& contact : model_->scene().contacts) {
    if (contact.law.normal != NormalLaw::rigid) continue;
    if (!(state_.parameters[static_cast<std::size_t>(contact.law.zeta)] < 1)) continue;
    log_(Status::warning, "logStatusWarning",
         "contact " + quoted(contact.name) +
             " is to bounce (zeta below 1), but the implicit stepper is inelastic; choose solver.stepper "
             "relaxed");
  }
}

void Slave::terminate() {
  state_.phase = Phase::terminated;
}

void Slave::use_initial_state() {
  if (state_.motion_current) return;
  std::vector<double> q(static_cast<std::size_t>(model_->system().configuration_size()));
  std::vector<double> v(static_cast<std::size_t>(model_->system().velocity_size()));
  model_->system().initial_state(state_.parameters, state_.inputs, q, v);
  stepper_->start(state_.start, q, v);
  state_.motion_current = true;
}

// Calls visitor(variable, first element, number of elements, position in the values) for each reference,
// after its type and the number of values have been found right.
template <class Visitor>
void Slave::visit(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                  std::size_t value_count, Visitor const& visitor) const {
  std::size_t position = 0;
  for (std::uint32_t const reference : references) {
    auto const [variable, offset] = model_->table().find(reference);
    if (!variable || (whole_arrays && offset != 0))
      refuse("no variable has the value reference " + std::to_string(reference));
    if (!types.contains(variable->type)) {
      refuse("variable " + quoted(variable->name) + " (value reference " + std::to_string(reference) +
             ") is " + std::string(text(variable->type)) + "; call the function of that type");
    }
    std::size_t const count = whole_arrays ? static_cast<std::size_t>(variable->size) : 1;
    if (position + count > value_count)
      refuse("there are only " + std::to_string(value_count) + " values, and " + quoted(variable->name) +
             " needs more");
    visitor(*variable, offset, static_cast<int>(count), position);
    position += count;
  }
  if (position != value_count) {
    refuse("there are " + std::to_string(value_count) + " values for variables of " +
           std::to_string(position) + " elements together");
  }
}

double* Slave::settable_place_of(Variable const& variable) {
  auto const index = static_cast<std::size_t>(variable.index);
  switch (variable.storage) {
    case Storage::parameter:
      return &state_.parameters[index];
    case Storage::setting:
      return &state_.settings[index];
    case Storage::input:
      return &state_.inputs[index];
    default:
      return nullptr;
  }
}

double const* Slave::place_of(Variable const& variable) {
  auto const index = static_cast<std::size_t>(variable.index);
  switch (variable.storage) {
    case Storage::output:
      refresh_outputs();
      refresh_on_request(variable);
      return &outputs_[index];
    case Storage::state:
      if (!runs() && state_.phase != Phase::terminated) use_initial_state();
      return &stepper_->state().x[index];
    case Storage::derivative:
      if (!derivatives_current_) {
        observe();
        stepper_->rates(instant().input, state_.parameters, derivatives_);
        derivatives_current_ = true;
      }
      return &derivatives_[index];
    case Storage::indicator:
      if (!indicators_current_) {
        stepper_->mode_functions().evaluate(observe(), indicators_);
        indicators_current_ = true;
      }
      return &indicators_[index];
    case Storage::event:
      return &(holds_discrete_outputs() ? state_.held_events : state_.events)[index];
    default:
      return settable_place_of(variable);
  }
}

void Slave::get(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                std::span<double> values) {
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          if (variable.storage == Storage::time) {
            values[position] = time();
          } else if (variable.storage == Storage::clock) {
            if (state_.phase != Phase::event)
              refuse("clock " + quoted(variable.name) + " can be read in event mode only");
            values[position] = state_.clock_ticks ? 1 : 0;
          } else {
            std::copy_n(place_of(variable) + offset, count,
                        values.begin() + static_cast<std::ptrdiff_t>(position));
          }
        });
}

void Slave::check_value(Variable const& variable, int offset, double value) const {
  std::string const name = VariableTable::element_name(variable, offset);
  if (!std::isfinite(value))
    discard("variable " + quoted(name) + " was set to " + format_number(value) +
            " and must be a finite number");
  if (variable.enumeration) {
    auto const count = static_cast<double>(variable.enumeration->items.size());
    if (!(value >= 1 && value <= count)) {
      discard("variable " + quoted(name) + " was set to " + format_number(value) +
              " and must be one of 1 to " + format_number(count));
    }
    return;
  }
  if (!variable.range.contains(value)) {
    discard("variable " + quoted(name) + " was set to " + format_number(value) + " and must be " +
            variable.range.text());
  }
}

void Slave::check_settable(Variable const& variable) const {
  // A host that integrates may set a state alone as well.
  bool const moves = options_.model_exchange && variable.storage == Storage::state &&
                     (state_.phase == Phase::event || state_.phase == Phase::continuous);
  if (moves) return;
  if (variable.causality != Causality::parameter && variable.causality != Causality::input) {
    bool const of_scene = variable.variability == Variability::constant;
    refuse("variable " + quoted(variable.name) + " cannot be set: it is " +
           (variable.causality == Causality::output                 ? "an output"
            : variable.causality == Causality::calculated_parameter ? "calculated from other parameters"
            : variable.causality == Causality::independent          ? "the independent variable"
            : of_scene                                              ? "a constant of the scene"
            : variable.storage == Storage::state
                ? "a state, which follows from the initial parameters and the motion"
                : "calculated"));
  }
  if (variable.causality == Causality::parameter && runs() && variable.variability == Variability::fixed) {
    refuse("parameter " + quoted(variable.name) +
           " is fixed: it can be set only before initialisation has ended");
  }
  // FMI 3.0.2, section 4.2.2: during an intermediate update only continuous inputs.
  if (state_.phase == Phase::intermediate && variable.causality != Causality::input)
    refuse("parameter " + quoted(variable.name) + " cannot be set during an intermediate update");
}

void Slave::set_state_elements(Variable const& variable, int offset, std::span<const double> values) {
  std::vector<double> x = stepper_->state().x;
  std::copy(values.begin(), values.end(), x.begin() + variable.index + offset);
  stepper_->place(stepper_->time(), x);
}

void Slave::set_input_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                                  std::span<const double> values) {
  visit(VariableType::real, false, references, values.size(),
        [&](Variable const& variable, int offset, int, std::size_t position) {
          if (variable.causality != Causality::input)
            refuse("variable " + quoted(variable.name) + " is no input; only inputs are interpolated");
          if (orders[position] < 1 || orders[position] > most_input_derivatives) {
            refuse("the order of a derivative of " + quoted(VariableTable::element_name(variable, offset)) +
                   " is " + std::to_string(orders[position]) + " and must be from 1 to " +
                   std::to_string(most_input_derivatives));
          }
          if (!std::isfinite(values[position]))
            discard("a derivative of input " + quoted(VariableTable::element_name(variable, offset)) +
                    " was set to " + format_number(values[position]) + " and must be a finite number");
        });
  std::size_t const inputs = state_.inputs.size();
  int const highest = orders.empty() ? 0 : *std::max_element(orders.begin(), orders.end());
  std::size_t const needed = inputs * static_cast<std::size_t>(highest);
  if (state_.input_derivatives.size() < needed) state_.input_derivatives.resize(needed, 0.0);
  visit(VariableType::real, false, references, values.size(),
        [&](Variable const& variable, int offset, int, std::size_t position) {
          std::size_t const row = inputs * static_cast<std::size_t>(orders[position] - 1);
          state_.input_derivatives[row + static_cast<std::size_t>(variable.index + offset)] =
              values[position];
        });
  forget_observation();
  if (runs()) stepper_->invalidate();
}

void Slave::set(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                std::span<const double> values) {
  // Everything is checked before anything is changed.
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          check_settable(variable);
          for (int i = 0; i < count; ++i)
            check_value(variable, offset + i, values[position + static_cast<std::size_t>(i)]);
        });
  bool changed = false, settings_changed = false, parameters_changed = false;
  std::vector<double> before;  // to go back to, where the new values do not go together
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          if (variable.storage == Storage::state) {
            set_state_elements(variable, offset, values.subspan(position, static_cast<std::size_t>(count)));
            changed = true;
            return;
          }
          for (int i = 0; i < count; ++i) {
            double& place = settable_place_of(variable)[offset + i];
            double const value = values[position + static_cast<std::size_t>(i)];
            if (variable.storage == Storage::setting && variable.index == static_cast<int>(tolerance_setting))
              state_.tolerance_was_set = true;
            if (place == value)
              continue;  // a host that repeats its inputs does not interrupt the integration
            if (variable.storage == Storage::parameter && !parameters_changed) {
              before = state_.parameters;
              parameters_changed = true;
            }
            place = value;
            changed = true;
            settings_changed |= variable.storage == Storage::setting;
          }
        });
  if (!changed) return;
  if (parameters_changed) {
    update_calculated_parameters(model_->scene(), state_.parameters);
    // Before the run they may be set one after the other; then all of them are looked at when it starts.
    if (runs()) {
      if (std::string const problem = problem_with_parameters(model_->scene(), state_.parameters);
          !problem.empty()) {
        state_.parameters = before;
        discard(problem);
      }
    }
  }
  forget_observation();
  if (settings_changed) {
    StepperState const motion = stepper_->state();
    make_stepper();
    stepper_->restore(motion);
  }
  if (runs()) {
    stepper_->invalidate();
  } else {
    state_.motion_current = false;
  }
}

void Slave::refresh_outputs() {
  if (outputs_current_) return;
  Dynamics const& dynamics = observe();
  Instant const at = instant();
  Observation const observation{model_->system(), at, dynamics};
  std::size_t first = 0;
  for (OutputDefinition const& output : model_->outputs()) {
    auto const size = static_cast<std::size_t>(output.size);
    if (!output.on_request) output.evaluate(observation, std::span(outputs_).subspan(first, size));
    first += size;
  }
  if (holds_discrete_outputs()) {
    for (int const i : discrete_outputs_)
      outputs_[static_cast<std::size_t>(i)] = state_.held_outputs[static_cast<std::size_t>(i)];
  }
  outputs_current_ = true;
  for (auto& [index, output] : on_request_) output.current = false;
}

void Slave::refresh_on_request(Variable const& variable) {
  auto const found = on_request_.find(variable.index);
  if (found == on_request_.end() || found->second.current) return;
  Dynamics const& dynamics = observe();
  Instant const at = instant();
  OutputDefinition const& output = *found->second.definition;
  output.evaluate({model_->system(), at, dynamics},
                  std::span(outputs_).subspan(static_cast<std::size_t>(variable.index),
                                              static_cast<std::size_t>(output.size)));
  found->second.current = true;
}

ContactProblem const& Slave::contact_problem() {
  return observe().problem();
}

Snapshot Slave::snapshot() const {
  Snapshot snapshot = state_;
  // A host may ask for it in the middle of a step; it then goes on from there as from a communication point.
  if (snapshot.phase == Phase::intermediate) snapshot.phase = Phase::step;
  snapshot.stepper = stepper_->state();
  return snapshot;
}

void Slave::restore(Snapshot const& snapshot) {
  if (snapshot.model != model_->hash()) refuse("the FMU state belongs to another model");
  if (snapshot.model_exchange != options_.model_exchange)
    refuse("the FMU state belongs to an instance of the other kind, co-simulation or model exchange");
  bool const same_settings = snapshot.settings == state_.settings;
  state_ = snapshot;
  if (!same_settings) make_stepper();
  stepper_->restore(snapshot.stepper);
  forget_observation();
}

}  // namespace delassus
