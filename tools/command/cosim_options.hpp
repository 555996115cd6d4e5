// What `delassus cosim` is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/command/integration_options.hpp"
#include "tools/import/backend.hpp"

namespace CLI {
class App;
}

namespace delassus {

struct CosimOptions {
  std::vector<std::string> models;  // one system, or the components of a loop
  std::vector<std::string> connections;
  std::string variant, save;
  ImportBackend backend = ImportBackend::own;
  IntegrationOptions integration;
  std::optional<double> start, until, step, output_step, tolerance, reference_tolerance;
  std::optional<double> adaptive, smallest_step, largest_step, loop_tolerance, call_timeout;
  std::string algorithm, loops;
  std::optional<int> extrapolation;
  std::vector<std::string> order, settings, recorded, shown, isolated;
  bool isolate = false, paced = false, event_mode = false, no_rollback = false, quiet = false, json = false;
  std::string output, plot, reference, pace;
};

// The system, or the components of a loop, for messages.
std::string name_of(CosimOptions const& options);

// Declares them.
void add_cosim_options(CLI::App& command, CosimOptions& options);

}  // namespace delassus
