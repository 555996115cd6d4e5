// Inputs that nothing drives, mostly a connection that was forgotten, and values for those that something drives.
#pragma once

#include <string>
#include <vector>

#include "tools/cosim/coupled_system.hpp"

namespace delassus {

// The inputs of a component, arrays by their names, of which no element is connected, an input of the system, or given
// a value by the structure or `settings` (component, value). What our controllers only add to a profile or an output is
// left out. Each as `drive (0 N)`, with its start
// value; `drive` where it has none.
std::vector<std::string> unconnected_inputs(
    CosimSystem const& system, std::size_t component,
    std::vector<std::pair<std::size_t, SignalValue>> const& settings = {});

// A sentence on those of all components; empty where there are none.
std::string unconnected_inputs_note(CosimSystem const& system,
                                    std::vector<std::pair<std::size_t, SignalValue>> const& settings);

// What drives an input, as `plant.block.position[1]`; empty where it is not connected.
std::string source_of_input(CosimSystem const& system, std::size_t component, std::size_t signal);

// A sentence for each of these values (component, value) that its connection replaces.
std::vector<std::string> settings_in_vain(CosimSystem const& system,
                                          std::vector<std::pair<std::size_t, SignalValue>> const& settings);

}  // namespace delassus
