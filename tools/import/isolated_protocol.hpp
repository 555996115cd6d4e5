// What an isolated instance and its child process say to each other: a request, then an answer to it.
#pragma once

#include <cstdint>
#include <vector>

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

// Both ends of the channel. False at its end.
bool send_message(int descriptor, std::span<const char> bytes);
bool receive_message(int descriptor, std::vector<char>& bytes);

// The child's side: answers requests until it is told to end.
void serve_isolated(int descriptor, InstanceMaker const& make, InstanceRequest request);

}  // namespace delassus
