// What a system is, for a person and for a script.
#pragma once

#include <string>

#include "tools/cosim/coupled_system.hpp"

namespace delassus {

std::string system_as_text(CosimSystem const& system);
std::string system_as_json(CosimSystem const& system);

}  // namespace delassus
