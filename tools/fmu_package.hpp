// From a scene to an .fmu: the description, the compiled scene, the documentation and the prebuilt binaries
// in one archive. The same scene gives the same bytes.
#pragma once

#include <map>
#include <string>

#include "fmu/model.hpp"
#include "xml/model_description.hpp"

namespace delassus {

ModelDescription package_description(Model const& model, int fmi_version);

// The files of the package by their names in the archive. `scene_text`, where not empty, goes along as
// documentation: whoever has the FMU has its source. Throws CommandError where the binaries are not found.
std::map<std::string, std::string> package_files(Model const& model, int fmi_version,
                                                 std::string const& scene_text);

}  // namespace delassus
