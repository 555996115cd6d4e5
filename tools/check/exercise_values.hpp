// Judging what an FMU's variables were during a run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/import/signal_table.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

using Values = std::vector<double>;      // of the signals that were read
using Trajectory = std::vector<Values>;  // one entry for each communication point

// Parameters have their start values after an initialisation in which they were not set.
std::vector<Finding> judge_start_values(SignalTable const& signals, std::span<const std::size_t> read,
                                        Values const& initial);

// Values are finite, within their declared range, and an enumeration's are among its items.
std::vector<Finding> judge_trajectory(SignalTable const& signals, std::span<const std::size_t> read,
                                      Trajectory const& trajectory);

// The independent variable is the communication point, or what the FMU said of a step to have reached (FMI 3.0, 4.2.1: it
// may be another time, as a fixed-step integrator cannot always reach the end; FMI 2.0, 4.2.2: it must reach it. NaN there).
std::vector<Finding> judge_time(SignalTable const& signals, std::span<const std::size_t> read,
                                Trajectory const& trajectory, std::span<const double> times,
                                std::span<const double> own_times);

// Where two trajectories from communication point `first` on are not the same to the bit; nothing where they
// are.
std::optional<std::string> first_difference(SignalTable const& signals, std::span<const std::size_t> read,
                                            Trajectory const& expected, Trajectory const& repeated,
                                            std::size_t first);

}  // namespace delassus
