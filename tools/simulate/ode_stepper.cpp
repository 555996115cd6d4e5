#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <limits>

#include "model/numbers/step_adjuster.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/import/simulated_instance.hpp"
#include "tools/simulate/ode_stepper.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

namespace odeint = boost::numeric::odeint;
using DopriStates = std::vector<double>;
using Dopri5 = odeint::runge_kutta_dopri5<DopriStates>;
using DopriErrors = odeint::default_error_checker<double, odeint::range_algebra, odeint::default_operations>;
using ControlledDopri5 = odeint::controlled_runge_kutta<Dopri5, DopriErrors, StepAdjuster>;
using DenseDopri5 = odeint::dense_output_runge_kutta<ControlledDopri5>;

double difference(DopriStates const& a, DopriStates const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

class DopriStepper final : public OdeStepper {
 public:
  DopriStepper(OdeSystem& system, OdeTolerances const& tolerances)
      : system_(system), tolerances_(tolerances) {}

  void start(double time, DopriStates const& states, double step_size) override {
    time_ = time;
    states_ = states;
    step_size_ = step_size;
    started_ = false;
  }

  double step(double end) override {
    if (!(step_size_ > 0)) step_size_ = (end - time_) / 100;
    constexpr int most_attempts = 60;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      bool const last = time_ + step_size_ >= end - time_resolution(end, step_size_);
      double const size = last ? end - time_ : step_size_;
      if (!started_ || last) {
        dense_ = std::make_unique<DenseDopri5>(
            ControlledDopri5(DopriErrors(tolerances_.absolute, tolerances_.relative)));
        dense_->initialize(states_, time_, size);
        started_ = true;
      }
      try {
        auto const [before, after] =
            dense_->do_step([&](DopriStates const& x, DopriStates& rate, double time) {
              evaluate(x, rate, std::min(time, end));
            });
        ++counts_.steps;
        judge_stiffness(after - before);
        double const next = dense_->current_time_step();
        if (last)
          started_ = false;  // from here on as a restored run would: only from states, time and step size
        // A step cut short to meet the end says little about the next one.
        step_size_ = last && after >= end - time_resolution(end, size) ? std::max(next, step_size_) : next;
        time_ = std::abs(after - end) <= time_resolution(end, size) ? end : after;
        states_ = dense_->current_state();
        return time_;
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
                                    format_time(time_), format_number(tolerances_.relative)));
  }

  void states_at(double time, DopriStates& states) override {
    if (time >= dense_->current_time() - time_resolution(time, 0)) {
      states = dense_->current_state();
    } else {
      dense_->calc_state(time, states);
    }
  }

  double step_size() const override { return step_size_; }

 private:
  void evaluate(DopriStates const& states, DopriStates& rates, double time) {
    ++counts_.evaluations;
    system_.rates(time, states, rates);
    std::swap(last_states_, older_states_);
    std::swap(last_rates_, older_rates_);
    last_states_ = states;
    last_rates_ = rates;
  }

  // The last two stages of an accepted step are at its end: their rates tell the largest eigenvalue there is. Beyond 3.3 the
  // method is unstable, and a run of steps near it are short for stability and not for accuracy (Hairer, Wanner,
  // Solving Ordinary Differential Equations II, IV.2).
  void judge_stiffness(double size) {
    constexpr double border = 3.25;
    constexpr int enough = 15, forgotten_after = 6;
    double const distance = difference(last_states_, older_states_);
    bool const near_border = distance > 0 && size * difference(last_rates_, older_rates_) > border * distance;
    if (near_border) {
      others_ = 0;
      if (++suspicions_ >= enough) ++counts_.stiff_steps;
    } else if (++others_ == forgotten_after) {
      suspicions_ = 0;
    }
  }

  OdeSystem& system_;
  OdeTolerances tolerances_;
  std::unique_ptr<DenseDopri5> dense_;
  bool started_ = false;
  double time_ = 0, step_size_ = 0;
  DopriStates states_, last_states_, older_states_, last_rates_, older_rates_;
  int suspicions_ = 0, others_ = 0;
};

class EulerStepper final : public OdeStepper {
 public:
  EulerStepper(OdeSystem& system, double step)
      : system_(system), step_(step), rates_(system.size()), after_(system.size()) {}

  void start(double time, DopriStates const& states, double /*step_size*/) override {
    begin_ = time_ = time;
    count_ = 0;
    before_ = after_ = states;
  }

  double step(double end) override {
    before_ = after_;
    double const before = time_;
    double const planned = begin_ + static_cast<double>(++count_) * step_;
    time_ = !(step_ > 0) || planned >= end - time_resolution(end, step_) ? end : planned;
    if (time_ == end) {
      begin_ = end;
      count_ = 0;
    }
    ++counts_.evaluations;
    ++counts_.steps;
    system_.rates(before, before_, rates_);
    for (std::size_t i = 0; i < rates_.size(); ++i) after_[i] = before_[i] + (time_ - before) * rates_[i];
    step_begin_ = before;
    return time_;
  }

  void states_at(double time, DopriStates& states) override {
    states = after_;
    if (time >= time_) return;
    for (std::size_t i = 0; i < rates_.size(); ++i) states[i] = before_[i] + (time - step_begin_) * rates_[i];
  }

  double step_size() const override { return step_; }

 private:
  OdeSystem& system_;
  double step_;
  DopriStates rates_, before_, after_;
  double begin_ = 0, time_ = 0, step_begin_ = 0;
  long count_ = 0;
};

}  // namespace

std::unique_ptr<OdeStepper> make_dopri_stepper(OdeSystem& system, OdeTolerances const& tolerances) {
  return std::make_unique<DopriStepper>(system, tolerances);
}

std::unique_ptr<OdeStepper> make_euler_stepper(OdeSystem& system, double step) {
  return std::make_unique<EulerStepper>(system, step);
}

OdeMethod ode_method(std::string_view name) {
  for (auto const method : {OdeMethod::dopri5, OdeMethod::cvode, OdeMethod::euler}) {
    if (name != ode_method_name(method)) continue;
    if (method == OdeMethod::cvode) require_cvode();
    return method;
  }
  throw CommandError(ExitCode::usage, fmt::format("--solver {} is none of dopri5, cvode, euler", name));
}

double time_resolution(double time, double step) {
  return 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(time), std::abs(step));
}

}  // namespace delassus
