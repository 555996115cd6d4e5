#include "tools/command/check.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "tools/check/check_rules.hpp"
#include "tools/check/fmu_check.hpp"
#include "tools/check/model_check.hpp"
#include "tools/command/options.hpp"
#include "tools/package/model_argument.hpp"
#include "tools/ssp/structure_source.hpp"
#include "tools/ssp/system_check.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/finding_folds.hpp"
#include "tools/support/interruption.hpp"
#include "tools/support/json.hpp"
#include "tools/support/share_folder.hpp"
#include "tools/support/standard_streams.hpp"
#include "xml/fmi/companion_rules.hpp"
#include "xml/ssp/structure_rules.hpp"
#include "xml/text/utf8.hpp"

namespace delassus {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false, quiet = false, list_rules = false, all = false;
  std::optional<double> timeout, reference_tolerance;
  std::string schemas, reference, solver;
};

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Errors first, then warnings, then notes; in each the files in the order in which they were looked at, with lines sorted.
std::string as_text(CheckReport const& report, bool all) {
  std::string text;
  auto const shown = all ? report.findings : folded(report.findings);
  std::size_t errors = 0, warnings = 0, notes = 0;
  for (auto const severity : {Severity::error, Severity::warning, Severity::note}) {
    std::vector<std::string> files;
    for (auto const& finding : report.findings) {
      if (finding.severity != severity) continue;
      ++(severity == Severity::error ? errors : severity == Severity::warning ? warnings : notes);
    }
    for (auto const& finding : shown) {
      if (finding.severity != severity) continue;
      if (std::ranges::find(files, finding.file) == files.end()) files.push_back(finding.file);
    }
    for (auto const& file : files) {
      for (auto const& finding : shown) {
        if (finding.severity != severity || finding.file != file) continue;
        std::string const line = finding.line > 0 ? ":" + std::to_string(finding.line) : "";
        text += fmt::format("{}{}: {}: {} [{}]\n", finding.file, line, severity_name(severity),
                            finding.message, finding.rule);
        if (!finding.remedy.empty()) text += fmt::format("    {}\n", finding.remedy);
      }
    }
  }
  std::string count = errors + warnings == 0
                          ? "no findings"
                          : fmt::format("{} ({}, {})", counted(errors + warnings, "finding"),
                                        counted(errors, "error"), counted(warnings, "warning"));
  if (notes > 0) count += ", " + counted(notes, "note");
  std::string const what =
      !report.subject.empty() ? report.subject
      : report.components > 0 ? fmt::format("system of {}, ", counted(report.components, "component"))
      : report.fmi_version == 0
          ? ""
          : fmt::format("FMI {}.0, {} variables, ", report.fmi_version, report.variables);
  std::string const end = report.failed ? "the FMU failed" : report.exercised ? "run" : "not run";
  text += fmt::format("{}: {}; {}{}\n", report.file.string(), count, what, report.subject.empty() ? end : "");
  return text;
}

// What a scene refuses, it says in one sentence: after its last semicolon what to do.
std::string remedy_of(Finding const& finding) {
  auto const end = finding.message.rfind("; ");
  if (!finding.remedy.empty() || end == std::string::npos || !finding.rule.starts_with("model-"))
    return finding.remedy;
  return finding.message.substr(end + 2);
}

Json as_json(CheckReport const& report) {
  Json findings = Json::array();
  for (auto const& finding : report.findings)
    findings.push_back({{"rule", finding.rule},
                        {"severity", severity_name(finding.severity)},
                        {"file", finding.file},
                        {"line", finding.line},
                        {"message", finding.message},
                        {"remedy", remedy_of(finding)}});
  return {{"file", report.file.string()},    {"fmi_version", report.fmi_version},
          {"components", report.components}, {"variables", report.variables},
          {"exercised", report.exercised},   {"failed", report.failed},
          {"mismatch", report.mismatch},     {"findings", std::move(findings)}};
}

std::string rule_list() {
  std::string text;
  for (auto const rules : {all_rules(), companion_rules(), structure_rules(), check_rules()}) {
    for (auto const& rule : rules)
      text += fmt::format("{:<24} {:<8} {}\n", rule.name, severity_name(rule.severity), rule.demand);
  }
  return text;
}

// The worst of two: a failure, then results that differ, then what could not be looked at, then findings.
ExitCode worse(ExitCode one, ExitCode other) {
  auto const rank = [](ExitCode code) {
    return code == ExitCode::run_failed           ? 4
           : code == ExitCode::reference_mismatch ? 3
           : code == ExitCode::usage              ? 2
           : code == ExitCode::findings           ? 1
                                                  : 0;
  };
  return rank(one) >= rank(other) ? one : other;
}

ExitCode code_of(CheckReport const& report) {
  if (report.failed) return ExitCode::run_failed;
  if (report.mismatch) return ExitCode::reference_mismatch;
  bool const found = std::ranges::any_of(report.findings,
                                         [](Finding const& each) { return each.severity != Severity::note; });
  return found ? ExitCode::findings : ExitCode::fine;
}

// Of a file that is no archive: an .xml, or whatever begins as one. An .fmu that is no archive is told so.
bool looks_like_xml(std::filesystem::path const& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error) || file.extension() == ".fmu" || is_zip(file))
    return false;
  if (file.extension() == ".xml") return true;
  auto const text = read_file(file);
  auto const first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string::npos && text[first] == '<';
}

// A folder that the user named has to have what is looked for in it; one that is installed is used as far as it has it.
void choose_schemas(CheckOptions const& options, CheckSettings& settings) {
  if (char const* const named = std::getenv("DELASSUS_SCHEMAS"); named != nullptr && *named != '\0')
    settings.schema_folder = named;
  if (!options.schemas.empty()) settings.schema_folder = options.schemas;
  if (settings.schema_folder) return;
  try {
    auto const installed = share_folder() / "schemas";
    std::error_code error;
    if (std::filesystem::is_directory(installed, error)) settings.schema_folder = installed;
    settings.schemas_required = false;
  } catch (CommandError const&) {
    // A program without its share folder can check as well.
  }
}

CheckSettings settings_of(CheckOptions const& options) {
  CheckSettings settings;
  settings.timeout = options.timeout.value_or(settings.timeout);
  if (!(settings.timeout > 0))
    throw CommandError(ExitCode::usage, fmt::format("--timeout is {} s; it must be > 0", settings.timeout));
  settings.reference_tolerance = options.reference_tolerance.value_or(settings.reference_tolerance);
  if (!(settings.reference_tolerance >= 0))
    throw CommandError(ExitCode::usage, fmt::format("--reference-tolerance is {}; it must be >= 0",
                                                    settings.reference_tolerance));
  if (!options.solver.empty()) settings.solver = ode_method(options.solver);
  choose_schemas(options, settings);
  if (!options.reference.empty()) {
    read_file(options.reference);  // a name that is wrong is found before the FMU runs
    settings.reference = options.reference;
  }
  return settings;
}

// A system, a scene, a controller or an FMU; also an example by its name.
std::vector<CheckReport> check_file(std::string const& file, CheckSettings const& settings) {
  if (is_system_file(file)) return check_system(find_system(file), settings);
  std::error_code error;
  if (!std::filesystem::exists(file, error) || std::filesystem::path(file).extension() == ".csv") {
    ModelArgument const example = find_model(file);  // which says what is wrong with the name
    if (!example.is_fmu) return {check_model(example.file, settings)};
  }
  // A pipe gives a scene or a controller: an archive is looked at from its end.
  bool const pipe =
      !std::filesystem::is_regular_file(file, error) && !std::filesystem::is_directory(file, error);
  return {pipe || looks_like_xml(file) ? check_model(file, settings) : check_fmu(file, settings)};
}

// What one file is wrong with is no reason not to look at the others.
struct Looked {
  std::vector<CheckReport> reports;
  std::optional<std::string> problem;  // why it was not looked at
  ExitCode code = ExitCode::fine;
};

Looked look_at(std::string const& file, CheckSettings const& settings) {
  try {
    return {check_file(file, settings), std::nullopt, ExitCode::fine};
  } catch (CommandError const& error) {
    return {{}, error.what(), error.code()};
  } catch (StorageError const& error) {
    return {{}, error.what(), ExitCode::run_failed};
  } catch (UserError const& error) {
    return {{}, error.what(), ExitCode::usage};
  }
}

ExitCode check(CheckOptions const& options) {
  if (options.list_rules) {
    write_standard_output(rule_list());
    return ExitCode::fine;
  }
  listen_for_interruption();
  if (options.files.empty())
    throw CommandError(ExitCode::usage, "name one or more scenes, controllers, FMUs or systems to check");
  CheckSettings settings = settings_of(options);
  bool const shown = !options.quiet && ::isatty(STDERR_FILENO) != 0;
  ExitCode code = ExitCode::fine;
  Json json = Json::array();
  std::map<std::string, std::string> tokens;
  std::string current;
  Rescue const rescue([&] {
    if (options.json) write_standard_output(write_json(json));
    return current.empty() ? std::string("interrupted") : "interrupted while checking " + current;
  });
  for (auto const& file : options.files) {
    {
      UndisturbedWork const undisturbed;
      current = file;
    }
    if (shown) {
      settings.progress = [&](std::string const& stage) {
        print_message("\r\x1b[K{}: {}", file, stage.substr(0, 60));
      };
    }
    Looked looked = look_at(file, settings);
    if (shown) print_message("\r\x1b[K");
    if (looked.problem) {
      code = worse(code, looked.code);
      print_message("delassus: {}\n", printable_text(*looked.problem));
      UndisturbedWork const undisturbed;
      json.push_back({{"file", file}, {"problem", *looked.problem}, {"findings", Json::array()}});
    }
    for (auto& report : looked.reports) {
      auto const [other, is_new] = tokens.emplace(report.token, report.file.string());
      if (!is_new && !report.token.empty()) {
        report.findings.push_back({"token-shared", Severity::warning, report.file.string(), 0,
                                   fmt::format("its token is that of {}", other->second),
                                   "give every FMU a token of its own, best a hash of its content"});
      }
      code = worse(code, code_of(report));
      if (options.json) {
        UndisturbedWork const undisturbed;
        json.push_back(as_json(report));
      } else {
        write_standard_output(printable_text(as_text(report, options.all)));
      }
    }
  }
  if (options.json) write_standard_output(write_json(json));
  return code;
}

}  // namespace

void add_check_command(CLI::App& program, ExitCode& exit_code) {
  auto const options = std::make_shared<CheckOptions>();
  CLI::App* const command = program.add_subcommand(
      "check",
      "Check scenes and controllers: what is written wrong or hardly meant, the start state, the default "
      "experiment. Check FMUs, also those of other tools: the archive, the description and the other XML "
      "files, the "
      "binaries, and the FMU itself, which is run in a child process: steps, reset, rollback, serialised "
      "states, instances side by side, derivatives, events, and whatever else it declares. Of a system "
      "(.ssp, .ssd) "
      "the structure, its connections and parameters, and each FMU in it.");
  command->add_option("file", options->files, "scenes, controllers, FMUs and systems to check; also examples")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print the findings as JSON, all of them");
  command->add_flag(
      "--all", options->all,
      "show every finding; without, more than five of one rule in one file are folded into a few");
  add_number_option(*command, "--timeout", options->timeout, "seconds that an FMU may run; default: 60");
  command
      ->add_option("--reference", options->reference,
                   "CSV to compare the results of the default experiment with; what the FMU has in "
                   "extra/org.fmi-standard.fmi-ls-ref is compared in any case")
      ->type_name("FILE");
  command
      ->add_option("--solver", options->solver,
                   "what integrates FMUs in Model Exchange: dopri5, explicit, or cvode, implicit, for stiff "
                   "models (of SUNDIALS, where the program was built with it); default: dopri5")
      ->check(CLI::IsMember({"dopri5", "cvode"}));
  add_number_option(
      *command, "--reference-tolerance", options->reference_tolerance,
      "largest difference, as a share of the reference column's largest magnitude; default: 1e-6");
  command
      ->add_option(
          "--schemas,--schema", options->schemas,
          "folder of the standards' .xsd files, to validate the XML files against them; they may lie in "
          "fmi2, fmi3 and ssp below it. Default: the folder that DELASSUS_SCHEMAS names, or "
          "share/delassus/schemas beside the program where it is")
      ->type_name("FOLDER");
  command->add_flag("--rules", options->list_rules, "list the rules and end");
  command->add_flag("--quiet", options->quiet, "no progress on a terminal");
  command->footer(
      "Exit code: 0 no findings (notes are none), 1 findings, 2 wrong arguments or a file that cannot be "
      "read (others are still checked), 3 an FMU crashed, hung or "
      "did not run, or the check was interrupted, 4 the "
      "results are not those of a reference.\n\nExamples:\n  delassus check my_rod.xml\n  delassus check "
      "rod.fmu "
      "--timeout 10 --json");
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace delassus
