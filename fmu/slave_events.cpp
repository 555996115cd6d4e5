// Event mode, and model exchange: the host integrates, and the slave is a right-hand side.
#include <algorithm>
#include <cmath>

#include "fmu/slave.hpp"
#include "model/number.hpp"

namespace delassus {

void Slave::hold_discrete_outputs() {
  if (!options_.model_exchange && !options_.event_mode) return;
  refresh_outputs();
  state_.held_outputs = outputs_;
  state_.held_events = state_.events;
}

bool Slave::discrete_outputs_changed() {
  if (state_.events != state_.held_events) return true;
  // Evaluated as if nothing was held.
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

void Slave::enter_event_mode() {
  if (state_.phase == Phase::step && !options_.event_mode) {
    throw SlaveError(Status::error,
                     "the instance was made without event mode (eventModeUsed); it cannot be entered");
  }
  state_.phase = Phase::event;
  if (options_.model_exchange) {
    observe();
    note_events(stepper_->accept());
  }
  forget_observation();
}

void Slave::update_discrete_states() {
  // Inputs or parameters that were set in this mode may have changed modes as well.
  if (options_.model_exchange) {
    observe();
    note_events(stepper_->accept());
  }
  hold_discrete_outputs();
  state_.clock_ticks = false;
}

void Slave::leave_event_mode() {
  state_.phase = options_.model_exchange ? Phase::continuous : Phase::step;
  forget_observation();
}

void Slave::set_time(double t) {
  if (!std::isfinite(t))
    throw SlaveError(Status::discard,
                     "the time was set to " + format_number(t) + " and must be a finite number");
  if (t == stepper_->time()) return;
  stepper_->place(t, stepper_->state().x);
  forget_observation();
}

void Slave::set_states(std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]))
      throw SlaveError(Status::discard, "state " + std::to_string(i + 1) + " was set to " +
                                            format_number(x[i]) + " and must be a finite number");
  }
  stepper_->place(stepper_->time(), x);
  forget_observation();
}

void Slave::get_states(std::span<double> x) {
  if (!runs() && state_.phase != Phase::terminated) use_initial_state();
  std::copy_n(stepper_->state().x.begin(), x.size(), x.begin());
}

void Slave::get_derivatives(std::span<double> xdot) {
  Variable derivative{.storage = Storage::derivative};
  std::copy_n(place_of(derivative), xdot.size(), xdot.begin());
}

void Slave::get_event_indicators(std::span<double> values) {
  if (values.empty()) return;
  Variable indicator{.storage = Storage::indicator};
  std::copy_n(place_of(indicator), values.size(), values.begin());
}

bool Slave::completed_integrator_step() {
  Dynamics const& dynamics = observe();
  if (log_ && dynamics.solution().status != SolveStatus::converged) {
    StepReport report;
    report.worst = dynamics.solution().status;
    report.worst_residual = dynamics.solution().residual;
    report_step(report);
  }
  // The forces of an accepted step are what rule `continuous` follows; the sides of the indicators are the
  // host's affair until event mode.
  note_events(stepper_->accept());
  return discrete_outputs_changed();
}

}  // namespace delassus
