// The resource location that an FMI 2 host passes: a URI, `file:/x`, `file:///x`, `file://localhost/x`,
// percent-encoded; hosts also pass plain paths.
#pragma once

#include <string>
#include <string_view>

namespace delassus {

std::string path_from_resource_location(std::string_view location);  // throws std::runtime_error

}  // namespace delassus
