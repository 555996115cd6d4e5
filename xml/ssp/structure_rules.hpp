// The rules that a system structure has to keep beyond its schema. Those that need the components themselves
// (whether an FMU has the variable) are found where the system is put together, in tools/; all rules are listed
// here.
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

// What reading found and what the structure says by itself, sorted by line.
std::vector<Finding> check_structure(SystemStructure const& structure);

// Where the data goes. `start` and `end` of a connection say nothing of it, the kinds do (SSP 2.0, 5.3.2.1).
enum class Flow { to_end, to_start, none };
struct ConnectionEnd {
  std::string_view kind;
  bool of_system = false;  // of the enclosing one, seen from inside
};
Flow connection_flow(ConnectionEnd const& start, ConnectionEnd const& end);

}  // namespace delassus
