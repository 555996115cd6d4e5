// What commands that run something share: words about an interruption, warnings and progress on the terminal, the comparison with a
// reference.
#pragma once

#include <string>

#include "tools/import/signal_table.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {

inline constexpr double default_reference_tolerance = 1e-6;

// `my_rod.xml was interrupted at 0.31 s; the rows until then are in out.csv`. `kept` is the last part, empty where
// there is nothing to say.
std::string interruption_text(std::string const& model, TimeTable const& table, std::string const& kept);

// Warnings to standard error, a few of them.
InstanceLog make_log(bool quiet);

// Percent on a terminal; false after Ctrl-C and other signals that end the program.
Progress make_progress(bool quiet);

// Tells about every column that differs.
ExitCode judge_against_reference(TimeTable const& results, SignalTable const& signals,
                                 std::string const& reference_file, double tolerance, bool quiet);

}  // namespace delassus
