// The rules that a modelDescription.xml has to keep beyond its schema, each with a name. They check only the
// description. The tools run an FMU to check whether it does what it declares.
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
  std::string_view demand;  // what the rule demands of a description
};

// Every rule that a finding can name, in the order of xml/RULES.md.
std::span<const Rule> all_rules();

// Sorted by line. A description that was not read from text has no elements, so the rules on names of
// elements and attributes find nothing. To check these too, write it and read it back.
std::vector<Finding> check_description(ModelDescription const& description);

}  // namespace delassus
