// Reads the modelDescription.xml of any FMU. Reading fails only if the text is not well-formed XML or is
// hostile. Everything else is kept for the rules to report: an unknown version becomes version 0, a value
// reference that is not a number becomes none.
#pragma once

#include <string>

#include "model/scene/user_error.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

class DescriptionError : public LocatedError {
 public:
  using LocatedError::LocatedError;
};

// `file` is only for messages. Throws DescriptionError.
ModelDescription read_model_description(std::string const& text, std::string const& file);

}  // namespace delassus
