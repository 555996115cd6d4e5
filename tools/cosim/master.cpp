#include "tools/cosim/master.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/numbers/elementary.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/cosim/event_exchange.hpp"
#include "tools/cosim/initialisation.hpp"
#include "tools/cosim/real_time_pacer.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/cosim/setup.hpp"
#include "tools/cosim/step_control.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

using Checkpoint = CosimParticipant::Checkpoint;
using Outcome = CosimAttempt::Outcome;

constexpr int most_halvings = 20;
constexpr double crumb = 1e-9;          // of a step: no step
constexpr int most_standstills = 1000;  // events at one time, without a step between them

void check_plan(CosimPlan const& plan) {
  auto const refuse = [](std::string const& message) { throw CommandError(ExitCode::usage, message); };
  if (plan.extrapolation < 0 || plan.extrapolation > 2)
    refuse(fmt::format("the degree of extrapolation is {}; it must be 0, 1 or 2", plan.extrapolation));
  if (!(plan.loop_tolerance > 0))
    refuse(fmt::format("the tolerance of loops is {}; it must be > 0", format_number(plan.loop_tolerance)));
  if (plan.step_tolerance && !(*plan.step_tolerance > 0))
    refuse(fmt::format("the tolerance of adaptive steps is {}; it must be > 0",
                       format_number(*plan.step_tolerance)));
  if (plan.tolerance && !(*plan.tolerance > 0))
    refuse(fmt::format("the tolerance for the FMUs is {}; it must be > 0", format_number(*plan.tolerance)));
  for (auto const& [name, size] :
       {std::pair("smallest", plan.smallest_step), std::pair("largest", plan.largest_step)}) {
    if (size && !(*size > 0))
      refuse(fmt::format("the {} step is {} s; it must be > 0", name, format_number(*size)));
  }
  if (plan.smallest_step && plan.largest_step && *plan.smallest_step > *plan.largest_step)
    refuse(fmt::format("the smallest step is {} s and the largest one {} s; it must not be longer",
                       format_number(*plan.smallest_step), format_number(*plan.largest_step)));
  if (plan.pace && !(*plan.pace > 0))
    refuse(fmt::format("the factor of real time is {}; it must be > 0", format_number(*plan.pace)));
}

// Of the scheme as a whole, by the worst of its inputs: what is held over a step is of order 1; its mean, which FMUs get
// that do not interpolate, of order 2; a polynomial of one order more than its degree. Where an output has direct
// feedthrough from an input, such an FMU gets what the input is at the end of the step.
int order_of_steps(CosimPlan const& plan, CosimParticipants const& participants) {
  if (plan.extrapolation == 0) return 1;
  int order = plan.extrapolation + 1;
  for (auto const& participant : participants) {
    if (participant->interpolates()) continue;
    for (auto const& wire : participant->wires()) {
      if (wire.continuous) order = std::min(order, wire.feedthrough ? 1 : 2);
    }
  }
  return order;
}

class Master {
 public:
  Master(CosimSystem const& system, CosimPlan const& plan, Progress const& progress, CosimResult& result)
      : plan_(plan),
        progress_(progress),
        result_(result),
        wiring_(system),
        participants_(make_participants(system, plan, wiring_, result.notes)),
        stepper_(system, plan, wiring_, participants_),
        events_(wiring_, participants_),
        recorder_(system, plan, wiring_, participants_, result.table),
        system_(system),
        order_(order_of_steps(plan, participants_)),
        control_(order_),
        h_(plan.step),
        smallest_(plan.smallest_step.value_or(plan.step * 1e-6)),
        largest_(plan.largest_step.value_or((plan.stop - plan.start) / 10)) {
    check_steps(system, plan, participants_);
    row_every_ = steps_of_a_row(plan);
    for (auto const& group : stepper_.groups()) {
      for (auto const component : group.components) result.order.push_back(system.components[component].name);
    }
  }

  void run(std::function<void()> const& accepted) {
    time_ = plan_.start;
    stepper_.history().restart(time_);
    initialise(system_, plan_, participants_);
    if (accepted) accepted();
    for (auto const& participant : participants_) participant->read_outputs(stepper_.history().now());
    if (events_.any()) note_end(events_.handle(stepper_.history(), true));
    stepper_.read_slopes();
    recorder_.read_free_inputs();
    recorder_.record(stepper_.history());
    if (plan_.pace) pacer_.emplace(plan_.start, *plan_.pace);
    if (plan_.step_tolerance) {
      run_adaptive();
    } else {
      run_fixed();
    }
    if (recorder_.last_time() < time_) recorder_.record(stepper_.history());
    for (auto const& participant : participants_)
      participant->guard([&] { participant->instance().terminate(); });
  }

  double time() const { return time_; }
  void report() {
    if (!pacer_) return;
    result_.overruns = pacer_->overruns();
    result_.largest_lateness = pacer_->largest_lateness();
  }

 private:
  bool ended() const { return result_.terminated_by.has_value(); }
  void note_end(std::string const& component) {
    if (!component.empty()) result_.terminated_by = component;
  }

  void run_fixed() {
    std::size_t const count = count_steps(plan_.start, plan_.stop, plan_.step);
    DecimalTimes const times(plan_.start, plan_.step);
    // Looking at the clock and the terminal costs more than a step of a small FMU.
    std::size_t const look_every =
        plan_.pace ? 1 : std::max<std::size_t>(1, std::min<std::size_t>(256, count / 1000));
    for (std::size_t k = 0; k < count && !ended(); ++k) {
      bool const last = k + 1 == count;
      double const target = last ? plan_.stop : times.after(k + 1);
      bool const whole = !last || std::abs(target - time_ - plan_.step) <= 1e-6 * plan_.step;
      bool first = true;
      limit_ *= 2;
      auto const arrived = [&] { return time_ >= target - crumb * plan_.step; };
      while (!arrived() && !ended()) {
        double end = step_end(target, plan_.step);
        // After a discarded step go on with the length that was taken; at the next point longer ones are tried again.
        if (time_ + limit_ < end - 1e-6 * limit_) end = time_ + limit_;
        advance(first && whole && end == target ? plan_.step : end - time_, end);
        first = false;
        if (ended() && recorder_.last_time() == time_)
          break;  // at the beginning of the step, which has its row
        bool const row = arrived() ? (k + 1) % row_every_ == 0 || last : !plan_.output_step;
        if (row) recorder_.record(stepper_.history());
      }
      if ((k + 1) % look_every == 0) look(static_cast<double>(k + 1) / static_cast<double>(count));
    }
  }

  // The target or an announced event before it. Where only rounding is between them, the event stands for both, so that
  // no step of 1e-16 s is made; but no component is asked to go beyond the end of the run.
  double step_end(double target, double step) const {
    double const event = events_.next();
    bool const same = std::abs(event - target) <= crumb * step && event <= plan_.stop;
    return same ? event : std::min(target, event);
  }

  // Rows at every step that is kept, or at the points of --output-step, which steps then end at.
  void run_adaptive() {
    DecimalTimes const rows(plan_.start, plan_.output_step.value_or(0));
    std::size_t row = 1;
    while (time_ < plan_.stop && !ended()) {
      double target = plan_.stop;
      if (plan_.output_step) target = std::min(target, rows.after(row));
      if (target > plan_.stop - 1e-6 * h_) target = plan_.stop;
      double const next = step_end(target, h_);
      double end = std::min(time_ + h_, next);
      // No crumb of a step before the target or the event.
      if (next - end < 0.1 * h_) end = next;
      advance_estimated(end);
      if (ended() && recorder_.last_time() == time_) break;
      bool const at_target = time_ >= target - crumb * h_;
      if (at_target && plan_.output_step) ++row;
      if (at_target || !plan_.output_step) recorder_.record(stepper_.history());
      look((time_ - plan_.start) / (plan_.stop - plan_.start));
    }
  }

  void look(double share) {
    if (pacer_) pacer_->wait_for(time_);
    if (progress_ && !progress_(share)) {
      result_.interrupted = true;
      throw CosimFailure(Status::error, "interrupted");
    }
  }

  // One step that is kept, to `end` or as far as the components go.
  void advance(double size, double end) {
    int halvings = 0;
    if (!wiring_.texts.empty() || !wiring_.binaries.empty()) hand_on_texts(wiring_, participants_);
    for (;;) {
      size = step_size_until(time_, size, plan_.stop);
      CosimAttempt const attempt = stepper_.attempt(size, end, result_.counts);
      note_end(attempt.terminated);
      if (attempt.outcome == Outcome::done) {
        result_.counts.early_returns += attempt.end < end;
        keep(attempt);
        return;
      }
      if (attempt.outcome == Outcome::early) {
        ++result_.counts.early_returns;
        if (attempt.end <= time_) {
          stand_still();
          return;
        }
        end = attempt.end;
        result_.terminated_by.reset();  // said again when all are there
      } else {
        ++result_.counts.discarded;
        if (++halvings > most_halvings || (end - time_) / 2 < 1e-12 * std::max(1.0, std::abs(time_)))
          throw CosimFailure(Status::discard, fmt::format("{}; shorter steps, down to {} s, did not help",
                                                          attempt.reason, format_time(size)));
        end = time_ + (end - time_) / 2;
        limit_ = end - time_;
      }
      require_variable_steps(attempt);
      size = end - time_;
    }
  }

  void require_variable_steps(CosimAttempt const& attempt) const {
    for (auto const& participant : participants_) {
      if (participant->varies_steps()) continue;
      throw CosimFailure(
          Status::discard,
          fmt::format("{}; the step cannot be made shorter because {} makes only steps of one size",
                      attempt.reason.empty() ? "a component ended its step early" : attempt.reason,
                      participant->name()));
    }
  }

  void keep(CosimAttempt const& attempt) {
    note_end(attempt.terminated);
    double const length = attempt.end - time_;
    CosimCounts& counts = result_.counts;
    counts.smallest_step = counts.smallest_step == 0 ? length : std::min(counts.smallest_step, length);
    counts.largest_step = std::max(counts.largest_step, length);
    ++counts.steps;
    stepper_.keep(attempt.end);
    time_ = attempt.end;
    standstills_ = 0;
    finish(attempt.event);
  }

  void finish(bool event) {
    if (!events_.any() || ended() || (!event && !events_.due(stepper_.history()))) return;
    ++result_.counts.events;
    note_end(events_.handle(stepper_.history(), false));
    stepper_.read_slopes();
  }

  // An event at once, before any step.
  void stand_still() {
    if (ended()) return;
    if (++standstills_ > most_standstills)
      throw CosimFailure(
          Status::error,
          fmt::format("{} events in a row at one time: no step gets ahead of them", most_standstills));
    finish(true);
  }

  // Step doubling: one step and two of half the length from the same state. Where the scheme has order p, the two are
  // off by the difference / (2^p - 1); they are what is kept.
  void advance_estimated(double end) {
    if (!wiring_.texts.empty() || !wiring_.binaries.empty()) hand_on_texts(wiring_, participants_);
    for (;;) {
      double const begin = time_, length = end - begin, middle = begin + length / 2;
      CosimHistory const before = stepper_.history();
      stepper_.save(Checkpoint::step);
      CosimCounts scratch;  // steps that only the estimate needs are no steps of the run
      CosimAttempt const whole = stepper_.attempt(length, end, scratch);
      result_.counts.loop_sweeps += scratch.loop_sweeps;
      if (whole.outcome == Outcome::early && whole.end <= time_ && !whole.terminated.empty()) {
        note_end(whole.terminated);  // a component that has ended is not asked to step again
        return;
      }
      if (whole.outcome != Outcome::done || whole.event || !whole.terminated.empty()) {
        // An event or the end: where it is matters more than an estimate.
        if (whole.outcome == Outcome::done) {
          keep(whole);
        } else {
          advance(length, end);
        }
        return;
      }
      std::vector<double> const once = stepper_.outputs();
      stepper_.restore(Checkpoint::step);
      CosimAttempt const first = stepper_.attempt(middle - begin, middle, result_.counts);
      bool halves = first.outcome == Outcome::done && !first.event && first.terminated.empty();
      CosimAttempt second;
      if (halves) {
        stepper_.keep(middle);
        second = stepper_.attempt(end - middle, end, result_.counts);
        halves = second.outcome == Outcome::done;
      }
      if (!halves) {
        stepper_.restore(Checkpoint::step);
        stepper_.history() = before;
        advance(middle - begin, middle);
        return;
      }
      double const error = estimate(once, stepper_.outputs());
      if (error <= 1 || length <= smallest_ * (1 + 1e-9)) {
        if (error > 1)
          throw CosimFailure(
              Status::error,
              fmt::format("a step of {} s has {} times the error that --adaptive allows, and steps may "
                          "not be shorter than {} s",
                          format_time(length), fmt::format("{:.3g}", error), format_time(smallest_)));
        ++result_.counts.steps;  // the first half
        time_ = middle;
        // A step that was cut for a row or an event says nothing against the length that was wanted.
        double const wanted = length * control_.after_kept(error);
        h_ = std::clamp(length < 0.99 * h_ ? std::max(h_, wanted) : wanted, smallest_, largest_);
        keep(second);
        return;
      }
      ++result_.counts.rejected;
      stepper_.restore(Checkpoint::step);
      stepper_.history() = before;
      h_ = std::max(smallest_, length * control_.after_rejected(error));
      end = begin + h_;
    }
  }

  // In units of what is allowed.
  double estimate(std::vector<double> const& once, std::vector<double> const& twice) const {
    double const halves = elementary::pow(2.0, order_) - 1;
    double largest = 0;
    for (std::size_t i = 0; i < once.size(); ++i) {
      if (!wiring_.output_is_continuous[i]) continue;
      double const allowed = *plan_.step_tolerance * (std::abs(twice[i]) + wiring_.nominals[i]);
      largest = std::max(largest, std::abs(once[i] - twice[i]) / halves / allowed);
    }
    return largest;
  }

  CosimPlan const& plan_;
  Progress const& progress_;
  CosimResult& result_;
  CosimWiring wiring_;
  CosimParticipants participants_;
  CosimStepper stepper_;
  CosimEvents events_;
  CosimRecorder recorder_;
  CosimSystem const& system_;
  int order_;
  CosimStepControl control_;
  std::optional<RealTimePacer> pacer_;
  std::size_t row_every_ = 1;
  double time_ = 0, h_ = 0, smallest_ = 0, largest_ = 0;
  double limit_ = std::numeric_limits<double>::infinity();  // s, after a discarded step
  int standstills_ = 0;
};

}  // namespace

CosimResult run_cosimulation(CosimSystem const& system, CosimPlan const& plan, Progress const& progress) {
  CosimResult result;
  run_cosimulation(system, plan, progress, result);
  return result;
}

void run_cosimulation(CosimSystem const& system, CosimPlan const& plan, Progress const& progress,
                      CosimResult& result) {
  run_cosimulation(system, plan, progress, {}, result);
}

void run_cosimulation(CosimSystem const& system, CosimPlan const& plan, Progress const& progress,
                      std::function<void()> const& accepted, CosimResult& result) {
  check_plan(plan);
  count_steps(plan.start, plan.stop, plan.step);
  double time = plan.start;
  try {
    Master master(system, plan, progress, result);
    try {
      master.run(accepted);
    } catch (CosimFailure const&) {
      time = master.time();
      master.report();
      throw;
    }
    master.report();
  } catch (CosimFailure const& failure) {
    result.refused = dynamic_cast<RefusedSetting const*>(&failure) != nullptr;
    result.failure = fmt::format("at {} s: {}", format_time(time), failure.what());
  }
}

}  // namespace delassus
