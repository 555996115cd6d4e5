// documentation/index.html of an FMU: what it is, its variables, its equations in words and how to load it;
// written from the variable table.
#pragma once

#include <string>

#include "fmu/model.hpp"

namespace delassus {

std::string write_documentation(Model const& model, int fmi_version, bool has_scene);

}  // namespace delassus
