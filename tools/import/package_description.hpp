// The description that a scene or controller has as an FMU of this program: with its token, date, tool and licence.
#pragma once

#include "fmu/content/model.hpp"
#include "xml/fmi/description.hpp"

namespace delassus {

ModelDescription package_description(Model const& model, int fmi_version);

}  // namespace delassus
