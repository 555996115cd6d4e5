#include "tools/report/report_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "model/scene/number.hpp"
#include "tools/cosim/communication_step.hpp"
#include "tools/cosim/defaults.hpp"
#include "tools/cosim/master.hpp"
#include "tools/cosim/recorder.hpp"
#include "tools/cosim/unconnected_inputs.hpp"
#include "tools/simulate/assignment.hpp"
#include "tools/simulate/run_interaction.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/standard_streams.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

// Results are what is neither a zip archive nor XML nor the name of an example.
bool is_result(std::string const& source) {
  if (fs::path(source).extension() == ".csv") return true;
  std::error_code error;
  if (!fs::is_regular_file(source, error)) return false;
  std::ifstream file(source, std::ios::binary);
  std::string start(512, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  auto const first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return !start.starts_with("PK") && first != std::string::npos && start[first] != '<';
}

bool is_system(std::string const& source) {
  std::error_code error;
  return fs::is_regular_file(source, error) && is_system_file(source);
}

std::string attribute(ModelDescription const& description, std::string const& name) {
  auto const found = description.attributes.find(name);
  return found == description.attributes.end() ? "" : found->second;
}

std::string file_name(std::string const& file) {
  return fs::path(file).filename().string();
}

std::string seconds(double value) {
  return fmt::format("{:.10g} s", value);
}

void add_setting(ReportedModel& model, SignalValue const& setting) {
  Signal const& signal = model.signals[setting.signal];
  model.set.push_back(signal.name);
  auto const* const number = std::get_if<double>(&setting.value);
  if (number != nullptr && signal.is_number()) model.values[signal.name] = *number;
}

std::vector<SignalValue> parse_settings(ReportRequest const& request, SignalTable const& signals) {
  std::vector<SignalValue> settings;
  for (auto const& text : request.settings) {
    for (auto& value : parse_assignment(signals, text)) settings.push_back(std::move(value));
  }
  return settings;
}

// What the components of a system tell of its columns, and the system of its own outputs.
std::vector<ReportedModel> models_of(CosimSystem const& system, CosimPlan const& plan) {
  std::vector<ReportedModel> models;
  for (CosimComponent const& component : system.components) {
    ReportedModel& model = models.emplace_back(
        ReportedModel{component.name + ".", component.signals, component.model->scene(), {}, {}});
    for (SignalValue const& setting : component.settings) add_setting(model, setting);
  }
  for (auto const& [component, setting] : plan.settings) add_setting(models[component], setting);
  // Of nested systems the longest name is the right one.
  std::ranges::stable_sort(models, [](ReportedModel const& a, ReportedModel const& b) {
    return std::ranges::count(a.prefix, '.') > std::ranges::count(b.prefix, '.');
  });
  models.push_back({"", recorded_signals(system, plan.recorded), nullptr, {}, {}});
  return models;
}

CosimPlan plan_of(ReportRequest const& request, CosimSystem const& system) {
  CosimPlan plan = default_plan(system, request.start, request.stop, request.step);
  plan.tolerance = request.tolerance;
  for (auto const& text : request.settings) {
    for (auto& value : parse_system_assignment(system, text)) plan.settings.push_back(std::move(value));
  }
  settle_step(system, plan);
  return plan;
}

std::vector<ReportConnection> connections_of(CosimSystem const& system) {
  std::vector<ReportConnection> connections;
  auto const name = [&](std::size_t component, std::size_t signal) {
    return system.components[component].name + "." + system.components[component].signals[signal].name;
  };
  for (CosimConnection const& connection : system.connections)
    connections.push_back(
        {name(connection.from, connection.from_signal), name(connection.to, connection.to_signal)});
  return connections;
}

// Facts and texts around what make_report finds in a table.
struct Frame {
  std::string title, description;
  std::vector<ReportFact> run;
  std::vector<std::string> notes;
  std::vector<ReportConnection> connections;
};

Report framed(Frame frame, TimeTable table, std::vector<ReportedModel> const& models) {
  frame.run.push_back({"rows", std::to_string(table.rows())});
  if (table.rows() > 0)
    frame.run.push_back(
        {"time", fmt::format("{} to {}", seconds(table.time.front()), seconds(table.time.back()))});
  Report report = make_report(std::move(table), models);
  report.title = std::move(frame.title);
  report.description = std::move(frame.description);
  report.run = std::move(frame.run);
  report.connections = std::move(frame.connections);
  report.notes.insert(report.notes.begin(), frame.notes.begin(), frame.notes.end());
  return report;
}

std::string failure_note(std::string const& failure) {
  return fmt::format("The run failed {}. Shown is what came before.", failure);
}

// Warnings of a run, a few of them.
class Warnings {
 public:
  InstanceLog log() {
    return [this](LogMessage const& message) {
      if (message.status == Status::warning) texts_.push_back(message.text);
    };
  }
  void add_to(std::vector<std::string>& notes) const {
    constexpr std::size_t most = 10;
    for (std::size_t i = 0; i < std::min(most, texts_.size()); ++i) notes.push_back("Warning: " + texts_[i]);
    if (texts_.size() > most)
      notes.push_back(fmt::format("{} more warnings are not shown.", texts_.size() - most));
  }

 private:
  std::vector<std::string> texts_;
};

ReportOutcome report_result(ReportRequest const& request) {
  if (request.start || request.stop || request.step || request.tolerance || !request.input.empty() ||
      request.fmi_version != 0) {
    throw CommandError(
        ExitCode::usage,
        fmt::format("{} is a file of results, which is shown as it is; --start, --stop, --step, "
                    "--tolerance, --input and --fmi are for models that are run",
                    request.source));
  }
  if (request.model.empty() && !request.settings.empty())
    throw CommandError(ExitCode::usage, "--set needs --model: it says what the parameters of the run were");
  TimeTable table = read_csv(read_file(request.source, std::size_t{4} << 30), request.source);
  Frame frame;
  frame.title = fs::path(request.source).stem().string();
  frame.run.push_back({"results", file_name(request.source)});
  if (request.model.empty()) return {framed(std::move(frame), std::move(table), {}), std::nullopt};

  frame.run.push_back({"model", file_name(request.model)});
  frame.notes.push_back(
      "The file has no parameters: those shown are the model's and the ones given with --set.");
  if (is_system(request.model)) {
    CosimSystem const system = load_cosim_system(request.model, request.variant);
    frame.title = system.name;
    frame.description = system.description;
    frame.connections = connections_of(system);
    return {framed(std::move(frame), std::move(table), models_of(system, plan_of(request, system))),
            std::nullopt};
  }
  RunnableModel const runnable(request.model, 0);
  frame.title = attribute(runnable.description(), "modelName");
  frame.description = attribute(runnable.description(), "description");
  ReportedModel model{"", SignalTable(runnable.description()), runnable.scene(), {}, {}};
  for (SignalValue const& setting : parse_settings(request, model.signals)) add_setting(model, setting);
  return {framed(std::move(frame), std::move(table), {std::move(model)}), std::nullopt};
}

// A page takes longer than whoever sent a signal waits; rows do not.
std::string rescue_rows(ReportRequest const& request, TimeTable const& table) {
  if (request.rescued_rows.empty() || table.rows() == 0)
    return interruption_text(request.source, table, "no page was written");
  write_file(request.rescued_rows, write_csv(table));
  return interruption_text(
      request.source, table,
      fmt::format("no page was written, the rows until then are in {0}; `delassus report "
                  "{0} --model {1}` shows them",
                  request.rescued_rows, request.source));
}

ReportOutcome report_model(ReportRequest const& request) {
  RunnableModel runnable(request.source, request.fmi_version);
  Warnings warnings;
  auto const instance = runnable.instantiate(warnings.log());
  SimulationPlan plan = plan_times(runnable.description(), request.start, request.stop, request.step);
  plan.tolerance = request.tolerance;
  plan.settings = parse_settings(request, instance->signals());
  if (!request.input.empty()) {
    plan.input = read_csv(read_file(request.input), request.input);
    plan.interpolate = request.interpolate;
    find_inputs(instance->signals(), *plan.input);
  }
  count_steps(plan);
  SimulationResult result;
  {
    Rescue const rescue([&] { return rescue_rows(request, result.table); });
    run_simulation(*instance, plan, make_progress(request.quiet), {}, result);
  }
  if (result.table.rows() == 0)
    throw CommandError(ExitCode::run_failed,
                       fmt::format("{} failed {}", request.source, result.failure.value_or("")));

  ReportedModel model{"", instance->signals(), runnable.scene(), {}, {}};
  for (SignalValue const& setting : plan.settings) add_setting(model, setting);
  for (std::size_t i = 0; i < result.parameters.size(); ++i)
    model.values[model.signals[result.parameters[i]].name] = result.parameter_values[i];
  Frame frame;
  frame.title = attribute(runnable.description(), "modelName");
  frame.description = attribute(runnable.description(), "description");
  frame.run = {
      {"model", file_name(request.source)},
      {"run", runnable.runs_in_process()
                  ? "directly, without an FMU"
                  : fmt::format("as an FMU of FMI {}", attribute(runnable.description(), "fmiVersion"))},
      {"communication step", seconds(plan.step)}};
  if (plan.tolerance) frame.run.push_back({"tolerance", format_number(*plan.tolerance)});
  if (plan.input) frame.run.push_back({"inputs from", file_name(request.input)});
  if (result.terminated) frame.run.push_back({"end", "the FMU asked to end the run"});
  if (result.failure) frame.notes.push_back(failure_note(*result.failure));
  for (auto const& note : runnable.notes()) frame.notes.push_back(note);
  warnings.add_to(frame.notes);
  result.table.file = request.source;
  return {framed(std::move(frame), std::move(result.table), {std::move(model)}), result.failure};
}

ReportOutcome report_system(ReportRequest const& request) {
  if (!request.input.empty() || request.fmi_version != 0)
    throw CommandError(ExitCode::usage,
                       "--input and --fmi are for one model; a system has its own components");
  CosimSystem const system = load_cosim_system(request.source, request.variant);
  CosimPlan plan = plan_of(request, system);
  if (!request.quiet) {
    for (auto const& in_vain : settings_in_vain(system, plan.settings))
      print_message("warning: {}\n", in_vain);
  }
  Warnings warnings;
  plan.log = warnings.log();
  CosimResult result;
  {
    Rescue const rescue([&] { return rescue_rows(request, result.table); });
    run_cosimulation(system, plan, make_progress(request.quiet), result);
  }
  if (result.table.rows() == 0)
    throw CommandError(ExitCode::run_failed,
                       fmt::format("{} failed {}", request.source, result.failure.value_or("")));
  Frame frame;
  frame.title = system.name;
  frame.description = system.description;
  frame.run = {{"system", file_name(request.source)},
               {"components", fmt::format("{}", fmt::join(result.order, ", "))},
               {"coupling", std::string(algorithm_name(plan.algorithm))},
               {"communication step", seconds(plan.step)}};
  if (result.terminated_by) frame.run.push_back({"end", *result.terminated_by + " asked to end the run"});
  if (result.failure) frame.notes.push_back(failure_note(*result.failure));
  for (auto const& note : result.notes) frame.notes.push_back(note);
  if (!plan.step_warning.empty()) frame.notes.push_back(plan.step_warning);
  warnings.add_to(frame.notes);
  frame.connections = connections_of(system);
  result.table.file = request.source;
  return {framed(std::move(frame), std::move(result.table), models_of(system, plan)), result.failure};
}

}  // namespace

ReportOutcome report_of(ReportRequest const& request) {
  if (is_result(request.source)) return report_result(request);
  if (!request.model.empty())
    throw CommandError(ExitCode::usage,
                       fmt::format("--model is for files of results; {} is run itself", request.source));
  return is_system(request.source) ? report_system(request) : report_model(request);
}

}  // namespace delassus
