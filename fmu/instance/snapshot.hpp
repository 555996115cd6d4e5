// The complete state of an instance of a scene. A run continues from a restored snapshot to the same bits.
// Its serialised form has a version, the hash of the model and a checksum, so that a foreign, truncated or
// damaged one is refused.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fmu/instance/repeated_messages.hpp"
#include "fmu/instance/slave_state.hpp"
#include "fmu/table/setting_values.hpp"
#include "fmu/table/variable_table.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {

// Indexed by EventValue: numbers, as getters read them.
using EventValues = std::array<double, event_values>;

struct Snapshot final : SlaveState {
  std::vector<double> inputs_seen;  // without feedthrough: the inputs that outputs depend on
  EventValues events{0, 0, 0, static_cast<double>(ContactEvent::none)};
  bool clock_ticks = false;
  // Discrete outputs as of the last event mode; empty: not held.
  std::vector<double> held_outputs;
  EventValues held_events{};
  SettingValues settings{};
  bool tolerance_was_set = false;  // by the user: the importer's tolerance then does not override it
  // Before and during initialisation: whether the motion below was computed from the present parameters.
  bool motion_current = false;
  StepperState stepper;
  // What was told until then, so that a rollback tells again what follows. It is not serialised.
  RepeatedMessages told;

  std::string bytes() const override;
};

std::string serialise(Snapshot const& snapshot);
Snapshot deserialise(std::string_view bytes);  // throws std::runtime_error with the reason

}  // namespace delassus
