// documentation/index.html of an FMU: what it is, its variables, its equations, its choices and how to load it; written from
// the variable table. One page that needs nothing else and looks well on light and dark screens.
#pragma once

#include <string>
#include <vector>

#include "fmu/content/model.hpp"
#include "tools/package/reference_run.hpp"

namespace delassus {

struct DocumentationParts {
  std::string source_file = {};             // in documentation/; empty: it is not there
  ReferenceRun const* reference = nullptr;  // drawn, where there is one
  std::vector<std::string> platforms = {};  // as the archive names them
};

std::string write_documentation(Model const& model, int fmi_version, DocumentationParts const& parts);

}  // namespace delassus
