// Whether a controller that was read from bytes is one that the compiler could have made: its law finds the inputs,
// outputs and parameters that it works with.
#pragma once

#include "model/control/controller.hpp"

namespace delassus {

void check_controller(Controller const& controller);  // throws std::runtime_error with the reason

}  // namespace delassus
