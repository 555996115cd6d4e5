// `delassus simulate`. It adds itself to the program and runs while the program parses its arguments; it throws where it cannot do
// its work.
#pragma once

#include "tools/support/exit_code.hpp"

namespace CLI {
class App;
}

namespace delassus {

void add_simulate_command(CLI::App& program, ExitCode& exit_code);

}  // namespace delassus
