// The rules that a system structure has to keep beyond its schema. All rules are listed here. Those that need
// the components (for instance whether an FMU has a variable) are checked in tools/, where the system is
// assembled.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "xml/fmi/rules.hpp"
#include "xml/ssp/structure.hpp"
#include "xml/text/finding.hpp"

namespace delassus {

std::span<const Rule> structure_rules();
Finding structure_finding(std::string_view rule, std::string const& file, int line, std::string message,
                          std::string remedy);  // with the rule's severity

// Findings of reading, and of all rules that need only the structure, sorted by line.
std::vector<Finding> check_structure(SystemStructure const& structure);

// The direction of the data. It follows from the kinds of the connectors, not from `start` and `end` (SSP
// 2.0, 5.3.2.1).
enum class Flow { to_end, to_start, none };
struct ConnectionEnd {
  std::string_view kind;
  bool of_system = false;  // a connector of the enclosing system, seen from inside
};
Flow connection_flow(ConnectionEnd const& start, ConnectionEnd const& end);

}  // namespace delassus
