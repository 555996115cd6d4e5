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

CLI::Option* add_number_option(CLI::App& command, std::string const& name, std::optional<double>& value,
                               std::string const& description);
CLI::Option* add_fmi_option(CLI::App& command, int& version, std::string const& description);
CLI::Option* add_backend_option(CLI::App& command, ImportBackend& backend);

}  // namespace delassus
