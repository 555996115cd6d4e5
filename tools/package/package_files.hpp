// From a scene or controller to an .fmu: the description, its compiled form, the documentation, terminals and icon, reference results and
// the prebuilt binaries in one archive. The same source gives the same bytes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fmu/content/model.hpp"
#include "tools/package/reference_run.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

struct PackageOptions {
  std::string scene_text =
      {};                  // where not empty, it is packed as documentation, so that the FMU has its source
  bool reference = false;  // run the default experiment and pack its results
  std::vector<std::string> platforms = {};  // FMI 3's or FMI 2's names; empty: all that there are
  ReferenceWatch watch = {};                // of that experiment; it is left out where the limit is reached
  // terminalsAndIcons.xml in FMI 2, too. FMI 2.0.4 takes it from FMI 3 with FMI 3's version in it; FMI Library takes that
  // version for a mistake and reports it for every such FMU.
  bool terminals_in_fmi2 = false;
};

// The files of the package by their names in the archive; `description` is package_description's. Throws CommandError
// where the binaries are not found, where a platform is not among them, and where the reference run fails.
std::map<std::string, std::string> package_files(Model const& model, ModelDescription const& description,
                                                 PackageOptions const& options);
std::map<std::string, std::string> package_files(Model const& model, int fmi_version,
                                                 PackageOptions const& options);

// For this machine only and without reference results: what a run on the fly needs.
std::map<std::string, std::string> package_files(Model const& model, int fmi_version,
                                                 std::string const& scene_text);

}  // namespace delassus
