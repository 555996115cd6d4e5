// What an isolated instance and its child process say to each other: a message of requests, then an answer to the last of
// them. Those before it have none: a master's step is one message that takes inputs, makes the step and gives outputs.
#pragma once

#include <cstdint>
#include <optional>

#include "tools/import/isolated_channel.hpp"
#include "tools/import/isolated_instance.hpp"
#include "tools/support/byte_message.hpp"

namespace delassus {

enum class IsolatedCall : std::uint8_t {
  instantiate,
  enter_initialization,
  exit_initialization,
  do_step,
  terminate,
  reset,
  set,
  get,
  get_text,
  get_binary,
  set_binary,
  get_clock,
  set_clock,
  clock_interval,
  make_port,
  read_port,
  write_port,
  directional_derivative,
  output_derivatives,
  set_input_derivatives,
  save_state,
  restore_state,
  serialize,
  deserialize,
  enter_event_mode,
  update_discrete_states,
  enter_step_mode,
  free,
};

// For messages: "in a step".
char const* isolated_call_name(IsolatedCall call);

// What an answer has, member by member: its bytes may be anything, and not every byte is a bool or an enumerator.
void add(MessageWriter& message, StepOutcome const& outcome);
void add(MessageWriter& message, EventUpdate const& update);
void add(MessageWriter& message, ClockInterval const& interval);
// Throw MessageError.
Status take_status(MessageReader& message);
StepOutcome take_step_outcome(MessageReader& message);
EventUpdate take_event_update(MessageReader& message);
ClockInterval take_clock_interval(MessageReader& message);

// The child's side: answers requests until it is told to end.
void serve_isolated(SharedChannel& channel, InstanceMaker const& make, InstanceRequest request);

}  // namespace delassus
