// The answer to a question that may be too large to decide.
#pragma once

#include <string_view>

namespace delassus {

enum class Certainty { no, yes, unknown };

constexpr Certainty certainty(bool answer) {
  return answer ? Certainty::yes : Certainty::no;
}

// Whether both hold.
constexpr Certainty both(Certainty one, Certainty other) {
  if (one == Certainty::no || other == Certainty::no) return Certainty::no;
  return one == Certainty::yes ? other : one;
}

constexpr std::string_view text(Certainty answer) {
  switch (answer) {
    case Certainty::no:
      return "no";
    case Certainty::yes:
      return "yes";
    case Certainty::unknown:
      return "unknown";
  }
  return "?";
}

}  // namespace delassus
