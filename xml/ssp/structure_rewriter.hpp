// The text of a system structure with other sources: what a package needs whose FMUs lie in resources/. Everything
// else stays as it was written, the annotations and geometry of other tools included.
#pragma once

#include <map>
#include <string>

namespace delassus {

struct ComponentReplacement {
  std::string source;
  std::string type;  // empty: the standard's default, an FMU
};

struct SourceReplacements {
  std::map<std::string, ComponentReplacement> components;  // by the source that is written
  std::map<std::string, std::string> files;                // of parameters, mappings and icons, likewise
};

// A text that read_system_structure has read. Sources that are not replaced stay.
std::string replace_sources(std::string const& text, SourceReplacements const& replacements);

}  // namespace delassus
