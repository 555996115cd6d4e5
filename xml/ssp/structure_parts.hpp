// Shared by the readers of system structures, parameter sets and parameter mappings. Inner header.
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
// A text that is not a number is already a finding of "structure-name".
double number(SourceElement const& element, std::string_view name, double fallback);
std::optional<double> optional_number(SourceElement const& element, std::string_view name);
bool boolean(SourceElement const& element, std::string_view name);
SourceElement const* child_named(SourceElement const& element, std::string_view name);

// From the root of a file.
std::vector<StructureUnit> read_units(SourceElement const& parent);
std::vector<StructureEnumeration> read_enumerations(SourceElement const& parent);
Transformation read_transformation(SourceElement const& parent);

// From an element inside a structure, or from the root of a file.
ParameterSet parameter_set(SourceElement const& element, std::string const& file);
ParameterMapping parameter_mapping(SourceElement const& element, std::string const& file);

// The root without prefixes. Throws StructureError, also if the root is not `expected`; `what` describes the
// kind of file.
SourceElement read_root(std::string const& text, std::string const& file, std::string_view expected,
                        std::string_view what);

template <typename Read>
void add_name_findings(Read& read, SourceElement const& root, std::string const& file) {
  auto const findings = check_structure_names(root, file);
  read.findings.insert(read.findings.end(), findings.begin(), findings.end());
}

}  // namespace delassus::structure_parts
