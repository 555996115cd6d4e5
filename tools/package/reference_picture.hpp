// A reference run as a few small pictures for the documentation.
#pragma once

#include <string>

#include "tools/package/reference_run.hpp"

namespace delassus {

// One chart for each unit, of the first outputs that change; empty where none does.
std::string draw_reference(ReferenceRun const& run);

}  // namespace delassus
