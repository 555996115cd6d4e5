#include "tools/fmu_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tools/child_process.hpp"
#include "tools/exit_code.hpp"
#include "tools/fmu_exercise.hpp"
#include "tools/fmu_import.hpp"
#include "xml/model_description_reader.hpp"
#include "xml/rules.hpp"
#include "xml/schema.hpp"

namespace delassus {
namespace {

void add(CheckReport& report, std::string rule, std::string message, std::string remedy,
         Severity severity = Severity::error) {
  report.findings.push_back(
      {std::move(rule), severity, report.file.string(), 0, std::move(message), std::move(remedy)});
}

// The child tells what it does in records of fields; the last stage is where it crashed or hung.
constexpr char field_separator = '\x1f', record_separator = '\x1e';

std::string clean(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20; }, ' ');
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    auto const end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

void exercise_in_child(ImportedFmu& fmu, ChildSend const& send) {
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
            record({"finding", finding.rule, finding.severity == Severity::error ? "error" : "warning",
                    finding.message, finding.remedy});
          },
      .failed = [&] { record({"failed"}); },
  };
  try {
    exercise_fmu(fmu, report);
  } catch (std::exception const& error) {
    report.finding({"run-succeeds", Severity::error, "", 0, error.what(), "see what the FMU logs"});
    report.failed();
  }
}

void add_end(CheckReport& report, ChildReport const& child, std::string const& stage, double timeout) {
  std::string const remedy = "return an error status and log a message, whatever happens";
  if (child.end == ChildEnd::finished) return;
  report.failed = true;
  if (child.end == ChildEnd::crashed) {
    add(report, "run-survives",
        fmt::format("crashed with signal {} ({}) while {}", child.code, ::strsignal(child.code), stage),
        remedy);
  } else if (child.end == ChildEnd::exited) {
    add(report, "run-survives", fmt::format("ended its host with exit code {} while {}", child.code, stage),
        remedy);
  } else {
    add(report, "run-ends", fmt::format("did not come back within {} s while {}", timeout, stage),
        "bound the work of each call, or give more time with --timeout");
  }
}

void exercise(CheckReport& report, CheckSettings const& settings) {
  ImportedFmu fmu(report.file);
  try {
    fmu.library_file(fmu.kinds().front());
  } catch (InstanceError const& error) {
    add(report, "binary-platform", std::string("not run: ") + error.what(),
        "run the check on a machine that the FMU has a binary for", Severity::warning);
    return;
  }
  // The parent has unpacked the FMU and removes it: a child that crashes cleans up nothing.
  ChildReport const child =
      run_in_child([&](ChildSend const& send) { exercise_in_child(fmu, send); }, settings.timeout);
  report.exercised = true;
  std::string stage = "starting";
  for (auto const& record : split(child.output, record_separator)) {
    auto const fields = split(record, field_separator);
    if (fields[0] == "stage" && fields.size() == 2) stage = fields[1];
    if (fields[0] == "failed") report.failed = true;
    if (fields[0] == "finding" && fields.size() == 5) {
      add(report, fields[1], fields[3], fields[4],
          fields[2] == "error" ? Severity::error : Severity::warning);
    }
  }
  add_end(report, child, stage, settings.timeout);
}

// binaries/<platform>/<modelIdentifier>.<so|dll|dylib> for some platform, or sources.
void check_implementation(CheckReport& report, Archive const& archive, ModelDescription const& description) {
  for (auto const& interface : description.interfaces) {
    bool const found = std::ranges::any_of(archive.entries(), [&](ArchiveEntry const& entry) {
      std::filesystem::path const path = entry.name;
      return entry.name.starts_with("sources/") ||
             (entry.name.starts_with("binaries/") && !entry.is_folder() &&
              path.stem() == interface.model_identifier());
    });
    if (found) continue;
    add(report, "archive-binaries",
        fmt::format("there is neither a binary nor source code for the model identifier '{}' ({})",
                    interface.model_identifier(), interface.kind),
        fmt::format("add binaries/{}/{}.so", host_platform(description.version),
                    interface.model_identifier()));
    return;
  }
}

std::filesystem::path schema_file(std::filesystem::path const& folder, int version) {
  std::string const name = fmt::format("fmi{}ModelDescription.xsd", version);
  for (auto const& file : {folder / name, folder / fmt::format("fmi{}", version) / name}) {
    if (std::filesystem::exists(file)) return file;
  }
  throw CommandError(ExitCode::usage,
                     fmt::format("{} has no {}; give --schema the folder of the standard's .xsd files",
                                 folder.string(), name));
}

// False where the description cannot be read: then there is nothing to run.
bool check_description_file(CheckReport& report, Archive const& archive, CheckSettings const& settings) {
  if (!archive.contains("modelDescription.xml")) {
    add(report, "archive-description", "there is no modelDescription.xml at the root of the archive",
        "pack the files themselves and not the folder that they are in");
    return false;
  }
  std::string const name = report.file.string() + "/modelDescription.xml";
  try {
    std::string const text = archive.read("modelDescription.xml");
    ModelDescription const description = read_model_description(text, name);
    report.fmi_version = description.version;
    report.variables = description.variables.size();
    auto const findings = check_description(description);
    report.findings.insert(report.findings.end(), findings.begin(), findings.end());
    if (settings.schema_folder && description.version != 0) {
      auto const schema =
          validate_schema(text, name, schema_file(*settings.schema_folder, description.version));
      report.findings.insert(report.findings.end(), schema.begin(), schema.end());
    }
    check_implementation(report, archive, description);
    return description.version == 2 || description.version == 3;
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
    bool const runnable = check_description_file(report, archive, settings);
    // An archive that may write outside of its folder, or fill the disk, is not unpacked.
    if (runnable && archive.problems().empty()) exercise(report, settings);
  } catch (ArchiveError const& error) {
    add(report, "archive-readable", error.what(), "pack the FMU anew with deflate or store");
  }
  return report;
}

}  // namespace delassus
