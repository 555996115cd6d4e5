#include "solver/time/relaxed_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "solver/time/run_check.hpp"

namespace delassus {
namespace {

namespace odeint = boost::numeric::odeint;

// s. Free flight is a polynomial, and step control would let the steps grow without bound; a contact that is
// made and lost between two stages would then be missed. A hundredth of a second bounds what can be missed at
// little cost.
constexpr double longest_step = 1e-2;

// As many as those of fixed size (step_division.cpp). A host that asks for more has made a mistake, or delta is so small
// that the explicit method cannot pay.
constexpr long most_internal_steps = 100'000'000;
constexpr char remedy[] = "use a larger delta, another stepper (solver.stepper), or a compliant contact law";

}  // namespace

RelaxedStepper::RelaxedStepper(System const& system, StepperSettings const& settings)
    : Stepper(system, settings),
      controlled_(ErrorChecker(settings.tolerance, settings.tolerance)),
      error_(state_.x.size()),
      x_between_(state_.x.size()),
      dxdt_between_(state_.x.size()),
      guard_(system, {.touching = -1}),
      impact_(system),
      terms_(system.make_terms()) {
  impacts_ = ImpactScope::with_restitution;
  has_laws_ = system.has_impact_laws();
}

void RelaxedStepper::restore(StepperState const& state) {
  state_ = state;
  stages_current_ = false;
}

void RelaxedStepper::invalidate() {
  Stepper::invalidate();
  state_.has_interval = false;
  stages_current_ = false;
}

void RelaxedStepper::derivative(double t, Vector const& x, Vector& dxdt, Drive const& drive,
                                std::vector<BlockForce> const& previous_lambda) {
  closed_now_ = state_.interval.closed;
  evaluate(t, x, drive.input, drive.parameter, previous_lambda);
  double const work = work_of(dynamics_);
  work_ += work;
  work_since_look_ += work;
  if (work_ > run_limits.most_work) fail_to_progress(t);
  std::size_t const n = x.size() - dynamics_.vdot().size();
  dynamics_.system().configuration_rate(instant(t, x, drive.input, drive.parameter),
                                        std::span(dxdt).first(n));
  std::copy(dynamics_.vdot().begin(), dynamics_.vdot().end(), dxdt.begin() + static_cast<std::ptrdiff_t>(n));
}

StepReport RelaxedStepper::advance(double end, InputSignal const& input, std::span<const double> parameter,
                                   StopAt stop) {
  StepReport report;
  Drive const drive{input, parameter};
  StepperState::Interval& interval = state_.interval;
  trial_ = state_;
  short_steps_ = 0;
  work_ = 0;
  progress_ = look_ = state_.t;
  work_since_look_ = 0;
  length_ = end - state_.t;
  shortest_ = run_limits.share_of_step * (end - state_.t);
  find_closed(input, parameter);
  if (!state_.energy.comparable && end > state_.t) watch_energy(state_.t, end - state_.t, drive, report);
  try {
    if (!state_.has_interval) begin_interval(drive, report);
    if (!stages_current_ && interval.size > 0) recompute_stages(drive);
    double target = end;
    for (;;) {
      double const reach = interval.t + interval.size;
      if (reach > end) break;
      bool const moves = reach > state_.t, changes_mode = !interval.events.empty();
      report.events.insert(report.events.end(), interval.events.begin(), interval.events.end());
      interval.events.clear();
      state_.sides = interval.sides_end;
      if (interval.impact) state_.closed = interval.closed_after;
      if (moves && (stop == StopAt::internal_step || (stop == StopAt::event && changes_mode))) {
        target = reach;
        break;
      }
      if (reach == end) break;
      step_interval(drive, report);
    }
    interpolate(target, state_.x);
    if (target > state_.t) watch_energy(target, target - state_.t, drive, report);
    state_.t = target;
  } catch (...) {
    state_ = trial_;
    stages_current_ = false;  // the method may hold the stages of a step that was given up
    throw;
  }
  return report;
}

void RelaxedStepper::watch_energy(double t, double h, Drive const& drive, StepReport& report) {
  System const& system = dynamics_.system();
  Instant const at = instant(t, state_.x, drive.input, drive.parameter);
  if (!is_left_alone(system, at)) {
    state_.energy.comparable = false;
    return;
  }
  system.evaluate(at, terms_);
  EnergyGain const gain = look_at_energy_since_start(system, terms_, at, h, state_.energy);
  if (gain.gained > 0) report.energy = gain;
}

// x(t) in the interval by the method's own interpolation of order 4.
void RelaxedStepper::interpolate(double t, Vector& x) {
  StepperState::Interval const& interval = state_.interval;
  double const reach = interval.t + interval.size;
  if (t == reach) {
    x = interval.impact ? interval.x_after : interval.x_end;
  } else {
    controlled_.stepper().calc_state(t, x, interval.x, interval.dxdt, interval.t, interval.x_end,
                                     interval.dxdt_end, reach);
  }
}

// An interval of no length at the present state: the first step starts from its end.
void RelaxedStepper::begin_interval(Drive const& drive, StepReport& report) {
  StepperState::Interval& interval = state_.interval;
  interval.t = state_.t;
  interval.size = 0;
  interval.x = state_.x;
  interval.x_end = state_.x;
  interval.lambda = state_.lambda;
  interval.dxdt.resize(state_.x.size());
  interval.dxdt_end.resize(state_.x.size());
  interval.impact = false;
  if (has_laws_ && closes(state_.t, state_.x, drive, state_.closed)) {
    collide_at(state_.t, state_.x, drive, state_.closed, report);
    interval.x = interval.x_end = state_.x;
  }
  interval.closed = state_.closed;
  derivative(state_.t, state_.x, interval.dxdt_end, drive, state_.lambda);
  check_not_squeezed(state_.t, dynamics_);
  interval.dxdt = interval.dxdt_end;
  dynamics_.copy_forces(state_.lambda);
  note_paradoxes(state_.t, state_.paradoxes, report);
  functions_.evaluate(dynamics_, values_);
  interval.sides_end = state_.sides;
  ModeFunctions::update_sides(values_, ModeFunctions::band(dynamics_), interval.sides_end);
  interval.events.clear();
  if (!state_.sides.empty())
    functions_.append_events(state_.t, state_.sides, interval.sides_end, interval.events);
  if (state_.next_size <= 0) {
    // A tenth of the shortest time scale is short enough for step control to judge the first step rightly.
    state_.next_size = longest_step;
    for (ConstraintBlock const& block : dynamics_.terms().blocks)
      state_.next_size = std::min(state_.next_size, block.relaxation.delta / 10);
  }
  state_.has_interval = true;
}

void RelaxedStepper::step_interval(Drive const& drive, StepReport& report) {
  StepperState::Interval& interval = state_.interval;
  double t = interval.t + interval.size;
  interval.lambda = state_.lambda;
  if (interval.impact) {
    interval.x = interval.x_after;
    interval.closed = interval.closed_after;
    interval.impact = false;
    derivative(t, interval.x, interval.dxdt, drive, interval.lambda);
  } else {
    std::swap(interval.x, interval.x_end);
    std::swap(interval.dxdt, interval.dxdt_end);
    interval.closed = state_.closed;
  }
  auto const system = [&](Vector const& x, Vector& dxdt, double at) {
    derivative(at, x, dxdt, drive, interval.lambda);
  };

  double const begin = t;
  double size = std::min(state_.next_size, longest_step);
  double attempted = size;
  for (;;) {
    while (controlled_.try_step(system, interval.x, interval.dxdt, t, interval.x_end, interval.dxdt_end,
                                size) == odeint::fail) {
      ++report.rejected_steps;
      if (!(begin + size > begin)) {
        check_not_squeezed(begin, dynamics_);
        throw StepFailure("the relaxed motion needs internal steps below rounding at t = " +
                              format_time(begin) + " s" + by_largest_demand(dynamics_) + "; " + remedy,
                          StepFailure::Retry::no_use);
      }
      attempted = size;
    }
    interval.t = begin;
    double const shorter = size_before_passage(attempted, drive);
    if (!(shorter < attempted)) break;
    ++report.rejected_steps;
    t = begin;
    attempted = size = shorter;
  }
  stages_current_ = true;
  interval.size = end_at_change(attempted, drive);
  interval.size = end_at_impact(interval.size, drive);
  state_.next_size = size;
  // The last evaluation of an accepted step is the one at its end (the method's first-same-as-last stage).
  double const end = begin + interval.size;
  note(report);
  check_solved(end, dynamics_, state_.unsolved);
  note_paradoxes(end, state_.paradoxes, report);
  dynamics_.copy_forces(state_.lambda);
  if (interval.impact) {
    collide_at(begin + interval.size, interval.x_after, drive, interval.closed_after, report);
  } else if (!interval.closed.empty()) {
    open_those_that_leave();
  }
  check_motion(end, dynamics_, interval.x_end, remedy);
  bool is_short = interval.size < std::min(shortest_, run_limits.share_of_delta * longest_step);
  double shortest_delta = longest_step;
  for (ConstraintBlock const& block : dynamics_.terms().blocks) {
    is_short &= interval.size < run_limits.share_of_delta * block.relaxation.delta;
    shortest_delta = std::min(shortest_delta, block.relaxation.delta);
  }
  if (end - progress_ > shortest_delta / 10) {
    work_ = 0;
    progress_ = end;
  }
  short_steps_ = is_short ? short_steps_ + 1 : 0;
  if (short_steps_ >= run_limits.short_steps) {
    throw StepFailure("the motion makes no progress at t = " + format_time(end) + " s: the last " +
                          std::to_string(short_steps_) + " internal steps were shorter than " +
                          format_number(interval.size) + " s" + by_largest_demand(dynamics_) + "; " + remedy,
                      StepFailure::Retry::no_use);
  }
  look_at_progress(end, ++report.internal_steps);
}

// A communication step has an end, and one that would take days says so soon.
void RelaxedStepper::look_at_progress(double t, long internal_steps) {
  auto const fail = [&](std::string const& why) {
    throw StepFailure("the communication step of " + format_number(length_) + " s " + why +
                      " at t = " + format_time(t) + " s" + by_largest_demand(dynamics_) +
                      "; make shorter communication steps, or " + remedy);
  };
  if (internal_steps > most_internal_steps)
    fail("needs more than " + std::to_string(most_internal_steps) + " internal steps");
  if (work_since_look_ < run_limits.work_between_looks) return;
  if (t - look_ < run_limits.least_share_of_step * length_)
    fail("would take too long: " + std::to_string(internal_steps) + " internal steps have passed");
  work_since_look_ = 0;
  look_ = t;
}

// It takes so much work that it would hardly ever end, as where friction jams what a prescribed motion presses: forces and
// their problems then become harder from step to step.
void RelaxedStepper::fail_to_progress(double t) const {
  check_not_squeezed(t, dynamics_);
  throw StepFailure(
      "the motion makes hardly any progress at t = " + format_time(t) + " s" + by_largest_demand(dynamics_) +
          ": its contact problems cannot be solved, or take too much work" +
          (dynamics_.system().is_driven()
               ? ", as where friction holds what a prescribed motion presses; drive one side by a force "
                 "instead of a motion, or "
               : "; ") +
          remedy,
      StepFailure::Retry::no_use);
}

double RelaxedStepper::size_before_passage(double attempted, Drive const& drive) {
  StepperState::Interval const& interval = state_.interval;
  Instant at = instant(interval.t, interval.x, drive.input, drive.parameter);
  at.q_end = std::span<const double>(interval.x_end).first(at.q.size());
  at.step = attempted;
  // Of the evaluation at the end of the step, which is the last one: deep enough to be looked at, or not yet.
  double depth = 0;
  for (ConstraintBlock const& block : dynamics_.terms().blocks) {
    if (is_unilateral(block.set.kind))
      depth = std::max(depth,
                       -dynamics_.terms().Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)]);
  }
  for (OpenContact const& contact : dynamics_.terms().open) depth = std::max(depth, -contact.gap);
  for (CompliantTouch const& touch : dynamics_.terms().touches) {
    if (touch.normal_force > 0) depth = std::numeric_limits<double>::infinity();  // it is not told how deep
  }
  auto const passage = guard_.find(at, depth);
  if (!passage) return attempted;
  if (passage->lost) {
    guard_.fail(interval.t, *passage,
                "their contact gives way by " + format_number(-passage->gap) +
                    " m and more; use a smaller delta, a larger zeta or a stiffer law, restitution instead "
                    "of zeta, or "
                    "the stepper nonsmooth");
  }
  return passage->time;
}

void RelaxedStepper::make_step(double size, Drive const& drive) {
  StepperState::Interval& interval = state_.interval;
  auto const system = [&](Vector const& x, Vector& dxdt, double at) {
    derivative(at, x, dxdt, drive, interval.lambda);
  };
  controlled_.stepper().do_step(system, interval.x, interval.dxdt, interval.t, interval.x_end,
                                interval.dxdt_end, size, error_);
}

// Dense output needs the stages of the last step, which live inside the method. After a rollback they are
// computed again, from the same numbers and hence to the same bits.
void RelaxedStepper::recompute_stages(Drive const& drive) {
  make_step(state_.interval.size, drive);
  stages_current_ = true;
}

double RelaxedStepper::end_at_change(double size, Drive const& drive) {
  StepperState::Interval& interval = state_.interval;
  functions_.evaluate(dynamics_, values_);
  double end = size;
  if (search_.begin(functions_, state_.sides, ModeFunctions::band(dynamics_), size, values_)) {
    auto const value_at = [&](double tau) {  // by dense output, which the kink blurs
      interval.size = size;
      interpolate(interval.t + tau, x_between_);
      derivative(interval.t + tau, x_between_, dxdt_between_, drive, interval.lambda);
      functions_.evaluate(dynamics_, values_);
    };
    derivative(interval.t, interval.x, dxdt_between_, drive, interval.lambda);
    functions_.evaluate(dynamics_, values_);
    search_.set_low(values_);
    while (!search_.near()) {
      double const tau = search_.guess();
      value_at(tau);
      search_.add(tau, values_);
    }
    search_.restart();
    while (!search_.found()) {
      double const tau = search_.guess();
      make_step(tau, drive);
      functions_.evaluate(dynamics_, values_);
      search_.add(tau, values_);
    }
    end = std::max(search_.high(), std::min(nearest_changes, size));
    if (end != search_.last()) {
      make_step(end, drive);
      functions_.evaluate(dynamics_, values_);
    }
  }
  interval.sides_end = state_.sides;
  ModeFunctions::update_sides(values_, ModeFunctions::band(dynamics_), interval.sides_end);
  functions_.append_events(interval.t + end, state_.sides, interval.sides_end, interval.events);
  return end;
}

}  // namespace delassus
