// Dozens of like findings as a few: what a person reads. Programs get all of them.
#pragma once

#include <vector>

#include "xml/text/finding.hpp"

namespace delassus {

// Of findings of one rule in one file the first ones stay, and one more says how many others there are.
std::vector<Finding> folded(std::vector<Finding> const& findings);

}  // namespace delassus
