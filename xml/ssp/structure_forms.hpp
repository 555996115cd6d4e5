// The form of system structures, parameter sets and parameter mappings, as the schemas of SSP 1.0 demand it: for check_form
// (xml/text/form_check.hpp). A parameter set or mapping inside a system structure is checked, too, which its schema leaves
// open.
#pragma once

#include "xml/text/form_grammar.hpp"

namespace delassus {

DocumentForm const& structure_form();
DocumentForm const& parameter_set_form();
DocumentForm const& parameter_mapping_form();

}  // namespace delassus
