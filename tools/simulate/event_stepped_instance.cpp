#include "tools/simulate/event_stepped_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/import/delegating_instance.hpp"

namespace delassus {

EventUpdate iterate_events(EventModeFace& face, double time) {
  constexpr int most_updates = 1000;
  EventUpdate all{.again = true};
  for (int i = 0; all.again && !all.terminate; ++i) {
    if (i == most_updates) {
      throw InstanceError(Status::error,
                          fmt::format("the event at {} s does not end: {} updates of the discrete "
                                      "states asked for another one",
                                      format_time(time), most_updates));
    }
    EventUpdate const update = face.update_discrete_states();
    bool const nominals = all.nominals_changed || update.nominals_changed;
    bool const states = all.states_changed || update.states_changed;
    all = update;
    all.nominals_changed = nominals;
    all.states_changed = states;
  }
  if (!all.terminate && all.next_event_time && *all.next_event_time < time) {
    throw InstanceError(Status::error,
                        fmt::format("the next event is announced for {} s, before the present {} s",
                                    format_number(*all.next_event_time), format_number(time)));
  }
  return all;
}

namespace {

class EventSteppedInstance final : public DelegatingInstance {
 public:
  EventSteppedInstance(std::unique_ptr<SimulatedInstance> inner, EventObserver observer)
      : DelegatingInstance(std::move(inner)), observer_(std::move(observer)) {
    if (step_mode() == nullptr)
      throw InstanceError(Status::error, "the instance was not made with event mode");
  }

  void enter_initialization(RunSettings const& settings) override {
    time_ = settings.start;
    inner().enter_initialization(settings);
  }
  // With event mode the initialisation goes on in it (FMI 3.0, 4.2.1).
  void exit_initialization() override {
    inner().exit_initialization();
    handle_events();
  }

  StepOutcome do_step(double current, double size) override {
    constexpr int most_parts = 100'000;
    double const end = current + size;
    time_ = current;
    for (int part = 0; time_ < end; ++part) {
      if (part == most_parts) {
        throw InstanceError(Status::error,
                            fmt::format("a step of {} s from {} s did not end in {} parts",
                                        format_number(size), format_number(current), most_parts));
      }
      double const stop = std::min(end, next_event_);
      StepOutcome const outcome = inner().do_step(time_, stop - time_);
      if (outcome.terminated) return outcome;
      double const before = time_;
      time_ = outcome.early ? outcome.time : stop;
      if (time_ < before || (time_ == before && !outcome.event)) {
        throw InstanceError(Status::error, fmt::format("a step from {} s ended at {} s",
                                                       format_number(before), format_number(time_)));
      }
      if (outcome.event || time_ >= next_event_) {
        step_mode()->enter_event_mode();
        if (handle_events()) return {time_, true};
      }
    }
    return {end, false};
  }

  void restore_state(SavedState const& state) override {
    inner().restore_state(state);
    next_event_ = std::numeric_limits<double>::infinity();
  }

 private:
  // From event mode to step mode; true where the FMU ends the run.
  bool handle_events() {
    if (observer_) observer_(inner(), time_);
    EventUpdate const update = iterate_events(*step_mode(), time_);
    if (update.terminate) return true;
    next_event_ = update.next_event_time.value_or(std::numeric_limits<double>::infinity());
    if (next_event_ <= time_) next_event_ = std::numeric_limits<double>::infinity();
    step_mode()->enter_step_mode();
    return false;
  }

  EventObserver observer_;
  double time_ = 0, next_event_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::unique_ptr<SimulatedInstance> make_event_stepped_instance(std::unique_ptr<SimulatedInstance> instance,
                                                               EventObserver observer) {
  return std::make_unique<EventSteppedInstance>(std::move(instance), std::move(observer));
}

}  // namespace delassus
