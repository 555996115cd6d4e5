#include "solver/relaxed_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

namespace odeint = boost::numeric::odeint;

// s. Free flight is a polynomial, and step control would let the steps grow without bound; a contact that is
// made and lost between two stages would then be missed. A hundredth of a second bounds what can be missed at
// little cost.
constexpr double longest_step = 1e-2;

// Far more than any step between communication points needs; a host that asks for more has made a mistake, or
// delta is so small that the explicit method cannot pay.
constexpr long most_internal_steps = 20'000'000;

}  // namespace

RelaxedStepper::RelaxedStepper(System const& system, StepperSettings const& settings)
    : Stepper(system, settings),
      controlled_(odeint::default_error_checker<double, odeint::range_algebra, odeint::default_operations>(
          settings.tolerance, settings.tolerance)),
      error_(state_.x.size()) {}

void RelaxedStepper::restore(StepperState const& state) {
  state_ = state;
  stages_current_ = false;
}

void RelaxedStepper::invalidate() {
  state_.has_interval = false;
  stages_current_ = false;
}

void RelaxedStepper::derivative(double t, Vector const& x, Vector& dxdt, std::span<const double> input,
                                std::span<const double> parameter,
                                std::vector<BlockForce> const& previous_lambda) {
  evaluate(t, x, input, parameter, previous_lambda);
  std::size_t const n = x.size() - dynamics_.vdot().size();
  dynamics_.system().configuration_rate(instant(t, x, input, parameter), std::span(dxdt).first(n));
  std::copy(dynamics_.vdot().begin(), dynamics_.vdot().end(), dxdt.begin() + static_cast<std::ptrdiff_t>(n));
}

StepReport RelaxedStepper::advance(double end, std::span<const double> input,
                                   std::span<const double> parameter) {
  StepReport report;
  trial_ = state_;
  try {
    if (!state_.has_interval) begin_interval(input, parameter, report);
    if (!stages_current_ && state_.interval.size > 0) recompute_stages(input, parameter);
    while (state_.interval.t + state_.interval.size < end) step_interval(input, parameter, report);
    // x(end) by the method's own interpolation of order 4.
    StepperState::Interval const& interval = state_.interval;
    controlled_.stepper().calc_state(end, state_.x, interval.x, interval.dxdt, interval.t, interval.x_end,
                                     interval.dxdt_end, interval.t + interval.size);
    state_.t = end;
  } catch (...) {
    state_ = trial_;
    stages_current_ = false;  // the method may hold the stages of a step that was given up
    throw;
  }
  return report;
}

// An interval of no length at the present state: the first step starts from its end.
void RelaxedStepper::begin_interval(std::span<const double> input, std::span<const double> parameter,
                                    StepReport& report) {
  StepperState::Interval& interval = state_.interval;
  interval.t = state_.t;
  interval.size = 0;
  interval.x = state_.x;
  interval.x_end = state_.x;
  interval.lambda = state_.lambda;
  interval.dxdt.resize(state_.x.size());
  interval.dxdt_end.resize(state_.x.size());
  derivative(state_.t, state_.x, interval.dxdt_end, input, parameter, state_.lambda);
  interval.dxdt = interval.dxdt_end;
  dynamics_.copy_forces(state_.lambda);
  note_paradoxes(state_.t, state_.paradoxes, report);
  if (state_.next_size <= 0) {
    // A tenth of the shortest time scale is short enough for step control to judge the first step rightly.
    state_.next_size = longest_step;
    for (ConstraintBlock const& block : dynamics_.terms().blocks)
      state_.next_size = std::min(state_.next_size, block.delta / 10);
  }
  state_.has_interval = true;
}

void RelaxedStepper::step_interval(std::span<const double> input, std::span<const double> parameter,
                                   StepReport& report) {
  StepperState::Interval& interval = state_.interval;
  double t = interval.t + interval.size;
  std::swap(interval.x, interval.x_end);
  std::swap(interval.dxdt, interval.dxdt_end);
  interval.lambda = state_.lambda;
  auto const system = [&](Vector const& x, Vector& dxdt, double at) {
    derivative(at, x, dxdt, input, parameter, interval.lambda);
  };

  double const begin = t;
  double size = std::min(state_.next_size, longest_step);
  double attempted = size;
  while (controlled_.try_step(system, interval.x, interval.dxdt, t, interval.x_end, interval.dxdt_end,
                              size) == odeint::fail) {
    ++report.rejected_steps;
    if (!(begin + size > begin))
      throw StepFailure("the relaxed motion needs internal steps below rounding at t = " +
                        std::to_string(begin) + " s; raise delta, or use the implicit stepper");
    attempted = size;
  }
  stages_current_ = true;
  // The last evaluation of an accepted step is the one at its end (the method's first-same-as-last stage).
  note(report);
  note_paradoxes(t, state_.paradoxes, report);
  dynamics_.copy_forces(state_.lambda);
  interval.t = begin;
  interval.size = attempted;
  state_.next_size = size;
  if (!std::all_of(interval.x_end.begin(), interval.x_end.end(),
                   [](double value) { return std::isfinite(value); })) {
    throw StepFailure("the relaxed motion is no longer finite at t = " + std::to_string(begin) + " s");
  }
  if (++report.internal_steps > most_internal_steps) {
    throw StepFailure("more than " + std::to_string(most_internal_steps) +
                      " internal steps in one communication step; raise delta or the tolerance, or use the "
                      "implicit stepper");
  }
}

// Dense output needs the stages of the last step, which live inside the method. After a rollback they are
// computed again, from the same numbers and hence to the same bits.
void RelaxedStepper::recompute_stages(std::span<const double> input, std::span<const double> parameter) {
  StepperState::Interval const& interval = state_.interval;
  Vector x_end(state_.x.size()), dxdt_end(state_.x.size());
  auto const system = [&](Vector const& x, Vector& dxdt, double at) {
    derivative(at, x, dxdt, input, parameter, interval.lambda);
  };
  controlled_.stepper().do_step(system, interval.x, interval.dxdt, interval.t, x_end, dxdt_end, interval.size,
                                error_);
  stages_current_ = true;
}

}  // namespace delassus
