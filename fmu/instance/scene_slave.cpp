#include "fmu/instance/scene_slave.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fmu/instance/redundancy_report.hpp"
#include "fmu/instance/snapshot_check.hpp"
#include "fmu/instance/time_resolution.hpp"
#include "model/language/start_problem.hpp"
#include "model/language/vocabulary.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

using refusal::discard;
using refusal::quoted;
using refusal::refuse;

}  // namespace

SceneSlave::SceneSlave(std::shared_ptr<const SceneModel> model, LogSink log, SlaveOptions const& options)
    : Slave(model, std::move(log), options), model_(std::move(model)) {
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

void SceneSlave::reset() {
  Scene const& scene = model_->scene();
  state_ = {};
  state_.model = model_->hash();
  state_.model_exchange = options().model_exchange;
  state_.start = scene.experiment.start;
  state_.parameters = scene.default_parameters();
  state_.inputs = scene.default_inputs();
  state_.inputs_seen = state_.inputs;
  state_.settings = settings_of(scene.solver);
  make_stepper();
}

std::unique_ptr<Stepper> SceneSlave::stepper_of(SettingValues const& values) const {
  StepperSettings settings = stepper_settings(values);
  // An importer with its own integrator integrates the relaxed ODE.
  if (options().model_exchange) {
    settings.kind = StepperKind::relaxed;
    settings.integrated_by_host = true;
  }
  return delassus::make_stepper(model_->system(), settings);
}

void SceneSlave::make_stepper() {
  stepper_ = stepper_of(state_.settings);
  derivatives_.resize(states());
  forget_observation();
}

void SceneSlave::forget_observation() {
  observed_ = outputs_current_ = derivatives_current_ = indicators_current_ = false;
}

Dynamics const& SceneSlave::observe() {
  if (!runs() && state_.phase != Phase::terminated) use_initial_state();
  Dynamics const& dynamics =
      observed_ ? stepper_->dynamics() : stepper_->observe(instant().input, state_.parameters);
  observed_ = true;
  return dynamics;
}

Instant SceneSlave::instant() const {
  std::vector<double> const& inputs =
      model_->scene().interface.feedthrough ? state_.inputs : state_.inputs_seen;
  Instant at{stepper_->time(), stepper_->q(), stepper_->v(), inputs, state_.parameters};
  stepper_->add_closed(at);
  return at;
}

void SceneSlave::start_was_set(std::optional<double> tolerance) {
  state_.motion_current = false;
  forget_observation();
  if (tolerance && !state_.tolerance_was_set) {
    // The importer's tolerance may be any positive number; that of the stepper has a range. Importers pass one of their own
    // for all components, often 1e-4: it may tighten what the scene asks for, not loosen it.
    Range const range =
        find_attribute(*find_element("scene", "solver"), setting_names[tolerance_setting])->range;
    double const own = model_->scene().solver.tolerance, asked = std::max(*tolerance, range.minimum);
    state_.settings[tolerance_setting] = std::min(asked, own);
    if (asked > own && log_)
      log_(Status::ok, "logSolver",
           "the importer's tolerance " + format_number(*tolerance) + " is larger than solver.tolerance " +
               format_number(own) + ", which is kept; set solver.tolerance for a larger one");
    make_stepper();
  }
}

void SceneSlave::exit_initialization() {
  if (std::string const problem = problem_with_parameters(model_->scene(), state_.parameters);
      !problem.empty())
    refuse(problem);
  if (stepper_->settings().kind != StepperKind::relaxed)
    check_resolution("the start time", state_.start, "solver.step", stepper_->settings().step);
  if (auto const problem = find_start_problem(model_->scene(), state_.parameters, state_.inputs))
    refuse(problem->message);
  use_initial_state();
  hold_discrete_outputs();
  state_.phase = options().model_exchange || options().event_mode ? Phase::event : Phase::step;
  if (options().model_exchange) {
    observe();
    stepper_->accept();  // changes of mode are reported relative to this
    forget_observation();
  }
  if (!log_) return;
  if (std::string const correction = start_correction(); !correction.empty())
    log_(Status::warning, "logStatusWarning", correction);
  if (std::string const report = redundancy_report(*model_, state_.parameters, state_.inputs);
      !report.empty())
    log_(Status::ok, "logContact", report);
  warn_of_lost_bounces();
  warn_of_idle_settings();
}

// A default or a stepper that cannot keep what the scene asks for says so.
void SceneSlave::warn_of_lost_bounces() const {
  StepperKind const kind = stepper_->settings().kind;
  if (kind == StepperKind::relaxed) return;
  auto const warn = [&](std::string const& name, ContactParameters const& law) {
    if (law.normal != NormalLaw::rigid) return;
    auto const value = [&](int index) { return state_.parameters[static_cast<std::size_t>(index)]; };
    std::string const stepper(stepper_enumeration().name_of(static_cast<int>(kind)));
    if (law.restitution >= 0 && value(law.restitution) > 0 && !is_nonsmooth(kind)) {
      log_(Status::warning, "logStatusWarning",
           "contact " + quoted(name) + " should bounce with restitution " +
               format_number(value(law.restitution)) + ", but impacts of the stepper " + stepper +
               " are inelastic; use solver.stepper nonsmooth or relaxed");
    }
    if (law.zeta >= 0 && value(law.zeta) < 1) {
      log_(Status::warning, "logStatusWarning",
           "contact " + quoted(name) + " should bounce by its zeta " + format_number(value(law.zeta)) +
               ", but impacts of the stepper " + stepper + " know no zeta; use solver.stepper relaxed" +
               (is_nonsmooth(kind) ? ", or a restitution instead of zeta" : ""));
    }
  };
  for (Contact const& contact : model_->scene().contacts) warn(contact.name, contact.law);
  for (ContactGroup const& group : model_->scene().groups) warn(group.name, group.law);
}

// The other steppers know neither zeta nor delta. Only what was changed is told: scenes may name them for Model
// Exchange, or to compare steppers.
void SceneSlave::warn_of_idle_settings() const {
  StepperKind const kind = stepper_->settings().kind;
  if (kind == StepperKind::relaxed) return;
  auto const value = [&](int index) { return state_.parameters[static_cast<std::size_t>(index)]; };
  std::set<int> told;  // as lost bounces
  auto const look = [&](ContactParameters const& law) {
    if (law.normal == NormalLaw::rigid && law.zeta >= 0 && value(law.zeta) < 1) told.insert(law.zeta);
  };
  for (Contact const& contact : model_->scene().contacts) look(contact.law);
  for (ContactGroup const& group : model_->scene().groups) look(group.law);
  std::string names;
  bool several = false;
  for (Parameter const& parameter : model_->scene().parameters) {
    auto const ends_with = [&](char const* end) { return parameter.name.ends_with(end); };
    if (!ends_with(".delta") && !ends_with(".zeta") && !ends_with("_delta") && !ends_with("_zeta")) continue;
    if (parameter.calculated || told.contains(parameter.first) ||
        value(parameter.first) == parameter.values.front())
      continue;
    several = !names.empty();
    names += (several ? ", " : "") + parameter.name;
  }
  if (names.empty()) return;
  log_(Status::warning, "logStatusWarning",
       names + (several ? " were set and count" : " was set and counts") +
           " for nothing: zeta and delta are those of the stepper relaxed, and this run has " +
           std::string(stepper_enumeration().name_of(static_cast<int>(kind))) +
           "; set solver.stepper to relaxed, which a scene gets by itself that names zeta or delta");
}

void SceneSlave::use_initial_state() {
  if (state_.motion_current) return;
  auto const [q, v] = initial_motion();
  stepper_->start(state_.start, q, v);
  state_.motion_current = true;
}

SceneSlave::Motion SceneSlave::initial_motion() {
  std::vector<double> q(static_cast<std::size_t>(model_->system().configuration_size()));
  std::vector<double> v(static_cast<std::size_t>(model_->system().velocity_size()));
  model_->system().initial_state(state_.parameters, state_.inputs, q, v);
  std::vector<double> const given = v;
  projected_ = projection_.project({state_.start, q, given, state_.inputs, state_.parameters}, v);
  return {std::move(q), std::move(v)};
}

double* SceneSlave::settable_place_of(Variable const& variable) {
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

double const* SceneSlave::place_of(Variable const& variable) {
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
        observe();
        stepper_->indicators(indicators_);
        indicators_current_ = true;
      }
      return &indicators_[index];
    case Storage::event:
      return &(holds_discrete_outputs() ? state_.held_events : state_.events)[index];
    default:
      return settable_place_of(variable);
  }
}

void SceneSlave::set_state_elements(Variable const& variable, int offset, std::span<const double> values) {
  std::vector<double> x = stepper_->state().x;
  std::copy(values.begin(), values.end(), x.begin() + variable.index + offset);
  stepper_->place(stepper_->time(), x);
}

void SceneSlave::input_derivatives_were_set() {
  forget_observation();
  if (runs()) stepper_->invalidate();
}

void SceneSlave::assign(TypeSet types, bool whole_arrays, std::span<const std::uint32_t> references,
                        std::span<const double> values) {
  bool changed = false, settings_changed = false, parameters_changed = false;
  // Before initialisation ends they may be set one by one; they are checked together at its end.
  if (runs()) {
    if (auto parameters = parameters_with(types, whole_arrays, references, values, state_.parameters)) {
      update_calculated_parameters(model_->scene(), *parameters);
      if (std::string const problem = problem_with_parameters(model_->scene(), *parameters); !problem.empty())
        discard(problem);
    }
  }
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
            if (place == value) continue;  // repeated equal inputs do not interrupt the integration
            place = value;
            changed = true;
            parameters_changed |= variable.storage == Storage::parameter;
            settings_changed |= variable.storage == Storage::setting;
          }
        });
  if (!changed) return;
  if (parameters_changed) update_calculated_parameters(model_->scene(), state_.parameters);
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

void SceneSlave::refresh_outputs() {
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

void SceneSlave::refresh_on_request(Variable const& variable) {
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

ContactProblem const& SceneSlave::contact_problem() {
  return observe().problem();
}

Snapshot SceneSlave::snapshot() const {
  Snapshot snapshot = state_;
  snapshot.stepper = stepper_->state();
  return snapshot;
}

void SceneSlave::restore(Snapshot const& snapshot) {
  check_owner(snapshot);
  // The state may come from, or go to, an instance without event mode, which holds no outputs.
  bool const holds = !options().model_exchange && options().event_mode && snapshot.phase == Phase::step &&
                     snapshot.held_outputs.empty();
  // These outputs are evaluated in the new state, which may fail.
  std::optional<Snapshot> before;
  if (holds) before = this->snapshot();
  take_over(snapshot);
  if (options().model_exchange) return;
  if (!options().event_mode) {
    state_.held_outputs.clear();
    if (state_.phase == Phase::event) state_.phase = Phase::step;
  }
  if (!holds) return;
  try {
    hold_discrete_outputs();
  } catch (...) {
    take_over(*before);
    throw;
  }
}

// What may throw, but for a lack of memory, comes before anything changes.
void SceneSlave::take_over(Snapshot const& snapshot) {
  Snapshot given = snapshot;
  if (given.settings != state_.settings) {
    std::unique_ptr<Stepper> stepper = stepper_of(given.settings);
    stepper->restore(given.stepper);
    stepper_ = std::move(stepper);
  } else {
    stepper_->restore(given.stepper);
  }
  state_ = std::move(given);
  forget_observation();
}

std::unique_ptr<SlaveState> SceneSlave::take_state() const {
  return std::make_unique<Snapshot>(snapshot());
}

void SceneSlave::put_state(SlaveState const& state) {
  check_owner(state);
  restore(dynamic_cast<Snapshot const&>(state));
}

std::unique_ptr<SlaveState> SceneSlave::read_state(std::string_view bytes) const {
  auto snapshot = std::make_unique<Snapshot>(deserialise(bytes));
  if (snapshot->model != model_->hash()) refuse("the FMU state belongs to another model");
  check_snapshot(*model_, *snapshot);
  return snapshot;
}

}  // namespace delassus
