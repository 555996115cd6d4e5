#include "tools/ssp/system_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/check/archive_rules.hpp"
#include "tools/check/check_rules.hpp"
#include "tools/ssp/system_run_check.hpp"
#include "tools/ssp/system_source.hpp"
#include "tools/support/atomic_file.hpp"
#include "tools/support/exit_code.hpp"
#include "xml/ssp/structure_forms.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/ssp/structure_rules.hpp"
#include "xml/text/encoding.hpp"
#include "xml/text/form_check.hpp"
#include "xml/text/schema.hpp"

namespace delassus {
namespace {

std::optional<std::filesystem::path> find_structure_schema(CheckSettings const& settings,
                                                           std::string const& name) {
  std::filesystem::path const& folder = *settings.schema_folder;
  for (auto const& place : {folder / name, folder / "ssp" / name, folder / "ssp-schema" / name}) {
    if (std::filesystem::exists(place)) return place;
  }
  if (!settings.schemas_required) return std::nullopt;
  throw CommandError(ExitCode::usage,
                     fmt::format("{} has no {}; give --schemas the folder of the standard's .xsd files",
                                 folder.string(), name));
}

class SystemCheck {
 public:
  SystemCheck(std::filesystem::path const& file, CheckSettings const& settings)
      : file_(file), settings_(settings) {
    reports_.emplace_back();
    report().file = file;
  }

  std::vector<CheckReport> run() {
    try {
      if (check_archive()) check_structure_file();
    } catch (StructureError const& error) {
      report().findings.push_back(
          structure_finding("structure-readable", error.file(), error.line(), error.message(),
                            "correct it; nothing else of the system can be checked before"));
    } catch (ArchiveError const& error) {
      report().findings.push_back({"archive-readable", Severity::error, file_.string(), 0, error.what(),
                                   "pack the files anew with deflate or store"});
    }
    return std::move(reports_);
  }

 private:
  CheckReport& report() { return reports_.front(); }

  bool check_archive() {
    if (file_.extension() != ".ssp") return true;
    Archive const archive(file_);
    for (auto const& list : {archive.problems(), archive.notes()}) {
      for (auto const& problem : list)
        report().findings.push_back({problem.rule, check_rule(problem.rule).severity, file_.string(), 0,
                                     problem.message, problem.remedy});
    }
    return archive.problems().empty();
  }

  void check_structure_file() {
    StructureSource const source(file_);
    check_text(source.text(), source.structure().file, source.structure().version, "Description");
    CosimSource const read = read_cosim_source(file_);
    report().components = read.system.components.size();
    for (auto const& component : read.system.components)
      report().variables += component.model->description().variables.size();
    append(read.findings);
    check_form_of(source.text(), source.structure().file, source.structure().version, "Description");
    bool const whole = std::ranges::none_of(
        read.findings, [](Finding const& each) { return each.severity == Severity::error; });
    if (whole) check_system_run(read.system, source.structure().file, settings_, report());
    check_element(source, source.structure().system);
  }

  void append(std::vector<Finding> const& findings) {
    report().findings.insert(report().findings.end(), findings.begin(), findings.end());
  }

  // The schemas that are there are those of SSP 1.
  void check_text(std::string const& text, std::string const& shown, std::string const& version,
                  std::string const& kind) {
    append(check_encoding(text, shown));
    if (!version.starts_with("1.")) return;
    if (auto const schema = schema_of(kind)) append(validate_schema(text, shown, *schema));
  }

  std::optional<std::filesystem::path> schema_of(std::string const& kind) const {
    if (!settings_.schema_folder) return std::nullopt;
    return find_structure_schema(settings_, "SystemStructure" + kind + ".xsd");
  }

  // What the schema says, where it is not there. After the rules that say more.
  void check_form_of(std::string const& text, std::string const& shown, std::string const& version,
                     std::string const& kind) {
    if (!version.starts_with("1.") || schema_of(kind)) return;
    auto const& form = kind == "Description"       ? structure_form()
                       : kind == "ParameterValues" ? parameter_set_form()
                                                   : parameter_mapping_form();
    add_form_findings(report().findings, check_form(text, shown, form));
  }

  void check_element(StructureSource const& source, StructureElement const& element) {
    for (auto const& binding : element.bindings) {
      if (!binding.in_component) check_file(source, binding.source, "ParameterValues");
      if (binding.mapping && !binding.mapping->in_component)
        check_file(source, binding.mapping->source, "ParameterMapping");
    }
    if (element.kind == StructureElement::Kind::component && element.source &&
        element.type == fmu_component_type)
      check_component(source, *element.source);
    for (auto const& child : element.elements) check_element(source, child);
  }

  void check_file(StructureSource const& source, std::optional<std::string> const& uri,
                  std::string const& kind) {
    if (!uri || !seen_.insert(*uri).second) return;
    try {
      auto const text = read_file(source.resolve(*uri, 0));
      auto const& version = source.structure().version;
      check_text(text, shown(source, *uri), version, kind);
      check_form_of(text, shown(source, *uri), version, kind);
    } catch (StructureError const&) {
      // It is not there, which is found where it is used.
    }
  }

  void check_component(StructureSource const& source, std::string const& uri) {
    if (!seen_.insert(uri).second) return;
    std::filesystem::path path;
    try {
      path = source.resolve(uri, 0);
    } catch (StructureError const&) {
      return;  // likewise
    }
    // A folder may have only the schemas of SSP.
    CheckSettings settings = settings_;
    if (settings.schema_folder && !find_schema(*settings.schema_folder, 2, "fmi2ModelDescription.xsd") &&
        !find_schema(*settings.schema_folder, 3, "fmi3ModelDescription.xsd"))
      settings.schema_folder.reset();
    CheckReport fmu = check_fmu(path, settings);
    fmu.file = shown(source, uri);
    for (auto& finding : fmu.findings) {
      if (finding.file.starts_with(path.string()))
        finding.file.replace(0, path.string().size(), fmu.file.string());
    }
    reports_.push_back(std::move(fmu));
  }

  // A package is unpacked somewhere; a user knows it by its name.
  std::string shown(StructureSource const& source, std::string const& uri) const {
    return source.is_package() ? file_.string() + "/" + uri : (source.folder() / uri).string();
  }

  std::filesystem::path file_;
  CheckSettings const& settings_;
  std::vector<CheckReport> reports_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<CheckReport> check_system(std::filesystem::path const& file, CheckSettings const& settings) {
  return SystemCheck(file, settings).run();
}

}  // namespace delassus
