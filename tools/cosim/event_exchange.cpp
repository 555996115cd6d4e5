#include "tools/cosim/event_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"

namespace delassus {
namespace {

constexpr int most_rounds = 1000;
constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

CosimEvents::CosimEvents(CosimWiring const& wiring, CosimParticipants& participants)
    : wiring_(wiring),
      participants_(participants),
      given_(wiring.wires.size(), std::numeric_limits<double>::quiet_NaN()),
      announced_(participants.size(), never),
      ticked_(wiring.clocks.size()),
      next_(never) {
  for (std::size_t i = 0; i < participants.size(); ++i) {
    if (participants[i]->handles_events()) handlers_.push_back(i);
  }
}

bool CosimEvents::due(CosimHistory const& history) const {
  if (history.time() >= next_) return true;
  for (auto const component : handlers_) {
    for (auto const& wire : participants_[component]->wires()) {
      if (!wire.continuous && wire.convert(history.now()[wire.output]) != given_[wire.input]) return true;
    }
  }
  return false;
}

void CosimEvents::read(CosimHistory& history) {
  for (auto const component : handlers_) participants_[component]->read_outputs(history.now());
}

// True where a component got a new value.
bool CosimEvents::hand_on(CosimHistory& history) {
  bool changed = false;
  read(history);
  for (std::size_t i = 0; i < wiring_.clocks.size(); ++i) {
    auto const& wire = wiring_.clocks[i];
    CosimParticipant &from = *participants_[wire.from], &to = *participants_[wire.to];
    if (ticked_[i] || !from.handles_events() || !to.handles_events()) continue;
    if (!from.guard([&] { return from.instance().get_clock(wire.from_signal); })) continue;
    to.guard([&] { to.instance().set_clock(wire.to_signal, true); });
    ticked_[i] = changed = true;
  }
  for (auto const component : handlers_) {
    bool new_inputs = false;
    for (auto const& wire : participants_[component]->wires()) {
      double const value = wire.convert(history.now()[wire.output]);
      new_inputs |= value != given_[wire.input];
      given_[wire.input] = value;
    }
    if (!new_inputs) continue;
    participants_[component]->write_inputs(given_, true);
    changed = true;
  }
  return changed;
}

std::string CosimEvents::handle(CosimHistory& history, bool after_initialisation) {
  if (!after_initialisation) {
    for (auto const component : handlers_) {
      CosimParticipant& participant = *participants_[component];
      participant.guard([&] { participant.step_mode().enter_event_mode(); });
    }
  }
  // Continuous inputs were set by steps since, to other values than those of this instant.
  for (auto const component : handlers_) {
    for (auto const& wire : participants_[component]->wires()) {
      if (wire.continuous) given_[wire.input] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  ticked_.assign(ticked_.size(), false);
  std::string terminated;
  int round = 0;
  for (bool again = true; again && terminated.empty(); ++round) {
    if (round == most_rounds) {
      throw CosimFailure(Status::error, fmt::format("the event at {} s does not end: something still changes "
                                                    "after {} updates of the discrete states",
                                                    format_time(history.time()), most_rounds));
    }
    for (int pass = 0; hand_on(history) && pass < most_rounds; ++pass) {
    }
    again = false;
    for (auto const component : handlers_) {
      CosimParticipant& participant = *participants_[component];
      EventUpdate const update =
          participant.guard([&] { return participant.step_mode().update_discrete_states(); });
      again |= update.again;
      if (update.terminate && terminated.empty()) terminated = participant.name();
      announced_[component] = update.next_event_time.value_or(never);
      if (announced_[component] < history.time()) {
        throw CosimFailure(Status::error,
                           fmt::format("{}: the next event is announced for {} s, before the present {} s",
                                       participant.name(), format_number(announced_[component]),
                                       format_number(history.time())));
      }
      if (announced_[component] <= history.time()) announced_[component] = never;
    }
    // A new superdense instant: clocks may tick again, and what was updated goes on.
    ticked_.assign(ticked_.size(), false);
    again |= hand_on(history);
  }
  for (auto const component : handlers_) {
    CosimParticipant& participant = *participants_[component];
    participant.guard([&] { participant.step_mode().enter_step_mode(); });
  }
  read(history);
  history.restart(history.time());
  next_ = never;
  for (auto const component : handlers_) next_ = std::min(next_, announced_[component]);
  return terminated;
}

}  // namespace delassus
