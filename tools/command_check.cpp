#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/atomic_file.hpp"
#include "tools/commands.hpp"
#include "tools/fmu_check.hpp"
#include "tools/json_text.hpp"

namespace delassus {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
  std::optional<double> timeout;
  std::string schema;
};

std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

std::string as_text(CheckReport const& report) {
  std::string text;
  for (auto const& finding : report.findings) {
    std::string const line = finding.line > 0 ? ":" + std::to_string(finding.line) : "";
    text += fmt::format("{}{}: {}: {} [{}]\n", finding.file, line, severity_name(finding.severity),
                        finding.message, finding.rule);
    if (!finding.remedy.empty()) text += fmt::format("    {}\n", finding.remedy);
  }
  std::string const count = report.findings.empty() ? "no findings"
                                                    : fmt::format("{} finding{}", report.findings.size(),
                                                                  report.findings.size() == 1 ? "" : "s");
  std::string const what =
      report.fmi_version == 0 ? ""
                              : fmt::format("FMI {}.0, {} variables, ", report.fmi_version, report.variables);
  text += fmt::format("{}: {} ({}{})\n", report.file.string(), count, what,
                      report.failed      ? "the FMU failed"
                      : report.exercised ? "run"
                                         : "not run");
  return text;
}

std::string as_json(CheckReport const& report) {
  std::string findings;
  for (auto const& finding : report.findings) {
    findings += fmt::format(
        "{}\n      {{\"rule\": {}, \"severity\": {}, \"file\": {}, \"line\": {}, \"message\": {}, "
        "\"remedy\": {}}}",
        findings.empty() ? "" : ",", json_text(finding.rule), json_text(severity_name(finding.severity)),
        json_text(finding.file), finding.line, json_text(finding.message), json_text(finding.remedy));
  }
  return fmt::format(
      "  {{\"file\": {}, \"fmi_version\": {}, \"variables\": {}, \"exercised\": {}, \"failed\": {},\n    "
      "\"findings\": [{}]}}",
      json_text(report.file.string()), report.fmi_version, report.variables, report.exercised, report.failed,
      findings);
}

ExitCode check(CheckOptions const& options) {
  CheckSettings settings;
  settings.timeout = options.timeout.value_or(settings.timeout);
  if (!(settings.timeout > 0))
    throw CommandError(ExitCode::usage, fmt::format("--timeout is {} s; it must be > 0", settings.timeout));
  if (!options.schema.empty()) settings.schema_folder = options.schema;
  ExitCode code = ExitCode::fine;
  std::string json;
  for (auto const& file : options.files) {
    CheckReport const report = check_fmu(file, settings);
    if (report.failed) {
      code = ExitCode::run_failed;
    } else if (!report.findings.empty() && code == ExitCode::fine) {
      code = ExitCode::findings;
    }
    if (options.json) {
      json += (json.empty() ? "" : ",\n") + as_json(report);
    } else {
      write_standard_output(as_text(report));
    }
  }
  if (options.json) write_standard_output("[\n" + json + "\n]\n");
  return code;
}

}  // namespace

void add_check_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<CheckOptions>();
  CLI::App* const command =
      program.add_subcommand("check",
                             "Check FMUs, also those of other tools: the archive, the description, and the "
                             "FMU itself, which is run in a child process: "
                             "steps, reset, rollback, serialised states, two instances.");
  command->add_option("fmu", options->files, "FMUs to check")->required()->type_name("FILE");
  command->add_flag("--json", options->json, "print the findings as JSON");
  add_number_option(*command, "--timeout", options->timeout, "seconds that an FMU may run; default: 60");
  command
      ->add_option("--schema", options->schema,
                   "folder of the standard's .xsd files, to validate the description against them")
      ->type_name("FOLDER");
  command->footer(
      "Exit code: 0 no findings, 1 findings, 3 an FMU crashed, hung or did not run.\n\nExample:\n  delassus "
      "check rod.fmu --timeout 10");
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace delassus
