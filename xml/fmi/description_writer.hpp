// A description as the text of a modelDescription.xml. What a ModelDescription has no place for (annotations,
// source files) cannot be written: of a foreign description that was read, the text holds what the structs
// hold.
#pragma once

#include <string>

#include "xml/fmi/description.hpp"

namespace delassus {

// UTF-8, indented, the same bytes for the same description. Throws std::invalid_argument for a text that XML
// cannot carry, and for a variable without a type.
std::string write_model_description(ModelDescription const& description);

}  // namespace delassus
