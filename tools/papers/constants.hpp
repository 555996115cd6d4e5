// Numbers that several of the papers use.
#pragma once

#include <numbers>

namespace delassus::paper_constants {

inline constexpr double g = 9.81;  // m/s2
inline constexpr double degree = std::numbers::pi / 180;
// The numbers that an FMU shows for the modes of a contact.
inline constexpr double detached_mode = 1, stick_mode = 2, slip_mode = 3;

}  // namespace delassus::paper_constants
