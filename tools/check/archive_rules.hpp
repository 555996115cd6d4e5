// What is in an FMU beside its description, looked at without running or unpacking anything: places of files,
// binaries, terminals, build description, manifests.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "tools/support/zip_archive.hpp"
#include "xml/fmi/description.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

// `schema_folder`: with the standard's .xsd files, to validate the XML files beside the description as well.
std::vector<Finding> check_contents(Archive const& archive, ModelDescription const& description,
                                    std::optional<std::filesystem::path> const& schema_folder);

// A file of that name in the folder, or in fmi2/ or fmi3/ below it.
std::optional<std::filesystem::path> find_schema(std::filesystem::path const& folder, int version,
                                                 std::string const& name);

}  // namespace delassus
