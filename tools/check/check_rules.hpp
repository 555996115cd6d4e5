// The rules that `delassus check` adds to those of the XML files: the archive, the shared library, and what only
// a run can show.
#pragma once

#include <span>
#include <string_view>

#include "xml/fmi/rules.hpp"

namespace delassus {

std::span<const Rule> check_rules();  // in the order of the README
Rule const& check_rule(std::string_view name);

}  // namespace delassus
