#include "xml/ssp/structure_parts.hpp"

#include <algorithm>

#include "model/scene/unit.hpp"
#include "xml/ssp/structure_reader.hpp"
#include "xml/text/schema_value.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus::structure_parts {

std::optional<std::string> optional_attribute(SourceElement const& element, std::string_view name) {
  for (auto const& attribute : element.attributes) {
    if (attribute.name == name) return attribute.value;
  }
  return std::nullopt;
}

std::string attribute(SourceElement const& element, std::string_view name, std::string_view fallback) {
  return optional_attribute(element, name).value_or(std::string{fallback});
}

double number(SourceElement const& element, std::string_view name, double fallback) {
  auto const text = optional_attribute(element, name);
  return text ? parse_double(*text).value_or(fallback) : fallback;
}

std::optional<double> optional_number(SourceElement const& element, std::string_view name) {
  auto const text = optional_attribute(element, name);
  return text ? parse_double(*text) : std::nullopt;
}

bool boolean(SourceElement const& element, std::string_view name) {
  return parse_boolean(attribute(element, name)).value_or(false);
}

SourceElement const* child_named(SourceElement const& element, std::string_view name) {
  auto const found = std::ranges::find(element.children, name, &SourceElement::name);
  return found == element.children.end() ? nullptr : &*found;
}

std::vector<StructureUnit> read_units(SourceElement const& parent) {
  std::vector<StructureUnit> units;
  auto const* const list = child_named(parent, "Units");
  if (list == nullptr) return units;
  for (auto const& element : list->children) {
    if (element.name != "Unit") continue;
    StructureUnit unit{element.line, attribute(element, "name"), {}, 1, 0};
    if (auto const* const base = child_named(element, "BaseUnit")) {
      for (std::size_t i = 0; i < base_unit_names.size(); ++i)
        unit.exponents[i] = parse_integer<int>(attribute(*base, base_unit_names[i], "0")).value_or(0);
      unit.factor = number(*base, "factor", 1);
      unit.offset = number(*base, "offset", 0);
    }
    units.push_back(std::move(unit));
  }
  return units;
}

std::vector<StructureEnumeration> read_enumerations(SourceElement const& parent) {
  std::vector<StructureEnumeration> enumerations;
  auto const* const list = child_named(parent, "Enumerations");
  if (list == nullptr) return enumerations;
  for (auto const& element : list->children) {
    StructureEnumeration enumeration{element.line, attribute(element, "name"), {}};
    for (auto const& item : element.children) {
      if (item.name != "Item") continue;
      enumeration.items.push_back(
          {attribute(item, "name"), parse_integer<std::int64_t>(attribute(item, "value")).value_or(0)});
    }
    enumerations.push_back(std::move(enumeration));
  }
  return enumerations;
}

Transformation read_transformation(SourceElement const& parent) {
  for (auto const& child : parent.children) {
    if (!child.name.ends_with("Transformation")) continue;
    Transformation transformation{
        child.line, child.name, number(child, "factor", 1), number(child, "offset", 0), {}};
    for (auto const& entry : child.children) {
      if (entry.name == "MapEntry")
        transformation.entries.emplace_back(attribute(entry, "source"), attribute(entry, "target"));
    }
    return transformation;
  }
  return {};
}

SourceElement read_root(std::string const& text, std::string const& file, std::string_view expected,
                        std::string_view what) {
  SourceElement root;
  try {
    root = without_prefixes(read_tree(text, description_limits));
  } catch (XmlError const& error) {
    throw StructureError(file, error.line(), error.what());
  }
  if (root.name != expected) {
    throw StructureError(file, root.line,
                         "the root element is <" + root.name + ">; " + std::string{what} + " has <" +
                             std::string{expected} + ">");
  }
  return root;
}

}  // namespace delassus::structure_parts
