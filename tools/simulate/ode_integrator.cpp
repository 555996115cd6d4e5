#include "tools/simulate/ode_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "model/numbers/elementary.hpp"
#include "model/scene/decimal_times.hpp"
#include "tools/simulate/integrated_instance.hpp"

namespace delassus {
namespace {

double nearest_power_of_two(double x) {
  return std::ldexp(1.0, static_cast<int>(std::lround(elementary::log(x) * std::numbers::log2e)));
}

}  // namespace

OdeIntegrator::OdeIntegrator(ModelExchangeFace& face, OdeSettings const& settings, OdeKnowledge knowledge)
    : face_(face), settings_(settings), knowledge_(std::move(knowledge)) {
  std::size_t const count = face.state_count();
  nominals_.assign(count, 1.0);
  states_.resize(count);
  rates_.resize(count);
  scaled_.resize(count);
  direction_.resize(count);
  indicators_.resize(face.indicator_count());
  if (knowledge_.pattern && knowledge_.pattern->size() != count) knowledge_.pattern.reset();
  if (count == 0) return;
  switch (settings.method) {
    case OdeMethod::dopri5:
      stepper_ = make_dopri_stepper(*this, settings.tolerances);
      break;
    case OdeMethod::cvode:
      stepper_ = make_cvode_stepper(*this, settings.tolerances);
      break;
    case OdeMethod::euler:
      stepper_ = make_euler_stepper(*this, settings.fixed_step);
      break;
  }
}

OdeIntegrator::OdeIntegrator(ModelExchangeFace& face, double tolerance, bool completes_steps, bool goes_back)
    : OdeIntegrator(face, OdeSettings{.tolerances = {tolerance, tolerance},
                                      .completes_steps = completes_steps,
                                      .goes_back = goes_back}) {}

OdeIntegrator::~OdeIntegrator() = default;

void OdeIntegrator::set_step_size(double size) {
  if (size == step_size_) return;
  step_size_ = size;
  started_ = false;
}

void OdeIntegrator::restart(double time, bool nominals_changed) {
  time_ = time;
  started_ = false;
  if (!states_.empty()) {
    if (nominals_changed) face_.get_nominals(nominals_);
    for (auto& nominal : nominals_) {
      // A nominal that makes no sense is the checker's to report; here it must not stop the run. Powers of two:
      // scaling and back gives the same bits, and a restored run is the run that was saved.
      nominal = std::isnormal(nominal) ? nearest_power_of_two(std::abs(nominal)) : 1.0;
    }
    face_.get_states(states_);
    for (std::size_t i = 0; i < states_.size(); ++i) scaled_[i] = states_[i] / nominals_[i];
  }
  signs_ = signs();
  starts_at_zero_ = std::ranges::any_of(indicators_, [](double z) { return z == 0; });
}

void OdeIntegrator::put(double time, std::vector<double> const& scaled) {
  face_.set_time(time);
  for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = scaled[i] * nominals_[i];
  if (!states_.empty()) face_.set_states(states_);
  if (knowledge_.at_time) knowledge_.at_time(time);
}

void OdeIntegrator::rates(double time, std::vector<double> const& scaled, std::vector<double>& rates) {
  if (++evaluations_ > most_evaluations_ && most_evaluations_ > 0) {
    throw TooManyEvaluations(Status::error,
                             fmt::format("the integrator came no further than {} s in {} evaluations",
                                         format_time(time_), most_evaluations_));
  }
  put(time, scaled);
  face_.get_derivatives(rates_);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    rates[i] = rates_[i] / nominals_[i];
    // The step control would take a NaN for an error that is small enough.
    if (!std::isfinite(rates[i]))
      throw InstanceError(Status::discard,
                          fmt::format("derivative {} is not finite at {} s", i + 1, format_time(time)));
  }
}

void OdeIntegrator::product(double time, std::vector<double> const& scaled, std::span<const double> direction,
                            std::span<double> change) {
  put(time, scaled);
  for (std::size_t i = 0; i < states_.size(); ++i) direction_[i] = direction[i] * nominals_[i];
  knowledge_.product(direction_, change);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    change[i] /= nominals_[i];
    if (!std::isfinite(change[i]))
      throw InstanceError(Status::error, fmt::format("directional derivative {} is not finite at {} s", i + 1,
                                                     format_time(time)));
  }
}

double OdeIntegrator::try_step(double end) {
  if (!stepper_) return end;
  if (!started_) stepper_->start(time_, scaled_, step_size_);
  started_ = true;
  double const after = stepper_->step(end);
  step_size_ = stepper_->step_size();
  return after;
}

void OdeIntegrator::move_to(double time) {
  if (stepper_) stepper_->states_at(time, scaled_);
  put(time, scaled_);
}

std::vector<bool> OdeIntegrator::signs() {
  std::vector<bool> positive(indicators_.size());
  if (indicators_.empty()) return positive;
  face_.get_indicators(indicators_);
  for (std::size_t i = 0; i < indicators_.size(); ++i) positive[i] = indicators_[i] > 0;
  return positive;
}

// An indicator that is zero after an event, as those of many FMUs are, may leave zero and come back within one step, which no
// change of sign at its end tells: the way is looked at from its beginning on.
double OdeIntegrator::first_change(double before, double after) {
  if (!std::exchange(starts_at_zero_, false)) return after;
  for (double const share : {1e-6, 1e-4, 1e-2, .1, .3, .6}) {
    double const between = before + share * (after - before);
    if (between <= before) continue;
    move_to(between);
    if (signs() != signs_) return between;
  }
  return after;
}

double OdeIntegrator::locate(double before, double after) {
  double const enough = time_resolution(after, after - before);
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
    after = first_change(before, after);
    move_to(after);
    bool const crossed = signs() != signs_;
    if (crossed) {
      after = locate(before, after);
      move_to(after);
    }
    time_ = after;
    if (knowledge_.after_step) knowledge_.after_step();
    if (settings_.completes_steps) {
      auto const answer = face_.completed_integrator_step(!settings_.goes_back);
      if (answer.terminate) return Stop::terminated;
      if (answer.enter_event_mode && !crossed) return Stop::step_event;
    }
    if (crossed) return Stop::state_event;
  }
  return Stop::end;
}

}  // namespace delassus
