// The resource location that an FMI 2 importer passes: a percent-encoded URI, `file:/x`, `file:///x` or
// `file://localhost/x`. Some importers pass plain paths.
#pragma once

#include <string>
#include <string_view>

namespace delassus {

std::string path_from_resource_location(std::string_view location);  // throws std::runtime_error

}  // namespace delassus
