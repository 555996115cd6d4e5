// How commands that run Model Exchange let a user choose the integrator: the same words in all of them.
#pragma once

#include <optional>
#include <string>

#include "tools/simulate/integrated_instance.hpp"

namespace CLI {
class App;
}

namespace delassus {

struct IntegrationOptions {
  std::string solver;
  std::optional<double> absolute_tolerance, step;

  // The first of them that is given; empty: none.
  std::string given() const;
};

// `step`: what euler takes without --solver-step, for the help.
void add_integration_options(CLI::App& command, IntegrationOptions& options, std::string const& step);

// Throws CommandError where they do not fit together.
IntegrationSettings integration_settings(IntegrationOptions const& options);

// Throws CommandError where a run from `start` to `stop` with `tolerance` of its own would take for ever.
void demand_end(IntegrationOptions const& options, double start, double stop,
                std::optional<double> tolerance);

}  // namespace delassus
