// What the documentation of a controller's FMU says of its law and of how it is sampled.
#pragma once

#include <string>

#include "fmu/content/controller_model.hpp"

namespace delassus {

std::string control_law_summary(ControllerModel const& model);        // one sentence
std::string control_law_documentation(ControllerModel const& model);  // sections

}  // namespace delassus
