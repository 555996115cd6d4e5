// What the readers of system structures, parameter sets and parameter mappings share. For this room only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scene/source.hpp"
#include "xml/ssp/structure.hpp"
#include "xml/ssp/structure_names.hpp"

namespace delassus::structure_parts {

std::optional<std::string> optional_attribute(SourceElement const& element, std::string_view name);
std::string attribute(SourceElement const& element, std::string_view name, std::string_view fallback = "");
// What is no number is a finding already, by its name.
double number(SourceElement const& element, std::string_view name, double fallback);
std::optional<double> optional_number(SourceElement const& element, std::string_view name);
bool boolean(SourceElement const& element, std::string_view name);
SourceElement const* child_named(SourceElement const& element, std::string_view name);

// Of the root of a file.
std::vector<StructureUnit> read_units(SourceElement const& parent);
std::vector<StructureEnumeration> read_enumerations(SourceElement const& parent);
Transformation read_transformation(SourceElement const& parent);

// Inline in a structure, or the root of a file.
ParameterSet parameter_set(SourceElement const& element, std::string const& file);
ParameterMapping parameter_mapping(SourceElement const& element, std::string const& file);

// Without prefixes. Throws StructureError, also for another root than `expected`; `what` has it, in words.
SourceElement read_root(std::string const& text, std::string const& file, std::string_view expected,
                        std::string_view what);

template <typename Read>
void add_name_findings(Read& read, SourceElement const& root, std::string const& file) {
  auto const findings = check_structure_names(root, file);
  read.findings.insert(read.findings.end(), findings.begin(), findings.end());
}

}  // namespace delassus::structure_parts
