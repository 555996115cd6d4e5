#include "tools/simulate/ode_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <limits>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/simulate/integrated_instance.hpp"

namespace delassus {
namespace {

namespace odeint = boost::numeric::odeint;
using State = std::vector<double>;
using Dopri5 = odeint::runge_kutta_dopri5<State>;
using DenseStepper = odeint::result_of::make_dense_output<Dopri5>::type;

// Instants closer than this are one instant: some units in the last place.
double resolution(double time, double step) {
  return 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(time), std::abs(step));
}

}  // namespace

struct OdeIntegrator::Stepper {
  explicit Stepper(double tolerance) : dense(odeint::make_dense_output(tolerance, tolerance, Dopri5())) {}
  DenseStepper dense;
};

OdeIntegrator::OdeIntegrator(ModelExchangeFace& face, double tolerance, bool completes_steps, bool goes_back)
    : face_(face), tolerance_(tolerance), completes_steps_(completes_steps), goes_back_(goes_back) {
  std::size_t const count = face.state_count();
  nominals_.assign(count, 1.0);
  states_.resize(count);
  rates_.resize(count);
  scaled_.resize(count);
  indicators_.resize(face.indicator_count());
}

OdeIntegrator::~OdeIntegrator() = default;

void OdeIntegrator::restart(double time, bool nominals_changed) {
  time_ = time;
  started_ = false;
  if (!states_.empty()) {
    if (nominals_changed) face_.get_nominals(nominals_);
    for (auto& nominal : nominals_) {
      // A nominal that makes no sense is the checker's to report; here it must not stop the run. Powers of two:
      // scaling and back gives the same bits, and a restored run is the run that was saved.
      nominal = std::isnormal(nominal) ? std::exp2(std::round(std::log2(std::abs(nominal)))) : 1.0;
    }
    face_.get_states(states_);
    for (std::size_t i = 0; i < states_.size(); ++i) scaled_[i] = states_[i] / nominals_[i];
  }
  signs_ = signs();
}

void OdeIntegrator::evaluate(State const& scaled, State& rate, double time) {
  if (++evaluations_ > most_evaluations_ && most_evaluations_ > 0) {
    throw TooManyEvaluations(Status::error,
                             fmt::format("the integrator came no further than {} s in {} evaluations",
                                         format_time(time_), most_evaluations_));
  }
  face_.set_time(time);
  for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = scaled[i] * nominals_[i];
  face_.set_states(states_);
  face_.get_derivatives(rates_);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    rate[i] = rates_[i] / nominals_[i];
    // The step control would take a NaN for an error that is small enough.
    if (!std::isfinite(rate[i]))
      throw InstanceError(Status::discard,
                          fmt::format("derivative {} is not finite at {} s", i + 1, format_time(time)));
  }
}

double OdeIntegrator::try_step(double end) {
  if (states_.empty()) return end;
  if (!(step_size_ > 0)) step_size_ = (end - time_) / 100;
  constexpr int most_attempts = 60;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    bool const last = time_ + step_size_ >= end - resolution(end, step_size_);
    double const size = last ? end - time_ : step_size_;
    if (!started_ || last) {
      stepper_ = std::make_unique<Stepper>(tolerance_);
      stepper_->dense.initialize(scaled_, time_, size);
      started_ = true;
    }
    try {
      auto const [before, after] = stepper_->dense.do_step(
          [this](State const& x, State& rate, double time) { evaluate(x, rate, time); });
      double const next = stepper_->dense.current_time_step();
      if (last)
        started_ = false;  // from here on as a restored run would: only from states, time and step size
      // A step cut short to meet the end says little about the next one.
      step_size_ = last && after >= end - resolution(end, size) ? std::max(next, step_size_) : next;
      return std::abs(after - end) <= resolution(end, size) ? end : after;
    } catch (InstanceError const& error) {
      // The FMU does not like where the step leads to: a shorter one may not lead there.
      if (error.status() != Status::discard) throw;
    } catch (odeint::odeint_error const&) {
    }
    started_ = false;
    step_size_ = size / 4;
  }
  throw InstanceError(Status::error,
                      fmt::format("the integrator finds no step at {} s that keeps the tolerance {}",
                                  format_time(time_), format_number(tolerance_)));
}

void OdeIntegrator::move_to(double time) {
  face_.set_time(time);
  if (states_.empty()) return;
  if (time >= stepper_->dense.current_time() - resolution(time, 0)) {
    scaled_ = stepper_->dense.current_state();
  } else {
    stepper_->dense.calc_state(time, scaled_);
  }
  for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = scaled_[i] * nominals_[i];
  face_.set_states(states_);
}

std::vector<bool> OdeIntegrator::signs() {
  std::vector<bool> positive(indicators_.size());
  if (indicators_.empty()) return positive;
  face_.get_indicators(indicators_);
  for (std::size_t i = 0; i < indicators_.size(); ++i) positive[i] = indicators_[i] > 0;
  return positive;
}

double OdeIntegrator::locate(double before, double after) {
  double const enough = resolution(after, after - before);
  while (after - before > enough) {
    double const middle = before + (after - before) / 2;
    if (middle <= before || middle >= after) break;
    move_to(middle);
    (signs() == signs_ ? before : after) = middle;
  }
  return after;
}

OdeIntegrator::Stop OdeIntegrator::advance(double end) {
  while (time_ < end) {
    double const before = time_;
    double after = try_step(end);
    move_to(after);
    bool const crossed = signs() != signs_;
    if (crossed) {
      after = locate(before, after);
      move_to(after);
    }
    time_ = after;
    if (completes_steps_) {
      auto const answer = face_.completed_integrator_step(!goes_back_);
      if (answer.terminate) return Stop::terminated;
      if (answer.enter_event_mode && !crossed) return Stop::step_event;
    }
    if (crossed) return Stop::state_event;
  }
  return Stop::end;
}

}  // namespace delassus
