// The form of the XML files of an FMU, as the schemas of FMI 2.0 and 3.0 demand it. check_form (xml/text/form_check.hpp)
// applies them; standard.hpp has the same names for the writer and for rules that say more than a schema.
#pragma once

#include "xml/text/form_grammar.hpp"

namespace delassus {

DocumentForm const& description_form(int version);  // 2 or 3
DocumentForm const& terminals_form();
DocumentForm const& build_description_form();

}  // namespace delassus
