// From a structure with scenes, controllers and FMUs to an .ssp that other tools take: every source is an FMU in
// resources/, of the standard's type. The same sources give the same bytes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/cosim/coupled_system.hpp"
#include "tools/package/reference_run.hpp"
#include "tools/ssp/structure_source.hpp"
#include "xml/ssp/structure_master.hpp"

namespace delassus {

struct SystemPackageOptions {
  int fmi_version = 2;  // of scenes and controllers; SSP 1.0 was made for FMI 2
  bool reference = true;
  std::vector<std::string> platforms = {};  // of their binaries; empty: all that there are
  ReferenceWatch watch = {};                // of the experiments of scenes and controllers
  bool terminals_in_fmi2 = false;           // as in PackageOptions
};

struct SystemVariant {
  std::shared_ptr<const StructureSource> source;
  FixedStepMaster master;  // told to tools that want an annotation of their own (structure_master.hpp)
};

// The files of the package by their names in the archive. The first variant is its SystemStructure.ssd, the others are
// under their own file names. A structure that is a component becomes a package inside. Throws StructureError and what
// packing and reading throw.
std::map<std::string, std::string> package_system(std::vector<SystemVariant> const& variants,
                                                  SystemPackageOptions const& options);

// How a master of fixed steps has to run the system: the step that `delassus cosim` takes by default, and the tightest
// tolerance that a component has in its default experiment.
FixedStepMaster master_of(CosimSystem const& system);

}  // namespace delassus
