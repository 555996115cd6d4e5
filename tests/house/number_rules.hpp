// What keeps numbers the same on every processor: the rooms call no function whose last digits the standard leaves to a
// library. tests/fmu/same_bits_test.cpp looks at the linked binary, where nothing can hide.
#pragma once

#include "tests/house/house_rules.hpp"

namespace delassus::house {

// Elementary functions and distributions of the standard library, and functions of Eigen that call them. In the rooms of
// the FMU also std::fmin and fmax, which may answer a zero of either sign, and std::fma, which some libraries round twice.
Findings functions_of_the_c_library(std::filesystem::path const& root, std::vector<Room> const& rooms);

}  // namespace delassus::house
