// Options that more than one command has. Numbers do not depend on the locale; whoever writes a comma is told so.
#pragma once

#include <optional>
#include <string>

#include "tools/import/backend.hpp"

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
CLI::Option* add_number_option(CLI::App& command, std::string const& name, std::optional<double>& value,
                               std::string const& description);
CLI::Option* add_fmi_option(CLI::App& command, int& version, std::string const& description);
CLI::Option* add_backend_option(CLI::App& command, ImportBackend& backend);

}  // namespace delassus
