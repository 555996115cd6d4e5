#include "xml/ssp/structure_parts.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace structure_parts {
namespace {

// The numbers of an array stand in one attribute. Texts and items, which may contain blanks, stand in
// elements.
std::vector<std::string> read_values(SourceElement const& type) {
  std::vector<std::string> values;
  for (auto const& child : type.children) {
    if (child.name == "Value") values.push_back(attribute(child, "value"));
  }
  if (!values.empty()) return values;
  auto const text = optional_attribute(type, "value");
  if (!text) return {};
  if (type.name == "String" || type.name == "Enumeration" || type.name == "Binary") return {*text};
  for (auto const word : split_at_blanks(*text)) values.emplace_back(word);
  return values;
}

}  // namespace

ParameterSet parameter_set(SourceElement const& element, std::string const& file) {
  ParameterSet set{file, element.line,        attribute(element, "name"),
                   {},   read_units(element), read_enumerations(element),
                   {}};
  auto const* const list = child_named(element, "Parameters");
  if (list == nullptr) return set;
  for (auto const& each : list->children) {
    StructureParameter parameter{each.line, attribute(each, "name"), {}, {}, {}, {}};
    for (auto const& type : each.children) {
      if (structure_value_type(type.name).empty()) continue;
      parameter.type = type.name;
      parameter.values = read_values(type);
      parameter.unit = attribute(type, "unit");
      parameter.enumeration = attribute(type, "name");
    }
    if (parameter.type.empty())
      set.findings.push_back(
          {"structure-name", Severity::error, file, each.line,
           "the parameter \"" + parameter.name + "\" has no value",
           "put <Real value=\"...\"/>, <Integer>, <Boolean>, <String> or <Enumeration> inside"});
    set.parameters.push_back(std::move(parameter));
  }
  return set;
}

ParameterMapping parameter_mapping(SourceElement const& element, std::string const& file) {
  ParameterMapping mapping{file, element.line, {}, {}};
  for (auto const& entry : element.children) {
    if (entry.name != "MappingEntry") continue;
    mapping.entries.push_back({entry.line, attribute(entry, "source"), attribute(entry, "target"),
                               boolean(entry, "suppressUnitConversion"), read_transformation(entry)});
  }
  return mapping;
}

}  // namespace structure_parts

using namespace structure_parts;

ParameterSet read_parameter_set(std::string const& text, std::string const& file) {
  auto const root = read_root(text, file, "ParameterSet", "a parameter set");
  ParameterSet set = parameter_set(root, file);
  add_name_findings(set, root, file);
  return set;
}

ParameterMapping read_parameter_mapping(std::string const& text, std::string const& file) {
  auto const root = read_root(text, file, "ParameterMapping", "a parameter mapping");
  ParameterMapping mapping = parameter_mapping(root, file);
  add_name_findings(mapping, root, file);
  return mapping;
}

}  // namespace delassus
