#include "fmu/slave.hpp"

#include <algorithm>
#include <cmath>

#include "fmu/contact_observation.hpp"
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

// To six digits: more would be rounding.
std::string rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return format_number(value);
  double const scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return format_number(std::round(value * scale) / scale);
}

std::string_view text(VariableType type) {
  switch (type) {
    case VariableType::real:
      return "a real variable";
    case VariableType::integer:
      return "an integer variable";
    case VariableType::enumeration:
      return "an enumeration";
  }
  return "?";
}

}  // namespace

Slave::Slave(std::shared_ptr<const Model> model, LogSink log)
    : model_(std::move(model)), log_(std::move(log)) {
  int size = 0;
  for (OutputDefinition const& output : model_->outputs()) {
    if (output.on_request) on_request_[size] = {&output, false};
    size += output.size;
  }
  outputs_.resize(static_cast<std::size_t>(size));
  reset();
}

void Slave::reset() {
  Scene const& scene = model_->scene();
  state_ = {};
  state_.model = model_->hash();
  state_.start = scene.experiment.start;
  state_.parameters = scene.default_parameters();
  state_.inputs = scene.default_inputs();
  state_.settings = settings_of(scene.solver);
  outputs_current_ = false;
  make_stepper();
}

void Slave::make_stepper() {
  stepper_ = delassus::make_stepper(model_->system(), stepper_settings(state_.settings));
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
  outputs_current_ = false;
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
  state_.phase = Phase::step;
  if (!log_) return;
  if (std::string const report = redundancy_report(*model_, state_.parameters, state_.inputs);
      !report.empty())
    log_(Status::ok, "logContact", report);
  if (stepper_settings(state_.settings).kind != StepperKind::implicit) return;
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

double* Slave::storage_of(Variable const& variable) {
  auto const index = static_cast<std::size_t>(variable.index);
  switch (variable.storage) {
    case Storage::parameter:
      return &state_.parameters[index];
    case Storage::setting:
      return &state_.settings[index];
    case Storage::input:
      return &state_.inputs[index];
    case Storage::output:
      return &outputs_[index];
    case Storage::time:
      break;
  }
  return nullptr;
}

void Slave::get(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                std::span<double> values) {
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          if (variable.storage == Storage::time) {
            values[position] = time();
            return;
          }
          if (variable.storage == Storage::output) {
            refresh_outputs();
            refresh_on_request(variable);
          }
          std::copy_n(storage_of(variable) + offset, count,
                      values.begin() + static_cast<std::ptrdiff_t>(position));
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

void Slave::set(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                std::span<const double> values) {
  // Everything is checked before anything is changed.
  visit(
      types, whole_arrays, references, values.size(),
      [&](Variable const& variable, int offset, int count, std::size_t position) {
        if (variable.causality != Causality::parameter && variable.causality != Causality::input) {
          refuse("variable " + quoted(variable.name) + " cannot be set: it is " +
                 (variable.causality == Causality::output                 ? "an output"
                  : variable.causality == Causality::local                ? "a constant of the scene"
                  : variable.causality == Causality::calculated_parameter ? "calculated from other parameters"
                                                                          : "the independent variable"));
        }
        if (state_.phase == Phase::step && variable.causality == Causality::parameter &&
            variable.variability == Variability::fixed) {
          refuse("parameter " + quoted(variable.name) +
                 " is fixed: it can be set only before initialisation has ended");
        }
        for (int i = 0; i < count; ++i)
          check_value(variable, offset + i, values[position + static_cast<std::size_t>(i)]);
      });
  bool changed = false, settings_changed = false, parameters_changed = false;
  std::vector<double> before;  // to go back to, where the new values do not go together
  visit(types, whole_arrays, references, values.size(),
        [&](Variable const& variable, int offset, int count, std::size_t position) {
          for (int i = 0; i < count; ++i) {
            double& place = storage_of(variable)[offset + i];
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
    if (state_.phase == Phase::step) {
      if (std::string const problem = problem_with_parameters(model_->scene(), state_.parameters);
          !problem.empty()) {
        state_.parameters = before;
        discard(problem);
      }
    }
  }
  outputs_current_ = false;
  if (settings_changed) {
    StepperState const motion = stepper_->state();
    make_stepper();
    stepper_->restore(motion);
  }
  if (state_.phase == Phase::step) {
    stepper_->invalidate();
  } else {
    state_.motion_current = false;
  }
}

void Slave::refresh_outputs() {
  if (outputs_current_) return;
  if (state_.phase == Phase::instantiated || state_.phase == Phase::initialization) use_initial_state();
  Dynamics const& dynamics = stepper_->observe(state_.inputs, state_.parameters);
  Instant const at{stepper_->time(), stepper_->q(), stepper_->v(), state_.inputs, state_.parameters};
  Observation const observation{model_->system(), at, dynamics};
  std::size_t first = 0;
  for (OutputDefinition const& output : model_->outputs()) {
    auto const size = static_cast<std::size_t>(output.size);
    if (!output.on_request) output.evaluate(observation, std::span(outputs_).subspan(first, size));
    first += size;
  }
  outputs_current_ = true;
  for (auto& [index, output] : on_request_) output.current = false;
}

void Slave::refresh_on_request(Variable const& variable) {
  auto const found = on_request_.find(variable.index);
  if (found == on_request_.end() || found->second.current) return;
  Dynamics const& dynamics = stepper_->observe(state_.inputs, state_.parameters);
  Instant const at{stepper_->time(), stepper_->q(), stepper_->v(), state_.inputs, state_.parameters};
  OutputDefinition const& output = *found->second.definition;
  output.evaluate({model_->system(), at, dynamics},
                  std::span(outputs_).subspan(static_cast<std::size_t>(variable.index),
                                              static_cast<std::size_t>(output.size)));
  found->second.current = true;
}

ContactProblem const& Slave::contact_problem() {
  if (state_.phase == Phase::instantiated || state_.phase == Phase::initialization) use_initial_state();
  return stepper_->observe(state_.inputs, state_.parameters).problem();
}

// Of every contact and friction, and of joints that have dry friction; groups make and lose contacts all the
// time.
std::vector<Slave::NamedMode> Slave::modes() {
  Dynamics const& dynamics = stepper_->observe(state_.inputs, state_.parameters);
  Instant const at{stepper_->time(), stepper_->q(), stepper_->v(), state_.inputs, state_.parameters};
  Observation const observation{model_->system(), at, dynamics};
  std::vector<NamedMode> modes;
  Scene const& scene = model_->scene();
  for (std::size_t i = 0; i < scene.contacts.size(); ++i)
    modes.push_back({scene.contacts[i].name, observe_contact(observation, static_cast<int>(i)).mode});
  auto const& blocks = dynamics.terms().blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    bool const friction =
        blocks[i].set.kind == ForceSetKind::interval || blocks[i].set.kind == ForceSetKind::disc;
    BlockOwner const owner = owner_of(blocks[i].identity);
    if (friction && (owner == BlockOwner::friction || owner == BlockOwner::joint))
      modes.push_back({model_->system().block_name(blocks[i].identity), dynamics.solution().modes[i]});
  }
  return modes;
}

void Slave::do_step(double current, double size) {
  if (!(size > 0) || !std::isfinite(size))
    refuse("the communication step is " + format_number(size) + " s and must be a finite number > 0");
  // Hosts add steps up and carry a rounding error; a millionth of a step or a billionth of the time is none
  // of ours to refuse.
  double const now = time();
  double const tolerance = std::max(1e-9 * std::abs(now), 1e-6 * size);
  if (!(std::abs(current - now) <= tolerance)) {
    refuse("the communication point is " + format_number(current) + " s, but the FMU is at " +
           format_number(now) + " s");
  }
  double end = current + size;
  if (!(end > now))
    refuse("the communication step " + format_number(size) + " s vanishes beside the time " +
           format_number(now) + " s");
  if (state_.stop && end > *state_.stop + tolerance) {
    refuse("a step to " + format_number(end) + " s passes the stop time " + format_number(*state_.stop) +
           " s");
  }
  std::vector<NamedMode> const before = tracing_ ? modes() : std::vector<NamedMode>{};
  StepReport report;
  try {
    report = stepper_->advance(end, state_.inputs, state_.parameters);
  } catch (StepFailure const& failure) {
    discard(failure.what());
  }
  outputs_current_ = false;
  if (log_) report_step(report, before);
}

void Slave::report_step(StepReport const& report, std::vector<NamedMode> const& before) {
  for (ParadoxEvent const& event : report.paradoxes) report_paradox(event);
  if (!tracing_ && report.most_solutions <= 1 && report.worst == SolveStatus::converged) return;
  std::string const when = " until t = " + format_number(time()) + " s";
  std::vector<NamedMode> const after = tracing_ ? modes() : before;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i].mode == after[i].mode) continue;
    Enumeration const& names = contact_mode_enumeration();
    log_(Status::ok, "logEvents",
         after[i].name + ": " + std::string(names.name_of(static_cast<int>(before[i].mode))) + " -> " +
             std::string(names.name_of(static_cast<int>(after[i].mode))) + when);
  }
  if (report.most_solutions > 1) {
    log_(Status::ok, "logContact",
         "a contact problem had " + std::to_string(report.most_solutions) + " solutions" + when +
             "; solver.rule chose one of them");
  }
  if (report.worst != SolveStatus::converged) {
    log_(Status::warning, "logContact",
         "a contact problem ended with '" + std::string(delassus::text(report.worst)) + "' and residual " +
             format_number(report.worst_residual) + when);
  }
}

void Slave::report_paradox(ParadoxEvent const& event) {
  std::string const name = quoted(model_->system().block_name(event.identity));
  std::string const when = " from t = " + format_number(event.t) + " s on";
  SlidingState const& contact = event.contact;
  std::string const numbers = ": mu = " + rounded(contact.mu) + ", mu_jam = " + rounded(contact.mu_jam) +
                              ", d eta_n/d lambda_n = " + rounded(contact.A) +
                              " 1/kg, normal acceleration without its force " + rounded(contact.B) + " m/s2";
  switch (event.after) {
    case Paradox::regular:
      log_(Status::ok, "logContact",
           "contact " + name + " is in no paradox (" +
               std::string(paradox_enumeration().name_of(static_cast<int>(event.before))) + ") any more" +
               when);
      break;
    case Paradox::indeterminate:
      log_(Status::ok, "logContact",
           "contact " + name +
               " is indeterminate (Painleve): as a rigid sliding one it has several solutions" + when +
               numbers + "; solver.rule chooses");
      break;
    case Paradox::inconsistent:
      log_(Status::warning, "logContact",
           "contact " + name + " is inconsistent (Painleve): as a rigid sliding one it has no solution" +
               when + numbers + "; it jams, and the slip stops or turns aside as in an impact");
      break;
  }
}

Snapshot Slave::snapshot() const {
  Snapshot snapshot = state_;
  snapshot.stepper = stepper_->state();
  return snapshot;
}

void Slave::restore(Snapshot const& snapshot) {
  if (snapshot.model != model_->hash()) refuse("the FMU state belongs to another model");
  bool const same_settings = snapshot.settings == state_.settings;
  state_ = snapshot;
  if (!same_settings) make_stepper();
  stepper_->restore(snapshot.stepper);
  outputs_current_ = false;
}

}  // namespace delassus
