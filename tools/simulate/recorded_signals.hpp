// What a run records: `all`, `inputs`, `outputs`, `locals`, `parameters`, a name, what begins with it (`rod`), or a pattern
// (`rod.*`, `*.force*`).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/import/signal_table.hpp"

namespace delassus {

// In the order asked for, each once. Throws UnknownSignal with a suggestion, and CommandError for what has no number.
std::vector<std::size_t> find_recorded(SignalTable const& signals, std::span<const std::string> asked);

// Without a wish: inputs and outputs; of a model without outputs its locals, too, and without locals its parameters.
struct DefaultRecord {
  std::vector<std::size_t> signals;
  std::string note;  // where these are not inputs and outputs, says so
};
DefaultRecord default_record(SignalTable const& signals);

}  // namespace delassus
