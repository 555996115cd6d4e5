// Replaces the sources in the text of a system structure, for a package whose FMUs lie in resources/.
// Everything else stays as written, including annotations and geometry of other tools.
#pragma once

#include <map>
#include <string>

namespace delassus {

struct ComponentReplacement {
  std::string source;
  std::string type;  // empty: the standard's default, an FMU
};

struct SourceReplacements {
  std::map<std::string, ComponentReplacement> components;  // by the source in the text
  std::map<std::string, std::string> files;                // of parameters, mappings and icons, likewise
};

// `text` must be one that read_system_structure accepts. Other sources stay.
std::string replace_sources(std::string const& text, SourceReplacements const& replacements);

}  // namespace delassus
