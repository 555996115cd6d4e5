// Whether time can advance: doubles have 16 digits, and where a time is large beside the steps that are made from it, these
// are lost in its last digits.
#pragma once

#include <string_view>

#include "fmu/instance/status.hpp"

namespace delassus {

// Throws SlaveError where a time is no finite number, or larger than <experiment> allows.
void check_time(std::string_view what, double seconds, Status status = Status::error);

// Throws SlaveError where neighbouring doubles at `seconds` are not at least a hundred times nearer than `step`, the value of
// the variable `name`.
void check_resolution(std::string_view what, double seconds, std::string_view name, double step);

}  // namespace delassus
