// From a file to a system that can be run: an .ssp, an .ssd or an .xml with a system structure.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/cosim/coupled_system.hpp"
#include "tools/import/backend.hpp"
#include "tools/ssp/structure_source.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

struct CosimSource {
  CosimSystem system;             // whole where there is no error among the findings
  std::vector<Finding> findings;  // errors and warnings
};

// Everything that is wrong is in the findings, but for what keeps the structure itself from being read: throws
// FileError, ArchiveError and StructureError. `variant` chooses among several .ssd files of a package; `backend` loads its FMUs.
CosimSource read_cosim_source(std::filesystem::path const& file, std::string const& variant = "",
                              ImportBackend backend = ImportBackend::own);

CosimSource read_cosim_source(std::shared_ptr<const StructureSource> const& source,
                              ImportBackend backend = ImportBackend::own);

// Only the system. Throws StructureError with all errors, one in a line, where there are any. `warnings` gets the
// others.
CosimSystem load_cosim_system(std::filesystem::path const& file, std::string const& variant = "",
                              std::vector<Finding>* warnings = nullptr,
                              ImportBackend backend = ImportBackend::own);

// `file:line: message; remedy`
std::string finding_text(Finding const& finding);

}  // namespace delassus
