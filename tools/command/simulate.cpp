#include "tools/command/simulate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/command/integration_options.hpp"
#include "tools/command/options.hpp"
#include "tools/package/runnable_model.hpp"
#include "tools/plot/picture_file.hpp"
#include "tools/plot/result_plot.hpp"
#include "tools/plot/signal_plot.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/simulate/recorded_signals.hpp"
#include "tools/simulate/run_interaction.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/solve/problem_dump.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/csv.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/standard_streams.hpp"

namespace delassus {
namespace {

struct SimulateOptions {
  std::string model;
  int fmi_version = 0;
  ImportBackend backend = ImportBackend::own;
  std::optional<double> start, stop, step, tolerance, reference_tolerance;
  std::vector<std::string> settings, shown, recorded;
  IntegrationOptions integration;
  std::string input, output, plot, reference, dump;
  std::string interface;
  std::size_t dump_every = 1;
  bool quiet = false, event_mode = false, interpolate = false;
};

// An option of the integrator means nothing where there is none.
void demand_integrator(SimulateOptions const& options, SimulatedInstance& instance) {
  if (instance.model_exchange() != nullptr) return;
  if (options.integration.given().empty()) return;
  throw CommandError(
      ExitCode::usage,
      fmt::format("{} is for Model Exchange, which the program integrates: give --interface me (of a "
                  "scene also --fmi)",
                  options.integration.given()));
}

SimulationPlan make_plan(SimulateOptions const& options, RunnableModel const& model,
                         SignalTable const& signals) {
  SimulationPlan plan = plan_times(model.description(), options.start, options.stop, options.step);
  plan.tolerance = options.tolerance;
  if (plan.tolerance && !(*plan.tolerance > 0)) {
    throw CommandError(ExitCode::usage,
                       fmt::format("--tolerance is {}; it must be > 0", format_number(*plan.tolerance)));
  }
  if (double const share = options.reference_tolerance.value_or(0); share < 0) {
    throw CommandError(ExitCode::usage,
                       fmt::format("--reference-tolerance is {}; it must be >= 0", format_number(share)));
  }
  for (auto const& text : options.settings) {
    for (auto& value : parse_assignment(signals, text)) plan.settings.push_back(std::move(value));
  }
  if (!options.input.empty()) plan.input = read_csv(read_file(options.input), options.input);
  plan.interpolate = options.interpolate;
  count_steps(plan);
  return plan;
}

// What is asked for, and what a plot and a comparison need beyond it.
std::vector<std::size_t> recorded_signals(SimulateOptions const& options, SignalTable const& signals) {
  DefaultRecord usual = default_record(signals);
  if (options.recorded.empty() && !usual.note.empty() && !options.quiet)
    print_message("note: {}\n", usual.note);
  std::vector<std::size_t> recorded =
      options.recorded.empty() ? usual.signals : find_recorded(signals, options.recorded);
  auto const add = [&](std::string const& name) {
    auto const index = signals.find(name);
    if (index && signals[*index].is_number() && std::ranges::find(recorded, *index) == recorded.end())
      recorded.push_back(*index);
  };
  for (auto const& name : options.shown) add(name);
  if (!options.reference.empty()) {
    for (auto const& name : read_csv(read_file(options.reference), options.reference).names) add(name);
  }
  return recorded;
}

// What continuous inputs do between the rows of their file.
std::string interpolation_note(SimulationPlan const& plan, SimulatedInstance& instance, int version) {
  std::string const& file = plan.input->file;
  if (!plan.interpolate)
    return fmt::format(
        "inputs hold from each row of {} to the next; --interpolate has them follow straight lines, as many "
        "other importers do",
        file);
  if (instance.interpolates_inputs())
    return fmt::format(
        "continuous inputs follow straight lines between the rows of {}; everything else holds from row to "
        "row",
        file);
  return fmt::format(
      "continuous inputs take the straight lines between the rows of {} at each communication point and hold "
      "until the next one, {} s later: {}. A shorter --step follows them closer, and so does --interface me "
      "where the FMU has it",
      file, format_number(plan.step),
      version == 3 ? "FMI 3 co-simulation has no derivatives of inputs"
                   : "this FMU takes no derivatives of inputs (canInterpolateInputs is false)");
}

void note_input(SimulationPlan const& plan, SimulatedInstance& instance, int version) {
  if (!plan.input) return;
  SignalTable const& signals = instance.signals();
  TimedInput const input(signals, *plan.input, plan.interpolate, 0);
  if (input.depends_on_interpolation()) print_notes({interpolation_note(plan, instance, version)});
  if (auto const between = input.changes_between(DecimalTimes(plan.start, plan.step), plan.stop);
      between > 0 && instance.model_exchange() == nullptr) {
    print_message(
        "note: {} rows of {} lie between communication points, and co-simulation takes inputs only "
        "there: the "
        "points are {} s apart (--step)\n",
        between, plan.input->file, format_number(plan.step));
  }
  if (plan.input->rows() > 0 && plan.input->time.front() > plan.start)
    print_message("note: {} begins at {} s, and the run at {} s: until then its first row holds\n",
                  plan.input->file, format_time(plan.input->time.front()), format_time(plan.start));
  std::string unused;
  auto const found = find_inputs(signals, *plan.input);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) unused += (unused.empty() ? "" : ", ") + plan.input->names[i];
  }
  if (!unused.empty())
    print_message("note: {} has columns that cannot be set during a run and are not used: {}\n",
                  plan.input->file, unused);
}

std::optional<ProblemDump> make_dump(SimulateOptions const& options, RunnableModel const& model,
                                     SimulatedInstance& instance, SimulationPlan const& plan) {
  if (options.dump.empty()) return std::nullopt;
  if (!model.runs_in_process()) {
    throw CommandError(ExitCode::usage,
                       "--dump-problems is for scenes that run directly, without --fmi: an FMU does not show "
                       "its contact problems");
  }
  return ProblemDump(instance, options.dump, model.description().attributes.at("modelName"),
                     count_steps(plan), options.dump_every);
}

// Where the rows of a run go.
struct Destination {
  std::string rows, plot;

  explicit Destination(SimulateOptions const& options) : rows(options.output), plot(options.plot) {
    if (rows.empty() && plot.empty() && options.reference.empty() && options.dump.empty()) rows = "-";
  }

  std::string in_words() const {
    if (rows == "-") return "the rows until then are on standard output";
    if (!rows.empty()) return "the rows until then are in " + rows;
    return plot.empty() ? "" : plot + " shows the rows until then";
  }
};

// What the integrator did: " (cvode: 231 steps, 402 evaluations, 12 events)".
std::string integration_text(SimulateOptions const& options, SimulatedInstance const& instance) {
  auto const counts = integration_counts(instance);
  if (!counts) return "";
  auto const counted = [](long count, char const* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  return fmt::format(
      " ({}: {}, {}, {})",
      options.integration.solver.empty() ? ode_method_name(OdeMethod::dopri5) : options.integration.solver,
      counted(counts->ode.steps, "step"), counted(counts->ode.evaluations, "evaluation"),
      counted(counts->events, "event"));
}

ExitCode simulate(SimulateOptions const& options) {
  listen_for_interruption();
  auto inputs = files_of_model(options.model);
  inputs.insert(inputs.end(), {options.input, options.reference});
  keep_inputs(inputs, {options.output, options.plot});
  demand_table(options.output, "give --plot FILE for a picture, `delassus report` for a page");
  check_picture_file(options.plot);
  RunnableModel model(options.model, options.fmi_version, options.backend);
  if (!options.quiet) print_notes(model.notes());
  std::optional<InterfaceKind> kind;
  if (!options.interface.empty())
    kind = options.interface == "me" ? InterfaceKind::model_exchange : InterfaceKind::co_simulation;
  model.set_integration(integration_settings(options.integration));
  auto const instance = model.instantiate(make_log(options.quiet), kind, options.event_mode);
  demand_integrator(options, *instance);
  SimulationPlan plan = make_plan(options, model, instance->signals());
  if (instance->model_exchange() != nullptr)
    demand_end(options.integration, plan.start, plan.stop, plan.tolerance);
  plan.recorded = recorded_signals(options, instance->signals());
  // Everything that can be wrong with the arguments is found before the run and not after an hour.
  check_shown(options.shown, instance->signals(), plan.recorded);
  if (!options.reference.empty()) read_csv(read_file(options.reference), options.reference);
  if (!options.quiet) note_input(plan, *instance, model.description().version);
  if (!options.quiet) print_notes(notes_on_settings(instance->signals(), options.settings));
  auto dump = make_dump(options, model, *instance, plan);
  Destination const destination(options);
  SimulationResult result;
  bool written = false;
  auto const write_rows = [&] {
    if (!destination.rows.empty()) write_file(destination.rows, write_csv(result.table));
    written = true;
  };
  auto const write_plot = [&] {
    write_picture(destination.plot, write_svg(plot_result(result, plan, model.description(),
                                                          instance->signals(), options.shown)));
  };
  Rescue const rescue([&] {
    // A plot may take longer than whoever sent the signal waits: only where it is all that is kept.
    if (!written && result.table.rows() > 0) {
      write_rows();
      if (destination.rows.empty() && !destination.plot.empty()) write_plot();
    }
    return interruption_text(options.model, result.table, destination.in_words());
  });
  run_simulation(*instance, plan, make_progress(options.quiet),
                 dump ? Observer([&](std::size_t point) { dump->write(point); }) : Observer(), result);
  if (result.interrupted) {
    print_message("delassus: {}\n", interruption_text(options.model, result.table, destination.in_words()));
  } else if (result.failure) {
    print_message("delassus: {} failed {}\n", options.model, *result.failure);
  }
  // Nothing came out: an older file is worth more than an empty one.
  if (result.table.rows() == 0) return result.refused ? ExitCode::usage : ExitCode::run_failed;
  write_each({[&] {
                UndisturbedWork const undisturbed;
                write_rows();
              },
              [&] {
                if (!destination.plot.empty()) write_plot();
              }});
  if (!options.quiet && !result.interrupted) {
    print_message("{}: {} step{} to {} s{}{}\n", options.model, result.steps, result.steps == 1 ? "" : "s",
                  format_time(result.table.time.back()), integration_text(options, *instance),
                  result.failure      ? ", results until then are kept"
                  : result.terminated ? ", where the FMU asked to end"
                                      : "");
    if (dump) print_message("{}: {} contact problems\n", options.dump, dump->files());
  }
  if (result.failure) return ExitCode::run_failed;
  return options.reference.empty()
             ? ExitCode::fine
             : judge_against_reference(result.table, instance->signals(), options.reference,
                                       options.reference_tolerance.value_or(default_reference_tolerance),
                                       options.quiet);
}

}  // namespace

void add_simulate_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<SimulateOptions>();
  CLI::App* const command = program.add_subcommand(
      "simulate",
      "Run an FMU, scene or controller and write its inputs and outputs as CSV (to standard "
      "output by default) or as a plot.");
  command->add_option("model", options->model, ".fmu, scene or controller file, or the name of an example")
      ->required();
  add_fmi_option(*command, options->fmi_version,
                 "of a scene: run it through an FMU of this version; default: directly");
  command
      ->add_option("--interface", options->interface,
                   "of an FMU: cs for co-simulation, me for Model Exchange, which the program "
                   "integrates itself (--solver), with state, time, step and input events; default: cs "
                   "where offered")
      ->check(CLI::IsMember({"cs", "me"}));
  add_integration_options(*command, options->integration, "--step");
  command->add_flag("--event-mode", options->event_mode,
                    "FMI 3 co-simulation: use event mode and early return where the FMU has them");
  add_backend_option(*command, options->backend);
  add_number_option(*command, "--start", options->start, "start time, s; default: the model's");
  add_stop_option(*command, options->stop, "stop time, s; default: the model's");
  add_number_option(*command, "--step", options->step, "communication step, s; default: the model's");
  add_number_option(*command, "--tolerance", options->tolerance,
                    "tolerance that is passed to the model, and that of the integrator with --interface me; "
                    "default: none, 1e-6");
  command
      ->add_option("--set", options->settings,
                   "name=value before the run; repeat it for more. Angles also as 45deg, arrays as name=1 0, "
                   "choices by name")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  CLI::Option* const input =
      command
          ->add_option(
              "--input", options->input,
              "CSV with the column time and inputs or tunable parameters by name. A value holds from "
              "its row on until the next: at each communication point the last row at or before it is set; "
              "in "
              "Model Exchange each row is taken at its own time. Two rows of one time are a jump")
          ->type_name("FILE");
  command
      ->add_flag(
          "--interpolate", options->interpolate,
          "continuous inputs follow straight lines between the rows of --input, where a co-simulation FMU "
          "takes their derivatives (FMI 2 with canInterpolateInputs), or else at each communication point; "
          "discrete ones and parameters hold. Default: all of them hold")
      ->needs(input);
  command
      ->add_option("--record", options->recorded,
                   "what the results have: all, inputs, outputs, locals, parameters, the name of a variable "
                   "or of what "
                   "has some (rod), or a pattern (rod.*, *.force*); repeat it for more. Default: inputs and "
                   "outputs, and "
                   "of a model without outputs its locals")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("-o,--output", options->output, "CSV to write; - is standard output")
      ->type_name("FILE");
  CLI::Option* const plot =
      command->add_option("--plot", options->plot, "picture to write: .svg, .png or .pdf")->type_name("FILE");
  command
      ->add_option(
          "--show", options->shown,
          "what the plot shows, such as rod or tip_ground.force; repeat it for more. Default: all outputs")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->needs(plot);
  command->add_option("--reference", options->reference, "CSV to compare the results with")
      ->type_name("FILE");
  add_number_option(
      *command, "--reference-tolerance", options->reference_tolerance,
      "largest difference, as a share of the reference column's largest magnitude; default: 1e-6");
  CLI::Option* const dump =
      command
          ->add_option("--dump-problems", options->dump,
                       "folder to write the contact problem of each communication point to, for `delassus "
                       "solve`; of scenes that run directly")
          ->type_name("FOLDER");
  command
      ->add_option("--dump-every", options->dump_every,
                   "one in so many communication points is written; default: 1")
      ->check(CLI::PositiveNumber)
      ->needs(dump);
  command->add_flag("--quiet", options->quiet, "no warnings, summary and progress");
  command->footer(
      "Exit code: 2 where an argument is wrong, such as a value that the model refuses, 3 where the run "
      "failed or was interrupted (results until then are kept), 4 where the results are not those of the "
      "reference.\n\n"
      "Example:\n  delassus simulate painleve_rod --set tip_ground.mu=0.8 --stop 0.3 --plot rod.svg");
  command->callback([options, &exit_code] { exit_code = simulate(*options); });
}

}  // namespace delassus
