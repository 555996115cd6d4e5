// The commands of the program, one file each. A command adds itself to the program, and runs while the
// program parses its arguments; it throws where it cannot do its work.
#pragma once

#include <optional>
#include <string>

#include "tools/import/backend.hpp"
#include "tools/support/exit_code.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace delassus {

void add_build_command(CLI::App& program, ExitCode& exit_code);
void add_describe_command(CLI::App& program, ExitCode& exit_code);
void add_check_command(CLI::App& program, ExitCode& exit_code);
void add_simulate_command(CLI::App& program, ExitCode& exit_code);
void add_cosim_command(CLI::App& program, ExitCode& exit_code);
void add_solve_command(CLI::App& program, ExitCode& exit_code);
void add_analyse_command(CLI::App& program, ExitCode& exit_code);
void add_reproduce_command(CLI::App& program, ExitCode& exit_code);
void add_report_command(CLI::App& program, ExitCode& exit_code);
void add_sweep_command(CLI::App& program, ExitCode& exit_code);
void add_examples_command(CLI::App& program, ExitCode& exit_code);

// Options that more than one command has. Numbers do not depend on the locale; whoever writes a comma is told
// so.
CLI::Option* add_number_option(CLI::App& command, std::string const& name, std::optional<double>& value,
                               std::string const& description);
CLI::Option* add_fmi_option(CLI::App& command, int& version, std::string const& description);
CLI::Option* add_backend_option(CLI::App& command, ImportBackend& backend);

}  // namespace delassus
