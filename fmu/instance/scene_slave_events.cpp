// Event mode and model exchange, in which the importer integrates and the instance evaluates the right-hand
// side.
#include <algorithm>
#include <cmath>

#include "fmu/instance/scene_slave.hpp"
#include "fmu/instance/time_resolution.hpp"
#include "model/scene/number.hpp"
#include "solver/time/run_check.hpp"

namespace delassus {

void SceneSlave::hold_discrete_outputs() {
  if (!options().model_exchange && !options().event_mode) return;
  refresh_outputs();
  state_.held_outputs = outputs_;
  state_.held_events = state_.events;
}

bool SceneSlave::discrete_outputs_changed() {
  if (state_.events != state_.held_events) return true;
  // Evaluated as if no output were held.
  Phase const phase = state_.phase;
  state_.phase = Phase::event;
  outputs_current_ = false;
  refresh_outputs();
  state_.phase = phase;
  outputs_current_ = false;
  return std::any_of(discrete_outputs_.begin(), discrete_outputs_.end(), [this](int i) {
    return outputs_[static_cast<std::size_t>(i)] != state_.held_outputs[static_cast<std::size_t>(i)];
  });
}

void SceneSlave::event_mode_was_entered() {
  if (options().model_exchange) {
    observe();
    note_events(stepper_->accept());
  }
  forget_observation();
}

DiscreteUpdate SceneSlave::update_discrete_states() {
  state_.clock_ticks = false;
  // Inputs or parameters set in event mode may have changed contact modes, too. The clock then ticks again,
  // and the importer has to handle it.
  bool impact = false;
  if (options().model_exchange) {
    impact = stepper_->collide(instant().input, state_.parameters);
    if (impact) forget_observation();
    check_not_squeezed(time(), observe());
    note_events(stepper_->accept());
  }
  hold_discrete_outputs();
  return {std::nullopt, state_.clock_ticks, impact};  // contact events are not known in advance
}

void SceneSlave::leave_event_mode() {
  state_.phase = options().model_exchange ? Phase::continuous : Phase::step;
  forget_observation();
}

void SceneSlave::set_time(double t) {
  if (!std::isfinite(t))
    throw SlaveError(Status::discard,
                     "the time was set to " + format_number(t) + " and must be a finite number");
  check_time("the time", t, Status::discard);
  if (t == stepper_->time()) return;
  stepper_->place(t, stepper_->state().x);
  forget_observation();
}

void SceneSlave::set_states(std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]))
      throw SlaveError(Status::discard, "state " + std::to_string(i + 1) + " was set to " +
                                            format_number(x[i]) + " and must be a finite number");
  }
  stepper_->place(stepper_->time(), x);
  forget_observation();
}

void SceneSlave::get_states(std::span<double> x) {
  if (!runs() && state_.phase != Phase::terminated) use_initial_state();
  std::copy_n(stepper_->state().x.begin(), x.size(), x.begin());
}

void SceneSlave::get_derivatives(std::span<double> xdot) {
  Variable derivative{.storage = Storage::derivative};
  std::copy_n(place_of(derivative), xdot.size(), xdot.begin());
}

void SceneSlave::get_event_indicators(std::span<double> values) {
  if (values.empty()) return;
  Variable indicator{.storage = Storage::indicator};
  std::copy_n(place_of(indicator), values.size(), values.begin());
}

bool SceneSlave::completed_integrator_step() {
  Dynamics const& dynamics = observe();
  // As in co-simulation: an integrator would go on in ever shorter steps.
  check_not_squeezed(time(), dynamics);
  if (SolveStatus const status = judged_status(dynamics); log_ && status != SolveStatus::converged) {
    StepReport report;
    report.worst = status;
    report.worst_block = dynamics.terms().blocks[static_cast<std::size_t>(worst_block(dynamics))].identity;
    report.worst_residual = dynamics.solution().residual;
    report_step(report);
  }
  // Rule `continuous` uses the forces of the last accepted step. The importer watches the event indicators
  // until event mode.
  note_events(stepper_->accept());
  // Two changes in one step may leave no change of sign.
  return stepper_->contact_closes() || discrete_outputs_changed();
}

}  // namespace delassus
