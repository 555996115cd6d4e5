// Writes a description as the text of a modelDescription.xml. Annotations and source files of a foreign
// description are not part of ModelDescription and are not written.
#pragma once

#include <string>

#include "xml/fmi/description.hpp"

namespace delassus {

// UTF-8, indented, the same bytes for the same description. Throws std::invalid_argument for a text that XML
// cannot represent, and for a variable without a type.
std::string write_model_description(ModelDescription const& description);

}  // namespace delassus
