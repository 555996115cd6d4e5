// The elements and attributes that SSP names, in all of its files, and the check against them. For this room
// only.
#pragma once

#include <string>
#include <vector>

#include "model/scene/source.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

// Elements without the prefix of their name space, recursively: files differ in prefixes alone. The insides of
// annotations stay as they are.
SourceElement without_prefixes(SourceElement element);

// Findings of the rule "structure-name", for an element without prefixes and all inside.
std::vector<Finding> check_structure_names(SourceElement const& root, std::string const& file);

}  // namespace delassus
