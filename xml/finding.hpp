// What a check found: which rule, where, what is wrong and what to write instead.
#pragma once

#include <string>

namespace delassus {

enum class Severity { error, warning };

struct Finding {
  std::string rule;  // kebab-case, one of all_rules()
  Severity severity = Severity::error;
  std::string file;
  int line = 0;
  std::string message;
  std::string remedy;
};

}  // namespace delassus
