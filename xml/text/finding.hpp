// A finding of a check: rule, place, message and remedy.
#pragma once

#include <string>
#include <string_view>

namespace delassus {

// A note is information and not a violation of a standard.
enum class Severity { error, warning, note };

constexpr std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

struct Finding {
  std::string rule;  // kebab-case, one of all_rules()
  Severity severity = Severity::error;
  std::string file;
  int line = 0;
  std::string message;
  std::string remedy;
  // An error against the standard that a run can put up with: `check` reports it as what it is, a run only warns.
  bool tolerated = false;
};

}  // namespace delassus
