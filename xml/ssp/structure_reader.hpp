// System structures (.ssd), parameter sets (.ssv) and parameter mappings (.ssm) from XML text, of SSP 1.0 and
// 2.0. Reading fails only if the text is not well-formed XML, is hostile, or is another kind of file.
// Misspelt or missing words and wrong values become findings.
#pragma once

#include <string>

#include "model/scene/user_error.hpp"
#include "xml/ssp/structure.hpp"

namespace delassus {

class StructureError : public LocatedError {
 public:
  using LocatedError::LocatedError;
};

// `file` is only for messages. All throw StructureError.
SystemStructure read_system_structure(std::string const& text, std::string const& file);
ParameterSet read_parameter_set(std::string const& text, std::string const& file);
ParameterMapping read_parameter_mapping(std::string const& text, std::string const& file);

// Whether a text looks like a system structure and not like a scene: by its root element.
bool is_system_structure(std::string const& text);

}  // namespace delassus
