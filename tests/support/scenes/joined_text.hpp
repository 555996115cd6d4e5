// Scenes of tests, put together from words and numbers.
#pragma once

#include <sstream>
#include <string>

namespace delassus {

// Numbers with all their digits.
template <class... Parts>
std::string text(Parts const&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

}  // namespace delassus
