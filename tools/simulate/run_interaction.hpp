// What commands that run something share: Ctrl-C, warnings and progress on the terminal, the comparison with a
// reference.
#pragma once

#include <string>

#include "tools/import/signal_table.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {

inline constexpr double default_reference_tolerance = 1e-6;

// The first Ctrl-C ends the run between two steps, so that results are kept; a second one ends the program at
// once.
void listen_for_interruption();

// Warnings to standard error, a few of them.
InstanceLog make_log(bool quiet);

// Percent on a terminal; false after Ctrl-C.
Progress make_progress(bool quiet);

// Tells about every column that differs.
ExitCode judge_against_reference(TimeTable const& results, SignalTable const& signals,
                                 std::string const& reference_file, double tolerance, bool quiet);

}  // namespace delassus
