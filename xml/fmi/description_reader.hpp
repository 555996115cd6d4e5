// Any FMU's modelDescription.xml as data. Reading fails only for text that is no well-formed XML or that is
// hostile; whatever else may be wrong is kept as it stands for the rules to report: an unknown version gives
// version 0, a value reference that is no number gives none.
#pragma once

#include <string>

#include "model/scene/user_error.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

class DescriptionError : public LocatedError {
 public:
  using LocatedError::LocatedError;
};

// `file` is for messages alone. Throws DescriptionError.
ModelDescription read_model_description(std::string const& text, std::string const& file);

}  // namespace delassus
