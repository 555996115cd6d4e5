#include "tools/check/model_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <optional>

#include "fmu/content/scene_model.hpp"
#include "fmu/instance/redundancy_report.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/check/check_rules.hpp"
#include "tools/import/package_description.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/simulate/in_process_instance.hpp"
#include "tools/simulate/simulation.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/child_process.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/worker_pool.hpp"
#include "xml/scene/reader.hpp"

namespace delassus {
namespace {

// Of processor time, s: what a default experiment of a scene mostly takes, and a user waits for.
constexpr double share_of_a_check = 10;

enum WatchFrame : std::size_t { warning_frame, reached_frame, failure_frame, end_frame };

Finding model_finding(std::string_view rule, std::string const& file, int line, std::string message,
                      std::string remedy = "") {
  return {std::string(rule), check_rule(rule).severity, file, line, std::move(message), std::move(remedy)};
}

double processor_time_of_this_process() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string run_default_experiment(std::shared_ptr<const Model> const& model, SimulationPlan const& plan,
                                   WatchedRun::Watch const& watch) {
  auto const instance =
      make_in_process_instance(model, SignalTable(package_description(*model, 2)), watch.log);
  SimulationResult const result = run_simulation(*instance, plan, [&](double share) {
    return watch.reached(plan.start + share * (plan.stop - plan.start));
  });
  return result.interrupted ? "" : result.failure.value_or("");
}

// Of times that no run has, with the line that they stand in.
std::optional<Finding> experiment_refused(SimulationPlan const& plan, std::filesystem::path const& file) {
  try {
    count_steps(plan);
    return std::nullopt;
  } catch (CommandError const&) {
  }
  int line = 0;
  for (SourceElement const& child : read_source_file(file).root.children) {
    if (child.name == "experiment") line = child.line;
  }
  Finding finding = too_many_steps(plan.start, plan.stop, plan.step, file.string());
  finding.line = line;
  finding.remedy = "write a longer step or an earlier stop in <experiment>";
  return finding;
}

}  // namespace

Finding too_many_steps(double start, double stop, double step, std::string const& file) {
  return model_finding("model-runs", file, 0,
                       fmt::format("the default experiment is not run: {} s in steps of {} s are {} steps, "
                                   "and no more than {} are kept",
                                   format_time(stop - start), format_number(step),
                                   format_number(std::ceil((stop - start) / step)), most_steps),
                       "choose a longer step or an earlier stop");
}

Finding located_finding(std::string_view rule, std::string const& text, std::string const& file) {
  Finding finding = model_finding(rule, file, 0, text);
  for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1)) {
    int line = 0;
    char const* const end = text.data() + text.size();
    auto const [after, error] = std::from_chars(text.data() + at + 1, end, line);
    if (error != std::errc{} || !std::string_view(after, end).starts_with(": ")) continue;
    finding.file = text.substr(0, at);
    finding.line = line;
    finding.message = std::string(after + 2, end);
    break;
  }
  return finding;
}

WatchedRun watch_run(std::function<std::string(WatchedRun::Watch const&)> const& work,
                     CheckSettings const& settings) {
  WatchedRun run;
  std::string received;
  auto const listen = [&](std::string_view bytes) {
    received += bytes;
    std::size_t kind = 0;
    for (std::string text; take_frame(received, kind, text);) {
      if (kind == warning_frame && std::ranges::find(run.warnings, text) == run.warnings.end())
        run.warnings.push_back(text);
      if (kind == failure_frame) run.failure = text;
      if (kind == end_frame) run.whole = true;
      if (kind == reached_frame) std::from_chars(text.data(), text.data() + text.size(), run.end);
    }
  };
  auto const apart = [&](ChildSend const& send) {
    double const begin = processor_time_of_this_process();
    double const limit = std::min(share_of_a_check, settings.timeout / 2);
    bool in_time = true;
    WatchedRun::Watch const watch{.log =
                                      [&](LogMessage const& message) {
                                        if (message.status != Status::ok)
                                          send(make_frame(warning_frame, message.text));
                                      },
                                  .reached =
                                      [&](double time) {
                                        send(make_frame(reached_frame, fmt::format("{}", time)));
                                        in_time = processor_time_of_this_process() - begin < limit;
                                        return in_time;
                                      }};
    std::string failure;
    try {
      failure = work(watch);
    } catch (std::exception const& error) {  // which in a child would say nothing
      failure = fmt::format("at its start: {}", error.what());
    }
    if (!failure.empty()) send(make_frame(failure_frame, failure));
    if (in_time && failure.empty()) send(make_frame(end_frame, ""));
  };
  ChildReport const report = run_in_child(apart, settings.timeout, listen);
  // A step of a scene that takes longer than that is no share of anything: the run never ends for its user.
  if (report.end != ChildEnd::finished && run.failure.empty())
    run.failure =
        fmt::format("at {} s: the run {}", format_time(run.end), in_words(report, settings.timeout));
  return run;
}

void add_run_findings(CheckReport& report, WatchedRun const& run, std::string const& file, double stop) {
  // The failure is in the log, too.
  for (auto const& warning : run.warnings) {
    if (run.failure.find(warning) == std::string::npos)
      report.findings.push_back(model_finding("model-warns", file, 0, warning));
  }
  if (!run.failure.empty()) {
    report.findings.push_back(
        model_finding("model-runs", file, 0, "the default experiment fails " + run.failure,
                      "correct what is named; `delassus report` draws the run until then"));
    report.failed = true;
  } else if (!run.whole) {
    report.findings.push_back(model_finding(
        "model-whole", file, 0,
        fmt::format(
            "the run was at {} of {} s after its share of processor time, and is not looked at further",
            format_time(run.end), format_time(stop))));
  }
  report.exercised = true;
}

CheckReport check_model(std::filesystem::path const& file, CheckSettings const& settings) {
  CheckReport report;
  report.file = file;
  std::error_code missing;  // a pipe can be read only once
  if (!std::filesystem::exists(file, missing) || std::filesystem::is_regular_file(file, missing))
    read_file(file);  // what cannot be read is no finding
  auto const stage = [&](char const* text) {
    if (settings.progress) settings.progress(text);
  };
  stage("reading");
  std::vector<std::string> notes;
  std::shared_ptr<const Model> model;
  try {
    model = read_model({file, false}, &notes);
  } catch (std::exception const& error) {
    Finding finding = located_finding("model-readable", error.what(), file.string());
    // Mostly the sentence ends with what to do.
    if (finding.message.find("; ") == std::string::npos)
      finding.remedy = "correct it; nothing else can be looked at before";
    report.findings.push_back(std::move(finding));
    return report;
  }
  report.variables = model->table().variables().size();
  for (auto const& note : notes)
    report.findings.push_back(located_finding("model-doubt", note, file.string()));
  auto const scene = std::dynamic_pointer_cast<const SceneModel>(model);
  auto const& experiment = model->table().default_experiment();
  SimulationPlan plan;
  plan.start = experiment.start;
  plan.stop = experiment.stop;
  plan.step = experiment.step;
  report.subject = scene ? "scene" : "controller";
  if (auto const refused = experiment_refused(plan, file)) {
    report.findings.push_back(*refused);
    report.subject += ", not run";
    return report;
  }
  stage("default experiment");
  WatchedRun const run = watch_run(
      [&](WatchedRun::Watch const& watch) { return run_default_experiment(model, plan, watch); }, settings);
  add_run_findings(report, run, file.string(), plan.stop);
  if (scene && run.failure.empty()) {
    if (auto const redundant =
            redundancy_report(*scene, scene->scene().default_parameters(), scene->scene().default_inputs());
        !redundant.empty())
      report.findings.push_back(model_finding("model-redundant", file.string(), 0, redundant));
  }
  report.subject += fmt::format(", run to {} s", format_time(run.end));
  return report;
}

}  // namespace delassus
