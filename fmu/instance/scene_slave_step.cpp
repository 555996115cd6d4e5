// The part of the instance that advances time in co-simulation.
#include <algorithm>
#include <cmath>

#include "fmu/instance/scene_slave.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

ContactEvent kind_of(ModeEvent const& event) {
  if (event.after == ContactMode::detached) return ContactEvent::lost;
  if (event.before == ContactMode::detached) return ContactEvent::made;
  return event.after == ContactMode::stick ? ContactEvent::stick : ContactEvent::slip;
}

}  // namespace

StepResult SceneSlave::do_step(double current, double size, IntermediateUpdate const& intermediate) {
  double const end = check_step(current, size);
  bool const ends_at_events = options().event_mode && options().early_return;
  StopAt const stop = intermediate ? StopAt::internal_step : ends_at_events ? StopAt::event : StopAt::end;
  // If one part of a step fails, the whole step is undone.
  std::optional<Snapshot> before;
  if (stop != StopAt::end) before = snapshot();
  bool const interpolates = !state_.input_derivatives.empty();
  double const begin = stepper_->time();
  InputSignal const signal{state_.inputs, state_.input_derivatives, begin};
  double target = end;
  bool happened = false;
  // Each call of `advance` bounds its own work; a host that is called after each internal step makes many of them.
  constexpr long most_internal_steps = 100'000'000;
  long internal_steps = 0;
  try {
    for (;;) {
      StepReport const report = stepper_->advance(target, signal, state_.parameters, stop);
      forget_observation();
      note_events(report.events);
      if (log_) report_step(report);
      happened |= !report.events.empty();
      double const now = stepper_->time();
      if (ends_at_events && !report.events.empty() && now > begin) break;
      if (intermediate) {
        state_.phase = Phase::intermediate;
        IntermediateAnswer const answer = intermediate(now);
        state_.phase = Phase::step;
        forget_observation();
        if (answer.return_early) target = answer.time > now ? std::min(answer.time, end) : now;
      }
      if (now >= target) break;
      internal_steps += report.internal_steps;
      if (internal_steps > most_internal_steps)
        throw StepFailure("the communication step of " + format_number(size) + " s needs more than " +
                          std::to_string(most_internal_steps) + " internal steps at t = " + format_time(now) +
                          " s; make shorter communication steps");
    }
  } catch (StepFailure const& failure) {
    if (before) restore(*before);
    if (failure.retry() == StepFailure::Retry::no_use) run_ends();
    // Discarded where the importer may try a shorter step; otherwise the run is over.
    throw SlaveError(failure.retry() == StepFailure::Retry::shorter_step ? Status::discard : Status::error,
                     failure.what());
  } catch (...) {
    if (before) restore(*before);
    throw;
  }
  StepResult result{stepper_->time(), false, stepper_->time() < end};
  if (interpolates) {
    std::vector<double> buffer;
    auto const last = signal.at(result.time, buffer);
    state_.inputs.assign(last.begin(), last.end());
    state_.input_derivatives.clear();
    stepper_->invalidate();
  }
  state_.inputs_seen = state_.inputs;
  forget_observation();
  result.event = options().event_mode && (happened || discrete_outputs_changed());
  return result;
}

void SceneSlave::note_events(std::vector<ModeEvent> const& events) {
  auto const value = [this](EventValue which) -> double& {
    return state_.events[static_cast<std::size_t>(which)];
  };
  for (ModeEvent const& event : events) {
    value(EventValue::count) += 1;
    value(EventValue::time) = event.t;
    value(EventValue::source) = event.source + 1;
    value(EventValue::kind) = static_cast<double>(kind_of(event));
    if (!trace_events_) continue;
    Enumeration const& names = contact_mode_enumeration();
    log_(Status::ok, "logEvents",
         stepper_->mode_functions().sources()[static_cast<std::size_t>(event.source)].name + ": " +
             std::string(names.name_of(static_cast<int>(event.before))) + " -> " +
             std::string(names.name_of(static_cast<int>(event.after))) + " at t = " + format_time(event.t) +
             " s");
  }
  if (!events.empty()) state_.clock_ticks = true;
}

}  // namespace delassus
