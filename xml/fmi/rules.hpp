// The rules that a modelDescription.xml has to keep beyond its schema, each with a name. They look at the
// description alone; whether an FMU does what it declares is for the tools to find out by running it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "xml/fmi/description.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

struct Rule {
  std::string_view name;
  Severity severity;
  std::string_view demand;  // what a description must do to keep it
};

// Every rule that a finding can name, in the order of xml/RULES.md.
std::span<const Rule> all_rules();

// Sorted by line. A description that was made rather than read keeps no elements, so that the rules on the
// names of elements and attributes have nothing to look at: write it and read it back to check these, too.
std::vector<Finding> check_description(ModelDescription const& description);

}  // namespace delassus
