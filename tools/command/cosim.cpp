#include "tools/command/cosim.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "model/language/element_reader.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/command/options.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/cosim/master.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/plot/picture_file.hpp"
#include "tools/plot/result_plot.hpp"
#include "tools/plot/signal_plot.hpp"
#include "tools/simulate/run_interaction.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/json.hpp"
#include "tools/support/share_folder.hpp"

namespace delassus {
namespace {

struct CosimOptions {
  std::string system, variant;
  ImportBackend backend = ImportBackend::own;
  std::optional<double> start, until, step, output_step, tolerance, reference_tolerance;
  std::optional<double> adaptive, smallest_step, largest_step, loop_tolerance, call_timeout;
  std::string algorithm, loops;
  std::optional<int> extrapolation;
  std::vector<std::string> order, settings, recorded, shown, isolated;
  bool isolate = false, paced = false, event_mode = false, no_rollback = false, quiet = false, json = false;
  std::string output, plot, reference, pace;
};

LoopTreatment parse_loops(std::string const& word) {
  return word == "delay"    ? LoopTreatment::delay
         : word == "refuse" ? LoopTreatment::refuse
                            : LoopTreatment::solve;
}

CosimPlan make_plan(CosimOptions const& options, CosimSystem const& system) {
  CosimPlan plan = default_plan(system, options.start, options.until, options.step);
  plan.output_step = options.output_step;
  if (!options.algorithm.empty()) plan.algorithm = parse_algorithm(options.algorithm);
  if (options.extrapolation) plan.extrapolation = *options.extrapolation;
  if (!options.loops.empty()) plan.loops = parse_loops(options.loops);
  if (options.loop_tolerance) plan.loop_tolerance = *options.loop_tolerance;
  if (options.adaptive) plan.step_tolerance = options.adaptive;
  if (options.smallest_step) plan.smallest_step = options.smallest_step;
  if (options.largest_step) plan.largest_step = options.largest_step;
  if (options.paced) {
    plan.pace = options.pace.empty() ? std::optional<double>(1) : parse_number(options.pace);
    if (!plan.pace)
      throw CommandError(ExitCode::usage,
                         fmt::format("--real-time is '{}'; it must be a number > 0", options.pace));
  }
  plan.tolerance = options.tolerance;
  plan.event_mode = options.event_mode;
  plan.keeps_checkpoints = !options.no_rollback;
  if (options.call_timeout) plan.call_timeout = *options.call_timeout;
  if (!(plan.call_timeout > 0))
    throw CommandError(ExitCode::usage, fmt::format("--call-timeout is {} s; it must be > 0",
                                                    format_number(plan.call_timeout)));
  for (auto const& name : options.order) plan.order.push_back(find_component(system, name));
  if (!plan.order.empty()) {
    auto sorted = plan.order;
    std::ranges::sort(sorted);
    std::vector<std::size_t> all(system.components.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (sorted != all)
      throw CommandError(ExitCode::usage,
                         fmt::format("--order has {} names; it must name each of the {} components once",
                                     plan.order.size(), system.components.size()));
  }
  if (options.isolate) {
    bool const all = std::ranges::all_of(options.isolated, &std::string::empty);
    plan.isolated.assign(system.components.size(), all);
    for (auto const& name : options.isolated) {
      if (!name.empty()) plan.isolated[find_component(system, name)] = true;
    }
  }
  for (auto const& text : options.settings) {
    for (auto& value : parse_system_assignment(system, text)) plan.settings.push_back(std::move(value));
  }
  if (!options.recorded.empty()) plan.recorded = choose_columns(system, options.recorded);
  plan.log = make_log(options.quiet);
  return plan;
}

std::string summary_text(CosimOptions const& options, CosimPlan const& plan, CosimResult const& result) {
  auto const& counts = result.counts;
  std::string text = fmt::format("{}: {} steps to {} s, {}", options.system, counts.steps,
                                 format_time(result.table.time.back()), algorithm_name(plan.algorithm));
  if (plan.extrapolation > 0) text += fmt::format(" with inputs of degree {}", plan.extrapolation);
  if (plan.step_tolerance)
    text += fmt::format(", steps of {:.3g} s to {:.3g} s, {} rejected", counts.smallest_step,
                        counts.largest_step, counts.rejected);
  if (counts.events > 0) text += fmt::format(", {} events", counts.events);
  if (counts.discarded > 0) text += fmt::format(", {} discarded and tried again", counts.discarded);
  if (counts.loop_sweeps > 0) text += fmt::format(", {} repetitions for loops", counts.loop_sweeps);
  if (plan.pace)
    text += result.overruns == 0 ? std::string(", in real time")
                                 : fmt::format(", {} of them late, by at most {:.3g} s", result.overruns,
                                               result.largest_lateness);
  if (result.failure) text += ", results until then are kept";
  if (result.terminated_by) text += fmt::format(", where {} asked to end", *result.terminated_by);
  return text + "\n";
}

std::string summary_json(CosimOptions const& options, CosimPlan const& plan, CosimResult const& result) {
  auto const& counts = result.counts;
  return write_json({{"system", options.system},
                     {"algorithm", algorithm_name(plan.algorithm)},
                     {"extrapolation", plan.extrapolation},
                     {"order", result.order},
                     {"start", plan.start},
                     {"end", result.table.rows() == 0 ? plan.start : result.table.time.back()},
                     {"steps", counts.steps},
                     {"rejected", counts.rejected},
                     {"discarded", counts.discarded},
                     {"early_returns", counts.early_returns},
                     {"events", counts.events},
                     {"loop_repetitions", counts.loop_sweeps},
                     {"smallest_step", counts.smallest_step},
                     {"largest_step", counts.largest_step},
                     {"rows", result.table.rows()},
                     {"overruns", result.overruns},
                     {"largest_lateness", result.largest_lateness},
                     {"notes", result.notes},
                     {"terminated_by", json_or_null(result.terminated_by)},
                     {"failure", json_or_null(result.failure)}});
}

// Of a run that ended inside a step, whose counts are still being changed.
std::string interrupted_json(CosimOptions const& options, CosimPlan const& plan, TimeTable const& table) {
  double const end = table.rows() == 0 ? plan.start : table.time.back();
  return write_json({{"system", options.system},
                     {"start", plan.start},
                     {"end", end},
                     {"rows", table.rows()},
                     {"failure", fmt::format("at {} s: interrupted", format_time(end))}});
}

std::string plot_text(CosimSystem const& system, CosimPlan const& plan, CosimResult const& result,
                      SignalTable const& signals, std::vector<std::string> const& shown) {
  SimulationResult columns;
  columns.table = result.table;
  columns.signals.resize(plan.recorded.size());
  std::iota(columns.signals.begin(), columns.signals.end(), std::size_t{0});
  ModelDescription description;
  description.attributes["modelName"] = system.name;
  description.attributes["description"] = system.description;
  return write_svg(plot_result(columns, SimulationPlan{}, description, signals, shown));
}

// Where the rows of a run go; empty: nowhere.
std::string rows_destination(CosimOptions const& options) {
  bool const to_standard_output =
      options.output.empty() && options.plot.empty() && options.reference.empty() && !options.json;
  return to_standard_output ? "-" : options.output;
}

std::string kept_in_words(std::string const& rows, std::string const& plot) {
  if (rows == "-") return "the rows until then are on standard output";
  if (!rows.empty()) return "the rows until then are in " + rows;
  return plot.empty() ? "" : plot + " shows the rows until then";
}

// A scene by itself is no system.
void demand_system(std::string const& argument) {
  auto const file = find_system(argument);
  if (is_system_file(file)) return;
  std::string names;
  std::vector<std::string_view> known;
  auto const examples = system_examples();
  for (auto const& example : examples) {
    names += (names.empty() ? "" : ", ") + example.name;
    known.push_back(example.name);
  }
  std::error_code error;
  if (auto const kind = kind_of_model(argument); !kind.empty()) {
    throw CommandError(ExitCode::usage,
                       fmt::format("{0} is {1}, which `delassus simulate {0}` runs; cosim takes a system of "
                                   "several components (.ssp, .ssd), or an example: {2}",
                                   argument, kind, names));
  }
  if (std::filesystem::exists(file, error) || file.has_extension() || file.has_parent_path()) return;
  throw CommandError(ExitCode::usage, fmt::format("'{}' is neither a file nor an example of a system{}",
                                                  argument, suggestion(argument, known)));
}

ExitCode cosimulate(CosimOptions const& options) {
  listen_for_interruption();
  demand_system(options.system);
  keep_inputs({options.system, options.reference}, {options.output, options.plot});
  check_picture_file(options.plot);
  std::vector<Finding> warnings;
  CosimSystem const system =
      load_cosim_system(find_system(options.system), options.variant, &warnings, options.backend);
  if (!options.quiet) {
    for (auto const& warning : warnings) {
      if (warning.severity == Severity::warning) fmt::print(stderr, "warning: {}\n", finding_text(warning));
    }
    std::set<RunnableModel const*> told;  // components of one source share their model
    for (auto const& component : system.components) {
      if (told.insert(component.model.get()).second) print_notes(component.model->notes());
    }
  }
  for (auto const& component : system.components) component.model->use_backend(options.backend);
  CosimPlan const plan = make_plan(options, system);
  SignalTable const signals = recorded_signals(system, plan.recorded);
  // Everything that can be wrong with the arguments is found before the run and not after an hour.
  check_shown(options.shown, signals);
  if (!options.reference.empty()) read_csv(read_file(options.reference), options.reference);
  std::string const rows = rows_destination(options);
  CosimResult result;
  bool written = false;
  auto const write_rows = [&] {
    if (!rows.empty()) write_file(rows, write_csv(result.table));
    written = true;
  };
  auto const write_plot = [&] {
    write_picture(options.plot, plot_text(system, plan, result, signals, options.shown));
  };
  auto const interruption = [&] {
    return interruption_text(options.system, result.table, kept_in_words(rows, options.plot));
  };
  Rescue const rescue([&] {
    // A plot may take longer than whoever sent the signal waits: only where it is all that is kept.
    if (!written && result.table.rows() > 0) {
      write_rows();
      if (rows.empty() && !options.plot.empty()) write_plot();
    }
    if (options.json) write_file("-", interrupted_json(options, plan, result.table));
    return interruption();
  });
  run_cosimulation(system, plan, make_progress(options.quiet), result);
  if (!options.quiet) {
    for (auto const& note : result.notes) fmt::print(stderr, "note: {}\n", note);
  }
  if (result.interrupted) {
    fmt::print(stderr, "delassus: {}\n", interruption());
  } else if (result.failure) {
    fmt::print(stderr, "delassus: {} failed {}\n", options.system, *result.failure);
  }
  // Nothing came out: an older file is worth more than an empty one.
  if (result.table.rows() > 0) {
    {
      UndisturbedWork const undisturbed;
      write_rows();
    }
    if (!options.plot.empty()) write_plot();
    if (!options.quiet) fmt::print(stderr, "{}", summary_text(options, plan, result));
  }
  if (options.json) write_file("-", summary_json(options, plan, result));
  if (result.failure) return ExitCode::run_failed;
  return options.reference.empty()
             ? ExitCode::fine
             : judge_against_reference(result.table, signals, options.reference,
                                       options.reference_tolerance.value_or(default_reference_tolerance),
                                       options.quiet);
}

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

void add_cosim_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<CosimOptions>();
  CLI::App* const command =
      program.add_subcommand("cosim",
                             "Run coupled FMUs, scenes and controllers that a system structure (SSP) "
                             "describes, and write their inputs "
                             "and outputs as CSV (to standard output by default) or as a plot.");
  command->add_option("system", options->system, ".ssp, .ssd or .xml, or the name of an example system")
      ->required();
  command->add_option("--variant", options->variant, "which .ssd of a package with several")
      ->type_name("FILE");
  add_number_option(*command, "--start", options->start, "start time, s; default: the system's");
  add_stop_option(*command, options->until, "stop time, s; default: the system's");
  add_number_option(*command, "--step", options->step,
                    "communication step, s; default: the system's, else the shortest of its components'");
  add_number_option(*command, "--tolerance", options->tolerance,
                    "tolerance that is passed to the FMUs; default: none");
  command
      ->add_option(
          "--set", options->settings,
          "component.name=value before the run; repeat it for more. Also parameters and inputs of the system")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_backend_option(*command, options->backend);
  add_coupling_options(*command, *options);
  command
      ->add_option("--isolate", options->isolated,
                   "run these components, or all, in child processes: one that crashes or hangs ends the run "
                   "with a message and the results so far")
      ->type_name("NAME")
      ->expected(0, -1);
  add_number_option(*command, "--call-timeout", options->call_timeout,
                    "longest time of one call of an isolated component, s; default: 60");
  command
      ->add_option("--real-time", options->pace,
                   "keep the pace of the clock, or so many times faster; late steps are counted")
      ->type_name("FACTOR")
      ->expected(0, 1);
  add_result_options(*command, *options);
  command->footer(
      "Exit code: 3 where the run failed or was interrupted (results until then are kept), 4 where the "
      "results are not those of "
      "the reference.\n\n"
      "Example:\n  delassus cosim positioning --set controller.proportional_gain=400 --until 5 --plot "
      "positioning.svg");
  command->callback([options, command, &exit_code] {
    options->isolate = command->count("--isolate") > 0;
    options->paced = command->count("--real-time") > 0;
    exit_code = cosimulate(*options);
  });
}

}  // namespace delassus
