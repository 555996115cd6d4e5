// The syntax of structured variable names (FMI 2.0.4, 2.2.9; FMI 3.0, 2.4.7.5.1).
#pragma once

#include <string_view>

namespace delassus {

// name = identifier | "der(" identifier ["," unsignedInteger] ")"
bool is_structured_name(std::string_view name);

}  // namespace delassus
