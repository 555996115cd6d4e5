// The facts of an attribute as words, for the pages and schemas that are written from the vocabulary.
#pragma once

#include <string>

#include "model/language/vocabulary.hpp"

namespace delassus {

std::string unit_text(Attribute const& attribute);     // "m", "N.m or N"; empty if it has none
std::string range_text(Attribute const& attribute);    // "> 0"; empty if any value is allowed
std::string default_text(Attribute const& attribute);  // "0", "the ground"; empty if it has none

}  // namespace delassus
