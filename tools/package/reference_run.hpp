// The default experiment of a scene or controller, run without an FMU: what an FMU carries as reference inputs and results.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "fmu/content/model.hpp"
#include "tools/simulate/simulation.hpp"

namespace delassus {

struct ReferenceRun {
  SimulationPlan plan;
  SimulationResult
      result;  // no more than most_reference_rows, evenly thinned, the first and the last among them
  std::vector<Signal> signals;  // of the columns of `result`
  TimeTable inputs;             // the columns of `result` that an importer sets
};

// A file of this size is read in a moment, and no picture shows more.
inline constexpr std::size_t most_reference_rows = 501;
inline constexpr std::size_t most_reference_values = 200'000;  // in the whole table

// How long the run may take, and who is told how far it is.
struct ReferenceWatch {
  double limit = 60;  // s of processor time
  // Called several times a second: the time that the run has reached, s, and the processor time that it took, s.
  std::function<void(SimulationPlan const& plan, double reached, double taken)> progress = {};
  // Called where the limit was reached: why there are no results.
  std::function<void(std::string const& reason)> give_up = {};
};

// Runs in a child process, so that a run that never ends can be given up; nothing where it was. Throws CommandError
// where the run fails (an FMU whose own experiment fails should not be packed unnoticed), and where a signal
// interrupts it.
std::optional<ReferenceRun> make_reference_run(Model const& model, ReferenceWatch const& watch = {});

// extra/org.fmi-standard.fmi-ls-ref: the manifest of the layered standard FMI-LS-REF (1.0.0-alpha.1), the results,
// and the inputs where there are any, by their names in the archive. `delassus simulate --reference` and
// `--input` read both. `source_file` is in documentation/, empty: there is none.
std::map<std::string, std::string> reference_files(ReferenceRun const& run, std::string const& model_name,
                                                   std::string const& source_file);

}  // namespace delassus
