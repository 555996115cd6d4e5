#include "tools/check/check_rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace delassus {
namespace {

constexpr auto error = Severity::error;
constexpr auto warning = Severity::warning;
constexpr auto note = Severity::note;

constexpr Rule rules[] = {
    {"model-readable", error,
     "a scene or controller follows the language, with values that fit to each other"},
    {"model-doubt", warning,
     "nothing in a scene or controller is hardly what was meant: degrees as radians, bodies without contact"},
    {"model-runs", error,
     "the start state of a scene or controller exists, and its default experiment runs, in "
     "no more than 1e8 steps"},
    {"model-warns", warning, "the run warns of nothing"},
    {"model-whole", note, "the default experiment ends within ten seconds of processor time"},
    {"model-redundant", note, "joints do not hold a motion twice, so that their forces are unique"},
    {"input-unconnected", note,
     "inputs of the components of a system get a value: by a connection or a parameter"},
    {"system-step", warning, "the communication step of a system divides the sample times of its components"},

    {"archive-readable", error, "the file is a zip archive"},
    {"archive-entry", error, "every entry can be read, with its size and checksum"},
    {"archive-entries", error, "there are no more than 20,000 entries"},
    {"archive-name", error,
     "names are relative, in UTF-8, with / between folders, without `..` and control characters"},
    {"archive-depth", error, "no more than 32 folders are inside of each other"},
    {"archive-duplicate", error,
     "no two entries have one name, also where upper and lower case are the same, and no file is a folder"},
    {"archive-repeated", note, "no entry stands in the archive again with the same bytes"},
    {"archive-link", error, "entries are files and folders, not links or devices"},
    {"archive-encryption", error, "nothing is encrypted"},
    {"archive-compression", error, "entries are stored or deflated"},
    {"archive-size", error, "no entry and not all together are larger than 1 GiB"},
    {"archive-ratio", error,
     "no entry of more than 16 MiB was packed by more than 300 to one, and no archive of more than 128 MiB "
     "by more than 50 to one"},
    {"archive-overlap", error, "entries do not share their bytes"},
    {"archive-description", error, "modelDescription.xml is at the root"},
    {"description-readable", error, "it is well-formed XML, without DOCTYPE and entities, and within bounds"},
    {"archive-binaries", error, "there is a binary or source code for every interface type"},
    {"archive-place", warning, "files are where the standard puts them"},
    {"token-shared", warning,
     "FMUs that are checked together have different tokens: importers cache by them"},

    {"binary-platform", warning, "there is a binary for this machine, without which the FMU is not run"},
    {"binary-format", error, "a binary is a shared library for the machine that its folder names"},
    {"binary-dependencies", warning, "a Linux binary needs no libraries but those of the C runtime"},
    {"binary-symbols", note, "a Linux binary exports the functions of FMI and nothing else"},
    {"binary-loads", error, "the binary can be loaded"},
    {"binary-exports", error, "it exports all functions of the interface types that are offered"},
    {"binary-exports-all", error, "FMI 3: it exports the functions of the other interface types, too"},
    {"binary-version", error, "it says the right version and types platform"},

    {"token-checked", error, "another token is refused"},
    {"resource-path", error,
     "resources are found in a folder with a blank and an umlaut; a folder that is not there is no reason to "
     "crash"},
    {"logger-optional", error, "FMI 3: an instance can be made and run without a logger"},
    {"log-quiet", warning, "nothing is logged but warnings and errors while logging is off"},
    {"log-category-used", warning, "messages are of categories that the description lists"},
    {"run-succeeds", error, "the default experiment runs with the start values"},
    {"instance-lifecycle", error,
     "an instance can be freed in every state, and runs with logging on as it does without"},
    {"run-survives", error, "no crash, and no exit of the host"},
    {"run-ends", error, "every call comes back"},
    {"run-signals", error, "the FMU sends no signal to the process that runs it"},
    {"run-processes", warning, "no process that the FMU started outlives it"},
    {"run-prints", warning, "nothing is written to standard output and standard error"},
    {"environment-kept", error,
     "working directory, locale, signal handlers, floating-point control and file mode mask stay as they "
     "were"},
    {"threads-ended", warning, "no thread is left behind when the last instance is freed"},
    {"callback-after-free", error, "no callback is called after its instance was freed"},
    {"memory-refused", warning,
     "FMI 2: without memory from allocateMemory an instance is refused, without a crash"},
    {"memory-balance", error, "FMI 2: allocateMemory and freeMemory balance"},

    {"start-value-kept", error, "parameters and inputs have their start values after the initialisation"},
    {"set-get", error, "variables of all types take the values that are set and give them back"},
    {"time-value", error,
     "the independent variable is the communication point; in FMI 3 it may be the lastSuccessfulTime of the "
     "step"},
    {"value-finite", error, "values are finite"},
    {"value-item", error, "values of an enumeration are among its items"},
    {"value-range", error, "values are within min and max"},
    {"reset-reproduces", error, "a run after a reset is the first run to the bit"},
    {"rollback-exact", error, "a run from a restored state is the run that was saved, to the bit"},
    {"serialisation-exact", error, "the same through bytes"},
    {"state-validated", warning, "a serialised state that was cut is refused"},
    {"instances-independent", error, "two instances, also in two threads, give what one gives"},

    {"variable-step", error, "steps of different and small sizes are made where that is declared"},
    {"step-time", error, "a step ends at its end, or early where that is allowed, and says so"},
    {"event-mode", error, "FMI 3: with event mode the default experiment runs, events included"},
    {"clock-access", error, "FMI 3: clocks can be read in event mode"},
    {"intermediate-update", error,
     "FMI 3: the callback comes in every step, at times within it, and a request to return early is kept"},
    {"output-derivative", error, "derivatives of outputs can be read and are those of the trajectory"},
    {"input-derivative", error, "FMI 2: derivatives of inputs are taken"},
    {"derivative-exact", error, "directional derivatives are those of differences"},
    {"adjoint-exact", error, "FMI 3: adjoint derivatives are the transposed directional ones"},
    {"dependencies-true", error, "an unknown depends on no input or state that its dependencies leave out"},

    {"state-count", error,
     "Model Exchange: there are as many states and event indicators as the description has"},
    {"state-access", error,
     "Model Exchange: states that are set are got back, and states and derivatives are those of their "
     "variables"},
    {"state-nominal", error, "Model Exchange: nominals of states are positive"},
    {"state-function", error,
     "Model Exchange: derivatives depend on time, states and inputs, not on calls before"},
    {"indicator-nonzero", error, "Model Exchange: when an event is over, no event indicator is 0"},
    {"indicator-noise", error,
     "Model Exchange: between events no event indicator is noise about 0, and no event is followed by the "
     "next one at "
     "once, again and again"},
    {"indicator-continuous", note,
     "Model Exchange: between events indicators are continuous functions of states and time"},

    {"reference-readable", error, "reference results in the FMU can be read and are of its variables"},
    {"reference-results", error, "the results are those of the reference"},
};

}  // namespace

std::span<const Rule> check_rules() {
  return rules;
}

Rule const& check_rule(std::string_view name) {
  auto const found = std::ranges::find(rules, name, &Rule::name);
  if (found == std::end(rules)) throw std::logic_error("no rule is named " + std::string{name});
  return *found;
}

}  // namespace delassus
