// A plan for a system, from what the system says itself, and values for its components as a user writes them.
#pragma once

#include <span>
#include <string_view>

#include "tools/cosim/coupled_system.hpp"
#include "tools/cosim/run_plan.hpp"

namespace delassus {

// Times, step and algorithm of the structure; what it leaves out comes from its components: the latest stop of their
// default experiments, and a step that divides their sample times (communication_step.hpp). All inputs and outputs are recorded. Throws CommandError for words that mean
// nothing, and where neither the system nor `stop` says when to stop.
CosimPlan default_plan(CosimSystem const& system, std::optional<double> start = std::nullopt,
                       std::optional<double> stop = std::nullopt, std::optional<double> step = std::nullopt);

CosimAlgorithm parse_algorithm(std::string_view word);  // jacobi, gauss-seidel, implicit; throws CommandError
std::string_view algorithm_name(CosimAlgorithm algorithm);

// Index of a component by its name; throws CommandError.
std::size_t find_component(CosimSystem const& system, std::string_view name);

// `plant.block.mass=2`, or a parameter or input of the system itself. Component and value. Throws CommandError and
// UnknownSignal.
std::vector<std::pair<std::size_t, SignalValue>> parse_system_assignment(CosimSystem const& system,
                                                                         std::string_view text);

// What the components say but hardly mean, each source once; and what assignments, which were parsed, hardly mean.
std::vector<std::string> notes_on_components(CosimSystem const& system);
std::vector<std::string> notes_on_system_settings(CosimSystem const& system,
                                                  std::span<const std::string> settings);

}  // namespace delassus
