// Options that more than one command has. Numbers do not depend on the locale; a comma is refused with a message.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/import/backend.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace delassus {

CLI::Option* add_number_option(CLI::App& command, std::string const& name, std::optional<double>& value,
                               std::string const& description);
CLI::Option* add_fmi_option(CLI::App& command, int& version, std::string const& description);
CLI::Option* add_backend_option(CLI::App& command, ImportBackend& backend);
// --stop or --until: the same in every command.
CLI::Option* add_stop_option(CLI::App& command, std::optional<double>& value, std::string const& description);

// Throws CommandError, before the run, where a file to be written is one that is read, or where two outputs go to one
// place. Empty names are none, and `-` is standard output.
void keep_inputs(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);

// What running a model reads, for keep_inputs: of a system all its files. What is wrong with it is said elsewhere.
std::vector<std::string> files_of_model(std::string const& model, std::string const& variant = "");

// These throw CommandError, before the run, where the ending of a file to be written belongs to another format than it
// gets. Standard output, devices and pipes are anything; so are names without an ending that is known here.
void demand_page(std::string const& report);
// CSV. `instead`: how the command writes what was perhaps meant.
void demand_table(std::string const& output, std::string const& instead = "");
// Of `analyse` without --map: text or JSON.
void demand_analysis(std::string const& output, bool json);
// Where other programs go by the ending: nothing but this one.
void demand_ending(std::string const& output, char const* ending, std::string const& written_as,
                   std::string const& instead = "");

}  // namespace delassus
