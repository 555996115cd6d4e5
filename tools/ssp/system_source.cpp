#include "tools/ssp/system_source.hpp"

#include <fmt/format.h>

#include "tools/ssp/system_connections.hpp"
#include "tools/ssp/system_instance.hpp"
#include "tools/ssp/system_parameters.hpp"
#include "tools/support/finding_folds.hpp"
#include "xml/ssp/structure_reader.hpp"

namespace delassus {

CosimSource read_cosim_source(std::filesystem::path const& file, std::string const& variant,
                              ImportBackend backend) {
  CosimSource read = read_cosim_source(std::make_shared<const StructureSource>(file, variant), backend);
  read.system.file = file;
  return read;
}

CosimSource read_cosim_source(std::shared_ptr<const StructureSource> const& source, ImportBackend backend) {
  SystemStructure const& structure = source->structure();
  CosimSource read;
  CosimSystem& system = read.system;
  system.name = structure.name;
  system.description = structure.description.empty() ? structure.system.description : structure.description;
  system.file = source->file();
  if (structure.default_experiment) {
    system.start = structure.default_experiment->start;
    // A stop time that is none, such as 0, was reported and is not used.
    auto const stop = structure.default_experiment->stop;
    if (stop && *stop > system.start.value_or(0)) system.stop = stop;
  }
  system.step = structure.run.step;
  system.settings = structure.run.settings;

  FindingList findings;
  auto const root = instantiate_structure(source, system, findings, backend);
  ConnectionGraph const graph(*root, system, findings);
  connect_components(*root, graph, system, findings);
  apply_parameters(*root, graph, system, findings);
  if (system.components.empty() && !findings.has_errors())
    findings.add("component-source", structure.file, structure.system.line, "the system has no components",
                 "add <Component name=\"...\" source=\"...\"/> to its <Elements>");
  read.findings = findings.take();
  return read;
}

CosimSystem load_cosim_system(std::filesystem::path const& file, std::string const& variant,
                              std::vector<Finding>* warnings, ImportBackend backend) {
  CosimSource read = read_cosim_source(file, variant, backend);
  Finding const* first = nullptr;
  std::string more;
  std::vector<Finding> bearable;
  for (auto const& finding : read.findings) {
    if (finding.severity != Severity::error || finding.tolerated) {
      bearable.push_back(finding);
    } else if (first == nullptr) {
      first = &finding;
    } else {
      more += "\n" + finding_text(finding);
    }
  }
  if (first != nullptr) {
    throw StructureError(first->file, first->line,
                         first->message + (first->remedy.empty() ? "" : "; " + first->remedy) + more);
  }
  if (warnings != nullptr) *warnings = folded(bearable);
  return std::move(read.system);
}

std::string finding_text(Finding const& finding) {
  return fmt::format("{}{}: {}{}", finding.file, finding.line > 0 ? ":" + std::to_string(finding.line) : "",
                     finding.message, finding.remedy.empty() ? "" : "; " + finding.remedy);
}

}  // namespace delassus
