#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "model/number.hpp"
#include "tools/archive.hpp"
#include "tools/assignment.hpp"
#include "tools/atomic_file.hpp"
#include "tools/commands.hpp"
#include "tools/model_argument.hpp"
#include "tools/progress_line.hpp"
#include "tools/report_page.hpp"
#include "tools/runnable_model.hpp"
#include "tools/simulation.hpp"
#include "xml/schema_value.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string source, model, input, output;
  int fmi_version = 0;
  std::optional<double> start, stop, step, tolerance;
  std::vector<std::string> settings;
  bool quiet = false;
};

struct Outcome {
  Report report;
  std::optional<std::string> failure;
};

// Results are what is neither a zip archive nor XML nor the name of an example.
bool is_result(std::string const& source) {
  std::error_code error;
  if (!fs::is_regular_file(source, error)) return fs::path(source).extension() == ".csv";
  if (fs::path(source).extension() == ".csv") return true;
  std::ifstream file(source, std::ios::binary);
  std::string start(512, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  auto const first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return !start.starts_with("PK") && first != std::string::npos && start[first] != '<';
}

bool is_system(std::string const& source) {
  auto const extension = fs::path(source).extension();
  return extension == ".ssp" || extension == ".ssd";
}

// The scene that an argument names, or that an FMU of ours carries; null for the FMU of somebody else.
std::shared_ptr<const Model> scene_of(std::string const& argument) {
  ModelArgument const found = find_model(argument);
  if (!found.is_fmu) return read_model(found);
  Archive const archive(found.file);
  std::string const entry = "resources/" + std::string(scene_archive_name);
  if (!archive.contains(entry)) return nullptr;
  return std::make_shared<const Model>(read_scene_archive(archive.read(entry)));
}

std::string attribute(ModelDescription const& description, std::string const& name) {
  auto const found = description.attributes.find(name);
  return found == description.attributes.end() ? "" : found->second;
}

ReportedModel reported(SignalTable signals, std::shared_ptr<const Model> scene,
                       std::vector<SignalValue> const& settings) {
  ReportedModel model{"", std::move(signals), std::move(scene), {}, {}};
  for (auto const& [signal, value] : settings) {
    model.set.push_back(model.signals[signal].name);
    if (auto const* const number = std::get_if<double>(&value);
        number != nullptr && model.signals[signal].is_number())
      model.values[model.signals[signal].name] = *number;
  }
  return model;
}

std::vector<SignalValue> parse_settings(ReportOptions const& options, SignalTable const& signals) {
  std::vector<SignalValue> settings;
  for (auto const& text : options.settings) {
    for (auto& value : parse_assignment(signals, text)) settings.push_back(std::move(value));
  }
  return settings;
}

std::string seconds(double value) {
  return fmt::format("{:.10g} s", value);
}

void add_times(Report& report, TimeTable const& table) {
  report.run.push_back({"rows", std::to_string(table.rows())});
  if (table.rows() > 0)
    report.run.push_back(
        {"time", fmt::format("{} to {}", seconds(table.time.front()), seconds(table.time.back()))});
}

Outcome report_result(ReportOptions const& options) {
  if (options.start || options.stop || options.step || options.tolerance || !options.input.empty() ||
      options.fmi_version != 0) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("{} is a file of results, which is shown as it is; --start, --stop, --step, "
                    "--tolerance, --input and --fmi are for models that are run",
                    options.source));
  }
  if (options.model.empty() && !options.settings.empty())
    throw CommandError(ExitCode::usage, "--set needs --model: it says what the parameters of the run were");
  TimeTable table = read_csv(read_file(options.source, std::size_t{4} << 30), options.source);
  std::vector<ReportFact> run{{"results", fs::path(options.source).filename().string()}};
  std::vector<ReportedModel> models;
  std::string title = fs::path(options.source).stem().string(), description;
  if (!options.model.empty()) {
    RunnableModel const model(options.model, 0);
    SignalTable signals(model.description());
    auto const settings = parse_settings(options, signals);
    models.push_back(reported(std::move(signals), scene_of(options.model), settings));
    run.push_back({"model", fs::path(options.model).filename().string()});
    title = attribute(model.description(), "modelName");
    description = attribute(model.description(), "description");
  }
  Report facts;
  facts.run = std::move(run);
  add_times(facts, table);
  Outcome outcome{make_report(std::move(table), models), std::nullopt};
  outcome.report.run = std::move(facts.run);
  outcome.report.title = std::move(title);
  outcome.report.description = std::move(description);
  if (!models.empty())
    outcome.report.notes.insert(
        outcome.report.notes.begin(),
        "The file has no parameters: those shown are the model's and the ones given with --set.");
  return outcome;
}

std::optional<double> number(std::optional<std::string> const& text) {
  return text ? parse_double(*text) : std::nullopt;
}

SimulationPlan make_plan(ReportOptions const& options, RunnableModel const& model,
                         SignalTable const& signals) {
  ModelDescription::Experiment const experiment =
      model.description().default_experiment.value_or(ModelDescription::Experiment{});
  SimulationPlan plan;
  plan.start = options.start.value_or(number(experiment.start_time).value_or(0));
  auto const stop = options.stop ? options.stop : number(experiment.stop_time);
  if (!stop) throw CommandError(ExitCode::usage, "the FMU has no default stop time; give --stop");
  plan.stop = *stop;
  plan.step = options.step.value_or(number(experiment.step_size).value_or((plan.stop - plan.start) / 500));
  plan.tolerance = options.tolerance;
  plan.settings = parse_settings(options, signals);
  if (!options.input.empty()) {
    plan.input = read_csv(read_file(options.input), options.input);
    find_inputs(signals, *plan.input);
  }
  count_steps(plan);
  return plan;
}

Outcome report_model(ReportOptions const& options) {
  if (!options.model.empty())
    throw CommandError(ExitCode::usage,
                       fmt::format("--model is for files of results; {} is run itself", options.source));
  RunnableModel model(options.source, options.fmi_version);
  std::vector<std::string> warnings;
  auto const instance = model.instantiate([&](LogMessage const& message) {
    if (message.status == Status::warning) warnings.push_back(message.text);
  });
  SimulationPlan const plan = make_plan(options, model, instance->signals());
  auto const scene = scene_of(options.source);
  SimulationResult result;
  {
    ProgressLine progress(options.quiet);
    result = run_simulation(*instance, plan, [&](double share) {
      progress(share);
      return true;
    });
  }
  if (result.table.rows() == 0)
    throw CommandError(ExitCode::run_failed,
                       fmt::format("{} failed {}", options.source, result.failure.value_or("")));

  ReportedModel reported_model = reported(instance->signals(), scene, plan.settings);
  for (std::size_t i = 0; i < result.parameters.size(); ++i)
    reported_model.values[instance->signals()[result.parameters[i]].name] = result.parameter_values[i];
  std::vector<ReportFact> run{
      {"model", fs::path(options.source).filename().string()},
      {"run", model.runs_in_process()
                  ? "the scene itself"
                  : fmt::format("as an FMU of FMI {}", attribute(model.description(), "fmiVersion"))},
      {"communication step", seconds(plan.step)}};
  if (plan.tolerance) run.push_back({"tolerance", format_number(*plan.tolerance)});
  if (plan.input) run.push_back({"inputs from", fs::path(options.input).filename().string()});
  Report facts;
  facts.run = std::move(run);
  add_times(facts, result.table);
  if (result.terminated) facts.run.push_back({"end", "the FMU asked to end the run"});
  result.table.file = options.source;
  Outcome outcome{make_report(std::move(result.table), {std::move(reported_model)}), result.failure};
  outcome.report.run = std::move(facts.run);
  outcome.report.title = attribute(model.description(), "modelName");
  outcome.report.description = attribute(model.description(), "description");
  constexpr std::size_t most_warnings = 10;
  for (std::size_t i = 0; i < std::min(most_warnings, warnings.size()); ++i)
    outcome.report.notes.push_back("Warning: " + warnings[i]);
  if (warnings.size() > most_warnings)
    outcome.report.notes.push_back(
        fmt::format("{} more warnings are not shown.", warnings.size() - most_warnings));
  if (result.failure)
    outcome.report.notes.insert(
        outcome.report.notes.begin(),
        fmt::format("The run failed {}. Shown is what came before.", *result.failure));
  return outcome;
}

ExitCode report(ReportOptions const& options) {
  if (is_system(options.source))
    throw CommandError(ExitCode::usage, "systems cannot be reported yet: run them to a CSV, and report that");
  Outcome const outcome = is_result(options.source) ? report_result(options) : report_model(options);
  std::string const page = write_report_page(outcome.report);
  write_file(options.output, page);
  if (outcome.failure) fmt::print(stderr, "delassus: {} failed {}\n", options.source, *outcome.failure);
  if (!options.quiet && options.output != "-") {
    fmt::print(stderr, "{}: {} rows, {} columns{}, {:.2f} MB\n", options.output, outcome.report.time.size(),
               outcome.report.columns.size(),
               outcome.report.scenes.empty()
                   ? ", no animation"
                   : fmt::format(", {} frames", outcome.report.scenes.front().rows.size()),
               static_cast<double>(page.size()) / 1e6);
  }
  return outcome.failure ? ExitCode::run_failed : ExitCode::fine;
}

}  // namespace

void add_report_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<ReportOptions>();
  CLI::App* const command = program.add_subcommand(
      "report",
      "Make a page of a run that a browser shows without a network: an animation with contact forces, linked "
      "plots, "
      "the modes of contacts over time, forces in their friction cones, the energy balance, parameters.");
  command
      ->add_option("source", options->source,
                   "CSV of results, or what is run first: .fmu, scene file, or the name of an example")
      ->required();
  command->add_option("-o,--output", options->output, "page to write; - is standard output")
      ->type_name("FILE")
      ->required();
  command
      ->add_option(
          "--model", options->model,
          "of a CSV: the .fmu, scene file or example that it came from; without it there are plots alone")
      ->type_name("MODEL");
  add_fmi_option(*command, options->fmi_version,
                 "of a scene: run it through an FMU of this version; default: directly");
  add_number_option(*command, "--start", options->start, "start time, s; default: the model's");
  add_number_option(*command, "--stop", options->stop, "stop time, s; default: the model's");
  add_number_option(*command, "--step", options->step, "communication step, s; default: the model's");
  add_number_option(*command, "--tolerance", options->tolerance,
                    "tolerance that the model is told; default: none");
  command
      ->add_option("--set", options->settings,
                   "name=value before the run, or of the run that a CSV came from; repeat it for more")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--input", options->input, "CSV with inputs, as for simulate")->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "no summary and progress");
  command->footer(
      "The page is below 20 MB however long the run is: of long runs the extremes of short spans are kept, "
      "and the "
      "page says so.\n\n"
      "Example:\n  delassus report painleve_rod --set tip_ground.mu=0.8 -o rod.html\n"
      "  delassus report results.csv --model rod.fmu -o rod.html");
  command->callback([options, &exit_code] { exit_code = report(*options); });
}

}  // namespace delassus
