// The parameter bindings of a structure, resolved in the order of the standard (SSP 1.0, 5.2.3): later bindings of an
// element before earlier ones, and those of a system before those of its elements.
#pragma once

#include "tools/ssp/system_connections.hpp"
#include "tools/ssp/system_instance.hpp"

namespace delassus {

// Fills the settings of the components of `system`.
void apply_parameters(SystemInstance const& root, ConnectionGraph const& graph, CosimSystem& system,
                      FindingList& findings);

// What a binding of an element refers to: in its own text, in a file that `scope` finds, or inside of its FMU. Throws
// StructureError and what reading throws.
ParameterSet load_parameter_set(SystemInstance const& instance, StructureSource const& scope,
                                ParameterBinding const& binding);
ParameterMapping load_parameter_mapping(SystemInstance const& instance, StructureSource const& scope,
                                        ParameterBinding::Mapping const& mapping);

}  // namespace delassus
