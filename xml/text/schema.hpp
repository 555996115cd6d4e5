// Validation against an XSD, for the schemas of the standards.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "xml/text/finding.hpp"

namespace delassus {

// Findings of the rule "schema", also for text that is not well-formed XML. `file` is only for messages.
// Throws std::runtime_error if the schema itself cannot be read.
std::vector<Finding> validate_schema(std::string const& xml_text, std::string const& file,
                                     std::filesystem::path const& xsd);

}  // namespace delassus
