// The elements and attributes of all SSP files, and the check against them. Inner header.
#pragma once

#include <string>
#include <vector>

#include "model/scene/source.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

// Removes name-space prefixes from elements, recursively, because files may use different prefixes. The
// content of annotations is left unchanged.
SourceElement without_prefixes(SourceElement element);

// Findings of the rule "structure-name", for an element without prefixes and everything inside it.
std::vector<Finding> check_structure_names(SourceElement const& root, std::string const& file);

}  // namespace delassus
