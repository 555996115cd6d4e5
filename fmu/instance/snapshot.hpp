// Everything that the future of a scene depends on. Restoring a snapshot continues to the same bits; its
// serialised form carries a version, the model's hash and a checksum, so that a foreign, cut or damaged one
// is refused.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fmu/instance/slave_state.hpp"
#include "fmu/table/setting_values.hpp"
#include "fmu/table/variable_table.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {

// By EventValue. An array of numbers, as getters read them.
using EventValues = std::array<double, event_values>;

struct Snapshot final : SlaveState {
  std::vector<double> inputs_seen;  // without feedthrough: those that outputs follow
  EventValues events{0, 0, 0, static_cast<double>(ContactEvent::none)};
  bool clock_ticks = false;
  // Discrete outputs as a host last saw them change in event mode; empty: not held.
  std::vector<double> held_outputs;
  EventValues held_events{};
  SettingValues settings{};
  bool tolerance_was_set = false;  // by the user: the host's then does not overrule it
  bool motion_current =
      false;  // whether the motion below is that of the parameters (before and during initialisation)
  StepperState stepper;

  std::string bytes() const override;
};

std::string serialise(Snapshot const& snapshot);
Snapshot deserialise(std::string_view bytes);  // throws std::runtime_error that says what is wrong

}  // namespace delassus
