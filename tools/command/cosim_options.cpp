#include "tools/command/cosim_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/command/options.hpp"

namespace delassus {
namespace {

void add_coupling_options(CLI::App& command, CosimOptions& options) {
  command
      .add_option("--algorithm", options.algorithm,
                  "jacobi: all components step with what is known before; gauss-seidel: one after the other, "
                  "later ones know the end of the step of those before; implicit: steps are repeated until "
                  "inputs agree at the end. Default: the system's, gauss-seidel")
      ->check(CLI::IsMember({"jacobi", "gauss-seidel", "implicit"}));
  command
      .add_option("--extrapolation", options.extrapolation,
                  "degree of inputs over a step: 0 holds them, 1 and 2 lay polynomials through past outputs "
                  "(and, with gauss-seidel, the end of the step); default: the system's, 0")
      ->type_name("0|1|2")
      ->check(CLI::Range(0, 2));
  command
      .add_option("--order", options.order,
                  "all components in the order of their steps; default: from the dependencies")
      ->type_name("NAME")
      ->delimiter(',');
  command
      .add_option("--loops", options.loops,
                  "algebraic loops: solve repeats steps until values agree, delay lets an input be one step "
                  "old, refuse ends before the run and names the loop; default: solve")
      ->check(CLI::IsMember({"solve", "delay", "refuse"}));
  add_number_option(command, "--loop-tolerance", options.loop_tolerance,
                    "when values of a loop agree, relative to their magnitude and nominal; default: 1e-9");
  add_number_option(command, "--adaptive", options.adaptive,
                    "choose steps such that the estimated error of an output in a step stays below this, "
                    "relative to its magnitude and nominal; all FMUs must save states");
  add_number_option(command, "--smallest-step", options.smallest_step,
                    "of adaptive steps, s; default: a millionth of --step");
  add_number_option(command, "--largest-step", options.largest_step,
                    "of adaptive steps, s; default: a tenth of the run");
  command.add_flag("--event-mode", options.event_mode,
                   "FMI 3: use event mode and early return of all FMUs that have them; without: none "
                   "(a file connects no clocks)");
  command.add_flag("--no-rollback", options.no_rollback,
                   "save no states before steps: faster, and a discarded step ends the run");
}

void add_result_options(CLI::App& command, CosimOptions& options) {
  command.add_option("-o,--output", options.output, "CSV to write; - is standard output")->type_name("FILE");
  add_number_option(command, "--output-step", options.output_step,
                    "time between rows, s; default: every communication point");
  command
      .add_option("--record", options.recorded,
                  "columns: a component, an element or a variable, such as plant, plant.block or "
                  "plant.block.position; repeat it for more. Default: all inputs and outputs")
      ->type_name("NAME")
      ->allow_extra_args(false);
  CLI::Option* const plot =
      command.add_option("--plot", options.plot, "picture to write: .svg, .png or .pdf")->type_name("FILE");
  command
      .add_option("--show", options.shown, "what the plot shows; repeat it for more. Default: all columns")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->needs(plot);
  command.add_option("--reference", options.reference, "CSV to compare the results with")->type_name("FILE");
  add_number_option(
      command, "--reference-tolerance", options.reference_tolerance,
      "largest difference, as a share of the reference column's largest magnitude; default: 1e-6");
  command.add_flag("--json", options.json, "a summary as JSON to standard output");
  command.add_flag("--quiet", options.quiet, "no warnings, summary and progress");
}

}  // namespace

std::string name_of(CosimOptions const& options) {
  return fmt::format("{}", fmt::join(options.models, " + "));
}

void add_cosim_options(CLI::App& command, CosimOptions& options) {
  command
      .add_option("system", options.models,
                  ".ssp, .ssd or .xml, or the name of an example system. With --connect: the components of a "
                  "loop, scenes, controllers and FMUs, each as FILE or NAME=FILE")
      ->required();
  command
      .add_option(
          "--connect", options.connections,
          "COMPONENT.OUTPUT:COMPONENT.INPUT, a connection of components that are named here; an array "
          "by its name connects all its elements. Repeat it for more")
      ->type_name("FROM:TO")
      ->allow_extra_args(false);
  command
      .add_option(
          "--save", options.save,
          "with --connect: write the loop as a system structure (.ssd), for cosim, sweep, report and build")
      ->type_name("FILE");
  command.add_option("--variant", options.variant, "which .ssd of a package with several")->type_name("FILE");
  add_number_option(command, "--start", options.start, "start time, s; default: the system's");
  add_stop_option(command, options.until, "stop time, s; default: the system's");
  add_number_option(
      command, "--step", options.step,
      "communication step, s; default: the system's, else one that divides the sample times of all "
      "components and the steps of their default experiments");
  add_number_option(command, "--tolerance", options.tolerance,
                    "tolerance that is passed to the FMUs, and that of the integrator of components that run "
                    "in Model Exchange; default: none, 1e-6");
  add_integration_options(command, options.integration, "the communication step");
  command
      .add_option(
          "--set", options.settings,
          "component.name=value before the run; repeat it for more. Also parameters and inputs of the system")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_backend_option(command, options.backend);
  add_coupling_options(command, options);
  command
      .add_option("--isolate", options.isolated,
                  "run these components, or all, in child processes: one that crashes or hangs ends the run "
                  "with a message and the results so far")
      ->type_name("NAME")
      ->expected(0, -1);
  add_number_option(command, "--call-timeout", options.call_timeout,
                    "longest time of one call of an isolated component, s; default: 60");
  command
      .add_option("--real-time", options.pace,
                  "keep the pace of the clock, or so many times faster; late steps are counted")
      ->type_name("FACTOR")
      ->expected(0, 1);
  add_result_options(command, options);
}

}  // namespace delassus
