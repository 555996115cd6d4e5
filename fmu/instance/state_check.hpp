// What every saved state must satisfy that was read from bytes, which anybody may have written: it is one that an
// instance of this model could have. A state that is not is refused before anything of it is taken over.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fmu/instance/slave_state.hpp"
#include "model/scene/parameter.hpp"

namespace delassus {

// All throw SlaveError with the reason.
[[noreturn]] void refuse_state(std::string const& reason);
void demand_in_state(bool holds, char const* reason);
// A number of elements.
void check_size(char const* what, std::size_t size, std::size_t wanted);
// The common part: its phase, times, and the values that the importer has set.
void check_state(SlaveState const& state, std::vector<Parameter> const& parameters, std::size_t inputs);

// Whether initialisation has ended in this phase.
constexpr bool has_run(Phase phase) {
  return phase != Phase::instantiated && phase != Phase::initialization;
}

}  // namespace delassus
