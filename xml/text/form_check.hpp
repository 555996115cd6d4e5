// Whether a document has the form that the schema of its standard demands: what validation against the XSD finds, without
// the XSD. Tests compare both on tens of thousands of broken documents.
#pragma once

#include <string>
#include <vector>

#include "xml/text/finding.hpp"
#include "xml/text/form_grammar.hpp"

namespace delassus {

// Findings of the rule "schema", in the order of the text. `file` is only for messages. Text that is not well-formed XML, or
// has a DOCTYPE, is one finding. Runs once through the text and keeps only the elements that are open.
std::vector<Finding> check_form(std::string const& text, std::string const& file, DocumentForm const& form);

// Adds those that say something new: not those of elements in whose line an error is known already, by a rule that says more.
void add_form_findings(std::vector<Finding>& findings, std::vector<Finding> const& of_form);

}  // namespace delassus
