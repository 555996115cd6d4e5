#include "tools/command/cosim.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "model/language/element_reader.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/command/cosim_options.hpp"
#include "tools/command/loop_saving.hpp"
#include "tools/command/options.hpp"
#include "tools/cosim/communication_step.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/cosim/master.hpp"
#include "tools/cosim/participant.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/cosim/unconnected_inputs.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/plot/picture_file.hpp"
#include "tools/plot/result_plot.hpp"
#include "tools/plot/signal_plot.hpp"
#include "tools/simulate/run_interaction.hpp"
#include "tools/ssp/loop_structure.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/json.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/standard_streams.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {
namespace {

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
  settle_step(system, plan);
  if (!options.recorded.empty()) plan.recorded = choose_columns(system, options.recorded);
  plan.log = make_log(options.quiet);
  return plan;
}

std::string summary_text(CosimOptions const& options, CosimPlan const& plan, CosimResult const& result) {
  auto const& counts = result.counts;
  std::string text =
      fmt::format("{}: {} step{}{} to {} s, {}", name_of(options), counts.steps, counts.steps == 1 ? "" : "s",
                  plan.step_tolerance ? "" : fmt::format(" of {} s", format_time(plan.step)),
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

std::optional<std::string> text_if_any(std::string const& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string summary_json(CosimOptions const& options, CosimPlan const& plan, CosimResult const& result) {
  auto const& counts = result.counts;
  return write_json({{"system", name_of(options)},
                     {"algorithm", algorithm_name(plan.algorithm)},
                     {"extrapolation", plan.extrapolation},
                     {"order", result.order},
                     {"start", plan.start},
                     {"end", result.table.rows() == 0 ? plan.start : result.table.time.back()},
                     {"step", plan.step},
                     {"step_reason", json_or_null(text_if_any(plan.step_reason))},
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
                     {"step_warning", json_or_null(text_if_any(plan.step_warning))},
                     {"terminated_by", json_or_null(result.terminated_by)},
                     {"failure", json_or_null(result.failure)}});
}

// Of a run that ended inside a step, whose counts are still being changed.
std::string interrupted_json(CosimOptions const& options, CosimPlan const& plan, TimeTable const& table) {
  double const end = table.rows() == 0 ? plan.start : table.time.back();
  return write_json({{"system", name_of(options)},
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
  if (file.extension() == ".csv" && std::filesystem::exists(file, error)) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("{0} is a table of rows (CSV), such as the results of a run; cosim takes a system of "
                    "several components (.ssp, .ssd), an example ({1}), or the components of a loop with "
                    "--connect. `delassus report {0} -o page.html` shows the table, and --reference {0} "
                    "compares a run with it",
                    argument, names));
  }
  if (auto const kind = kind_of_model(argument); !kind.empty()) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("{0} is {1}, which `delassus simulate {0}` runs; cosim takes a system of "
                    "several components (.ssp, .ssd), an example ({2}), or the components of a "
                    "loop with their connections: delassus cosim plant.xml controller.xml "
                    "--connect plant.block.position:controller.measurement ...",
                    argument, kind, names));
  }
  if (std::filesystem::exists(file, error) || file.has_extension() || file.has_parent_path()) return;
  throw CommandError(ExitCode::usage, fmt::format("'{}' is neither a file nor an example of a system{}",
                                                  argument, suggestion(argument, known)));
}

// `--connect a.x:b.y b.z:a.u`: what looks like a connection and is no file is one.
CosimOptions with_all_connections(CosimOptions options) {
  std::error_code error;
  std::erase_if(options.models, [&](std::string const& model) {
    bool const connection = !options.connections.empty() && model.find(':') != std::string::npos &&
                            model.find('.') != std::string::npos && !std::filesystem::exists(model, error);
    if (connection) options.connections.push_back(model);
    return connection;
  });
  return options;
}

bool is_loop(CosimOptions const& options) {
  return options.models.size() > 1 || !options.connections.empty() || !options.save.empty();
}

CosimSystem load_loop(CosimOptions const& options, LoopStructure const& loop) {
  if (!options.variant.empty())
    throw CommandError(ExitCode::usage, "--variant is for packages of several structures");
  if (!options.quiet) print_notes(loop.notes());
  std::vector<std::string> warnings;
  CosimSystem system = loop.system(options.backend, &warnings);
  if (!options.quiet) {
    for (auto const& warning : warnings) print_message("warning: {}\n", printable_text(warning));
  }
  return system;
}

CosimSystem load_system(CosimOptions const& options) {
  demand_system(options.models.front());
  std::vector<Finding> warnings;
  auto system =
      load_cosim_system(find_system(options.models.front()), options.variant, &warnings, options.backend);
  if (!options.quiet) {
    for (auto const& warning : warnings) {
      if (warning.severity == Severity::warning) print_message("warning: {}\n", finding_text(warning));
    }
  }
  return system;
}

void tell_notes(CosimOptions const& options, CosimSystem const& system, CosimPlan const& plan) {
  print_notes(notes_on_components(system));
  print_notes(notes_on_system_settings(system, options.settings));
  if (auto const open = unconnected_inputs_note(system, plan.settings); !open.empty()) print_notes({open});
  for (auto const& in_vain : settings_in_vain(system, plan.settings)) print_message("warning: {}\n", in_vain);
  if (!plan.step_reason.empty())
    print_notes({fmt::format("the communication step is {} s, {}; --step sets another",
                             format_time(plan.step), plan.step_reason)});
  if (!plan.step_warning.empty()) print_message("warning: {}\n", plan.step_warning);
}

// A structure names its components by their files; a package has them in itself.
void demand_structure(std::string const& file) {
  if (file.empty() || std::filesystem::path(file).extension() == ".ssd") return;
  auto const structure = (file == "-" ? std::filesystem::path("loop") : std::filesystem::path(file))
                             .replace_extension(".ssd")
                             .string();
  throw CommandError(
      ExitCode::usage,
      fmt::format("--save {0}: a system structure is written, which is an .ssd; write --save {1}{2}", file,
                  structure,
                  std::filesystem::path(file).extension() == ".ssp"
                      ? fmt::format(", and then `delassus build {} -o {}` for a package", structure, file)
                      : std::string()));
}

// Of components in Model Exchange; others make their steps themselves.
void set_integration(CosimOptions const& options, CosimSystem const& system, CosimPlan const& plan) {
  IntegrationSettings const settings = integration_settings(options.integration);
  bool integrated = false;
  for (auto const& component : system.components) {
    if (component.model->runs_in_process() || stepping_interface(component) != nullptr) continue;
    integrated = true;
    component.model->set_integration(settings);
  }
  if (integrated) return demand_end(options.integration, plan.start, plan.stop, plan.tolerance);
  if (options.integration.given().empty()) return;
  throw CommandError(
      ExitCode::usage,
      fmt::format("{} is for components in Model Exchange, which the program integrates; all of this system "
                  "run in co-simulation, or directly. An .ssd asks for it by "
                  "<Component implementation=\"ModelExchange\" ...>",
                  options.integration.given()));
}

ExitCode cosimulate(CosimOptions const& given) {
  listen_for_interruption();
  CosimOptions const options = with_all_connections(given);
  check_picture_file(options.plot);
  std::optional<LoopStructure> loop;
  if (is_loop(options)) loop.emplace(options.models, options.connections, options.backend);
  CosimSystem const system = loop ? load_loop(options, *loop) : load_system(options);
  std::vector<std::string> inputs{options.reference};
  for (auto const& file : system.files) inputs.push_back(file.string());
  keep_inputs(inputs, {options.output, options.plot, options.save, options.json ? "-" : ""});
  demand_table(options.output, "give --plot FILE for a picture, --save FILE.ssd for the system");
  demand_structure(options.save);
  for (auto const& component : system.components) component.model->use_backend(options.backend);
  CosimPlan const plan = make_plan(options, system);
  set_integration(options, system, plan);
  SignalTable const signals = recorded_signals(system, plan.recorded);
  // Everything that can be wrong with the arguments is found before the run and not after an hour.
  check_shown(options.shown, signals);
  if (!options.quiet) tell_notes(options, system, plan);
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
    return interruption_text(name_of(options), result.table, kept_in_words(rows, options.plot));
  };
  Rescue const rescue([&] {
    // A plot may take longer than whoever sent the signal waits: only where it is all that is kept.
    bool const open = !written && result.table.rows() > 0;
    write_each({[&] {
                  if (open) write_rows();
                },
                [&] {
                  if (open && rows.empty() && !options.plot.empty()) write_plot();
                },
                [&] {
                  if (options.json) write_file("-", interrupted_json(options, plan, result.table));
                }});
    return interruption();
  });
  auto const accepted = [&] {
    if (!options.save.empty()) save_loop(options, *loop, plan);
  };
  run_cosimulation(system, plan, make_progress(options.quiet), accepted, result);
  if (!options.quiet) {
    for (auto const& note : result.notes) print_message("note: {}\n", note);
  }
  if (result.interrupted) {
    print_message("delassus: {}\n", interruption());
  } else if (result.failure) {
    print_message("delassus: {} failed {}\n", name_of(options), *result.failure);
  }
  // Nothing came out: an older file is worth more than an empty one.
  bool const has_rows = result.table.rows() > 0;
  write_each({[&] {
                UndisturbedWork const undisturbed;
                if (has_rows) write_rows();
              },
              [&] {
                if (has_rows && !options.plot.empty()) write_plot();
              },
              [&] {
                if (has_rows && !options.quiet) print_text(summary_text(options, plan, result));
                if (options.json) write_file("-", summary_json(options, plan, result));
              }});
  if (result.failure) return result.refused ? ExitCode::usage : ExitCode::run_failed;
  return options.reference.empty()
             ? ExitCode::fine
             : judge_against_reference(result.table, signals, options.reference,
                                       options.reference_tolerance.value_or(default_reference_tolerance),
                                       options.quiet);
}

}  // namespace

void add_cosim_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<CosimOptions>();
  CLI::App* const command =
      program.add_subcommand("cosim",
                             "Run coupled FMUs, scenes and controllers that a system structure (SSP) "
                             "describes, and write their inputs "
                             "and outputs as CSV (to standard output by default) or as a plot.");
  add_cosim_options(*command, *options);
  command->footer(
      "Exit code: 3 where the run failed or was interrupted (results until then are kept), 4 where the "
      "results are not those of "
      "the reference.\n\n"
      "Examples:\n  delassus cosim positioning --set controller.proportional_gain=400 --until 5 --plot "
      "positioning.svg\n"
      "  delassus cosim plant.xml pid.xml --connect plant.cart.position[1]:pid.measurement \\\n"
      "    --connect pid.output:plant.drive[1] --until 3 --save loop.ssd -o loop.csv");
  command->callback([options, command, &exit_code] {
    options->isolate = command->count("--isolate") > 0;
    options->paced = command->count("--real-time") > 0;
    exit_code = cosimulate(*options);
  });
}

}  // namespace delassus
