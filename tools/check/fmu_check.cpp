#include "tools/check/fmu_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tools/check/archive_rules.hpp"
#include "tools/check/check_rules.hpp"
#include "tools/check/contained_run.hpp"
#include "tools/check/exercise.hpp"
#include "tools/import/fmu.hpp"
#include "tools/support/exit_code.hpp"
#include "tools/support/split_text.hpp"
#include "xml/fmi/companion_rules.hpp"
#include "xml/fmi/description_reader.hpp"
#include "xml/fmi/rules.hpp"
#include "xml/fmi/standard_forms.hpp"
#include "xml/text/encoding.hpp"
#include "xml/text/form_check.hpp"
#include "xml/text/schema.hpp"

namespace delassus {
namespace {

void add(CheckReport& report, std::string const& rule, std::string message, std::string remedy) {
  report.findings.push_back(
      {rule, check_rule(rule).severity, report.file.string(), 0, std::move(message), std::move(remedy)});
}

// The child tells what it does in records of fields; the last stage is where it crashed or hung.
constexpr char field_separator = '\x1f', record_separator = '\x1e';

std::string clean(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20; }, ' ');
  return text;
}

void exercise_in_child(ImportedFmu& fmu, ExerciseSettings const& settings, ChildSend const& send) {
  auto const record = [&](std::vector<std::string> const& fields) {
    std::string text;
    for (auto const& field : fields) {
      if (!text.empty()) text += field_separator;
      text += clean(field);
    }
    text += record_separator;
    send(text);
  };
  ExerciseReport const report{
      .stage =
          [&](std::string const& stage) {
            record({"stage", stage});
          },
      .finding =
          [&](Finding const& finding) {
            record({"finding", finding.rule, std::string(severity_name(finding.severity)), finding.message,
                    finding.remedy});
          },
      .failed = [&] { record({"failed"}); },
      .survival =
          [&](std::string const& rule) {
            record({"survival", rule});
          },
  };
  try {
    exercise_fmu(fmu, report, settings);
  } catch (std::exception const& error) {
    report.finding({"run-succeeds", Severity::error, "", 0, error.what(), "see what the FMU logs"});
    report.failed();
  }
}

void add_end(CheckReport& report, ChildReport const& child, std::string const& stage,
             std::string const& crash_rule, double timeout) {
  if (child.end == ChildEnd::finished) return;
  std::string const what = in_words(child, timeout, "while " + stage);
  if (crash_rule == "memory-refused") {
    add(report, crash_rule, what,
        "look at what allocateMemory returns, and return NULL from fmi2Instantiate");
    return;
  }
  report.failed = true;
  if (child.end == ChildEnd::timed_out) {
    add(report, "run-ends", what, "bound the work of each call, or give more time with --timeout");
  } else {
    add(report, "run-survives", what, "return an error status and log a message, whatever happens");
  }
}

// Findings and stages as the child sends them; a record may come in parts.
class Records {
 public:
  Records(CheckReport& report, CheckSettings const& settings) : report_(report), settings_(settings) {}

  void take(std::string_view text) {
    pending_ += text;
    for (auto end = pending_.find(record_separator); end != std::string::npos;
         end = pending_.find(record_separator)) {
      take_record(split_text(std::string_view(pending_).substr(0, end), field_separator));
      pending_.erase(0, end + 1);
    }
  }

  std::string const& stage() const { return stage_; }
  std::string const& crash_rule() const { return crash_rule_; }

 private:
  void take_record(std::vector<std::string> const& fields) {
    if (fields[0] == "stage" && fields.size() == 2) {
      stage_ = fields[1];
      if (settings_.progress) settings_.progress(stage_);
    }
    if (fields[0] == "failed") report_.failed = true;
    if (fields[0] == "survival" && fields.size() == 2) crash_rule_ = fields[1];
    if (fields[0] == "finding" && fields.size() == 5) {
      report_.mismatch |= fields[1] == "reference-results";
      // An FMU that writes into our pipe must not make us look for a rule that there is not.
      auto const severity = fields[2] == "error"  ? Severity::error
                            : fields[2] == "note" ? Severity::note
                                                  : Severity::warning;
      report_.findings.push_back({fields[1], severity, report_.file.string(), 0, fields[3], fields[4]});
    }
  }

  CheckReport& report_;
  CheckSettings const& settings_;
  std::string pending_, stage_ = "starting", crash_rule_;
};

void add_prints(CheckReport& report, ChildReport const& child) {
  std::string_view text = child.printed;
  text = text.substr(0, text.find('\n'));
  if (child.printed.empty()) return;
  add(report, "run-prints", fmt::format("the FMU prints: {}", clean(std::string(text.substr(0, 200)))),
      "use the logger that the importer gives to the FMU");
}

void add_what_it_did_to_others(CheckReport& report, ContainedReport const& child) {
  if (child.signal_sent != 0) {
    report.failed = true;
    add(report, "run-signals",
        fmt::format("the FMU sent signal {} ({}) to the process that runs it", child.signal_sent,
                    ::strsignal(child.signal_sent)),
        "return fmi2Fatal or fmi3Fatal: whether the program ends is its own matter");
  }
  if (child.left_processes > 0)
    add(report, "run-processes",
        fmt::format("{} that the FMU started {} there after the last instance was freed, and {} killed",
                    child.left_processes == 1 ? std::string("a process")
                                              : fmt::format("{} processes", child.left_processes),
                    child.left_processes == 1 ? "was still" : "were still",
                    child.left_processes == 1 ? "was" : "were"),
        "end what was started, and wait for it, in fmi2FreeInstance or fmi3FreeInstance");
}

void exercise(CheckReport& report, CheckSettings const& settings) {
  ImportedFmu fmu(report.file);
  if (fmu.kinds().empty()) return;  // only Scheduled Execution: its description was checked
  try {
    for (auto const kind : fmu.kinds()) fmu.library_file(kind);
  } catch (InstanceError const& error) {
    add(report, "binary-platform", std::string("not run: ") + error.what(),
        "run the check on a machine that the FMU has a binary for");
    return;
  }
  ExerciseSettings const exercises{
      settings.timeout, {settings.reference, settings.reference_tolerance}, settings.solver};
  Records records(report, settings);
  // The parent has unpacked the FMU and removes it: a child that crashes cleans up nothing.
  ContainedReport const child =
      run_contained([&](ChildSend const& send) { exercise_in_child(fmu, exercises, send); }, settings.timeout,
                    [&](std::string_view text) { records.take(text); });
  report.exercised = true;
  add_end(report, child, records.stage(), records.crash_rule(), settings.timeout);
  if (child.end == ChildEnd::finished) add_prints(report, child);
  add_what_it_did_to_others(report, child);
}

void append(CheckReport& report, std::vector<Finding> const& findings) {
  report.findings.insert(report.findings.end(), findings.begin(), findings.end());
}

// False where the description cannot be read: then there is nothing to run.
bool check_description_file(CheckReport& report, Archive const& archive, CheckSettings const& settings) {
  if (!archive.problems().empty() && archive.entries().empty()) return false;  // nothing was looked at
  if (!archive.contains("modelDescription.xml")) {
    add(report, "archive-description", "there is no modelDescription.xml at the root of the archive",
        "pack the files themselves and not the folder that they are in");
    return false;
  }
  std::string const name = report.file.string() + "/modelDescription.xml";
  try {
    std::string const written = archive.read("modelDescription.xml");
    // A wrong encoding is no reason to leave the rest unchecked.
    append(report, check_encoding(written, name));
    std::string const text = readable_text(written);
    ModelDescription const description = read_model_description(text, name);
    report.fmi_version = description.version;
    report.variables = description.variables.size();
    report.token = description.token();
    append(report, check_description(description));
    bool validated = false;
    if (settings.schema_folder && description.version != 0) {
      std::string const schema = fmt::format("fmi{}ModelDescription.xsd", description.version);
      auto const file = find_schema(*settings.schema_folder, description.version, schema);
      if (!file && settings.schemas_required) {
        throw CommandError(ExitCode::usage,
                           fmt::format("{} has no {}; give --schemas the folder of the standard's .xsd files",
                                       settings.schema_folder->string(), schema));
      }
      validated = file.has_value();
      if (file) append(report, validate_schema(text, name, *file));
    }
    if (!validated && description.version != 0)
      add_form_findings(report.findings, check_form(text, name, description_form(description.version)));
    append(report, check_contents(archive, description, settings.schema_folder));
    return text == written && (description.version == 2 || description.version == 3);
  } catch (DescriptionError const& error) {
    report.findings.push_back({"description-readable", Severity::error, error.file(), error.line(),
                               error.message(),
                               "correct the XML; nothing else of the FMU can be checked before"});
  } catch (ArchiveError const& error) {
    add(report, "archive-entry", error.what(), "pack the FMU anew");
  }
  return false;
}

}  // namespace

CheckReport check_fmu(std::filesystem::path const& file, CheckSettings const& settings) {
  CheckReport report;
  report.file = file;
  try {
    Archive const archive(file);
    for (auto const& problem : archive.problems()) add(report, problem.rule, problem.message, problem.remedy);
    for (auto const& note : archive.notes()) add(report, note.rule, note.message, note.remedy);
    bool const runnable = check_description_file(report, archive, settings);
    // An archive that may write outside of its folder, or fill the disk, is not unpacked.
    // What cannot be loaded is not tried: the finding that says why is there already.
    std::string const here = "/binaries/" + host_platform(report.fmi_version) + "/";
    bool const unusable = std::ranges::any_of(report.findings, [&](Finding const& finding) {
      return finding.rule == "archive-binaries" || finding.rule == "archive-entry" ||
             (finding.rule == "binary-format" && finding.file.find(here) != std::string::npos);
    });
    if (unusable) report.failed = true;
    if (runnable && archive.problems().empty() && !unusable) exercise(report, settings);
  } catch (ArchiveError const& error) {
    add(report, "archive-readable", error.what(), "pack the FMU anew with deflate or store");
  }
  return report;
}

}  // namespace delassus
