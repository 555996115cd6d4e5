// terminalsAndIcons.xml: groups variables of an FMU into mechanical connectors (FMI 3.0, 2.4.9; FMI 2.0.4 and
// later use the same file).
#pragma once

#include <string>
#include <vector>

#include "fmu/table/variable_table.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

// How members of connected terminals relate: their values are equal, or sum up to zero.
enum class MemberKind { signal, inflow };

struct TerminalMember {
  std::string name;           // in the terminal: members of two terminals are matched by it
  std::string variable_name;  // in the FMU
  MemberKind kind = MemberKind::signal;
};

struct Terminal {
  std::string name;
  std::string kind;
  std::string description;
  std::vector<TerminalMember> members;
};

// One terminal for each body (position, velocity, the forces and torques that act on it), each declared
// contact (position, velocity, force) and each driven joint (coordinate, speed, drive). Members are variables
// of the table; a terminal without members is left out. `fmi_version` is 2, where each element of an array is
// a member, or 3.
std::vector<Terminal> terminals_of(Scene const& scene, VariableTable const& table, int fmi_version);

// The icon fills the coordinate system; the pictures lie beside the file as icon.png and icon.svg.
std::string write_terminals_and_icons(std::vector<Terminal> const& terminals);

}  // namespace delassus
