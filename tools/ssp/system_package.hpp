// From a structure with scenes, controllers and FMUs to an .ssp that other tools take: every source is an FMU in
// resources/, of the standard's type. The same sources give the same bytes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/package/reference_run.hpp"
#include "tools/ssp/structure_source.hpp"

namespace delassus {

struct SystemPackageOptions {
  int fmi_version = 2;  // of scenes and controllers; SSP 1.0 was made for FMI 2
  bool reference = true;
  std::vector<std::string> platforms = {};  // of their binaries; empty: all that there are
  ReferenceWatch watch = {};                // of the experiments of scenes and controllers
};

// The files of the package by their names in the archive. The first source is its SystemStructure.ssd, the others are
// variants under their own file names. A structure that is a component becomes a package inside. Throws StructureError
// and what packing and reading throw.
std::map<std::string, std::string> package_system(
    std::vector<std::shared_ptr<const StructureSource>> const& sources, SystemPackageOptions const& options);

}  // namespace delassus
