#include "xml/fmi/description_reader.hpp"

#include <string_view>

#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"
#include "xml/text/tree_reader.hpp"

namespace delassus {
namespace {

std::optional<std::string> optional_attribute(SourceElement const& element, std::string_view name) {
  for (auto const& attribute : element.attributes) {
    if (attribute.name == name) return attribute.value;
  }
  return std::nullopt;
}

std::string attribute(SourceElement const& element, std::string_view name) {
  return optional_attribute(element, name).value_or(std::string{});
}

std::map<std::string, std::string> attributes_of(SourceElement const& element) {
  std::map<std::string, std::string> attributes;
  for (auto const& each : element.attributes) attributes.emplace(each.name, each.value);
  return attributes;
}

template <typename Integer>
std::optional<Integer> integer_attribute(SourceElement const& element, std::string_view name) {
  auto const text = optional_attribute(element, name);
  return text ? parse_integer<Integer>(*text) : std::nullopt;
}

int version_of(SourceElement const& root) {
  auto const version = attribute(root, "fmiVersion");
  return version.starts_with("2.") ? 2 : version.starts_with("3.") ? 3 : 0;
}

DescribedUnit read_unit(SourceElement const& element) {
  DescribedUnit unit{element.line, attribute(element, "name"), {}, {}};
  for (auto const& child : element.children) {
    if (child.name == "BaseUnit") unit.base_unit = attributes_of(child);
    if (child.name != "DisplayUnit") continue;
    std::string const inverse = attribute(child, "inverse");
    unit.display_units.push_back({attribute(child, "name"), attribute(child, "factor"),
                                  attribute(child, "offset"), inverse == "true" || inverse == "1"});
  }
  return unit;
}

// FMI 2 names a type on <SimpleType> and specifies it on the element inside; FMI 3 does both on one element.
DescribedType read_type(SourceElement const& element, int version) {
  SourceElement const none;
  auto const& specific = version == 3 ? element : element.children.empty() ? none : element.children.front();
  DescribedType type;
  type.line = element.line;
  type.type = type_of_element(version, specific.name);
  if (version == 3 && type.type.ends_with("Type")) type.type.resize(type.type.size() - 4);
  type.name = attribute(element, "name");
  type.description = attribute(element, "description");
  type.unit = attribute(specific, "unit");
  type.display_unit = attribute(specific, "displayUnit");
  type.minimum = attribute(specific, "min");
  type.maximum = attribute(specific, "max");
  type.nominal = attribute(specific, "nominal");
  type.quantity = attribute(specific, "quantity");
  for (auto const& child : specific.children) {
    if (child.name != "Item") continue;
    type.items.push_back(
        {child.line, attribute(child, "name"), attribute(child, "value"), attribute(child, "description")});
  }
  return type;
}

bool is_annotation(std::string const& name) {
  return name == "Annotations" || name == "VendorAnnotations";
}

SourceElement const* type_child(SourceElement const& scalar_variable) {
  for (auto const& child : scalar_variable.children) {
    if (!is_annotation(child.name)) return &child;
  }
  return nullptr;
}

DescribedVariable read_variable(SourceElement const& element, int version) {
  SourceElement const none;
  auto const* const inside = version == 3 ? &element : type_child(element);
  auto const& specific = inside == nullptr ? none : *inside;
  DescribedVariable variable;
  variable.line = element.line;
  variable.version = version;
  variable.type = type_of_element(version, specific.name);
  variable.name = attribute(element, "name");
  variable.description = attribute(element, "description");
  variable.value_reference = integer_attribute<std::uint32_t>(element, "valueReference");
  variable.causality = attribute(element, "causality");
  variable.variability = attribute(element, "variability");
  variable.initial = attribute(element, "initial");
  variable.can_handle_multiple_set =
      parse_boolean(attribute(element, "canHandleMultipleSetPerTimeInstant")).value_or(false);
  variable.start = optional_attribute(specific, "start");
  variable.unit = attribute(specific, "unit");
  variable.display_unit = attribute(specific, "displayUnit");
  variable.declared_type = attribute(specific, "declaredType");
  variable.minimum = attribute(specific, "min");
  variable.maximum = attribute(specific, "max");
  variable.nominal = attribute(specific, "nominal");
  variable.quantity = attribute(specific, "quantity");
  variable.derivative = attribute(specific, "derivative");
  variable.intermediate_update = attribute(element, "intermediateUpdate");
  variable.interval_variability = attribute(element, "intervalVariability");
  variable.interval_decimal = attribute(element, "intervalDecimal");
  if (auto const clocks = optional_attribute(element, "clocks")) {
    variable.clocks = parse_integers<std::uint32_t>(*clocks);
  }
  if (version != 3) return variable;
  for (auto const& child : element.children) {
    if (child.name == "Dimension") {
      variable.dimensions.push_back({integer_attribute<std::uint64_t>(child, "start"),
                                     integer_attribute<std::uint32_t>(child, "valueReference")});
    } else if (child.name == "Start") {
      variable.start_elements.push_back(attribute(child, "value"));
    } else if (child.name == "Alias") {
      variable.aliases.push_back({child.line, attribute(child, "name"), attribute(child, "description"),
                                  attribute(child, "displayUnit")});
    }
  }
  return variable;
}

DescribedUnknown read_unknown(SourceElement const& element, std::string const& list, int version) {
  DescribedUnknown unknown;
  unknown.line = element.line;
  unknown.list = list;
  unknown.reference =
      integer_attribute<std::uint32_t>(element, version == 2 ? "index" : "valueReference").value_or(0);
  if (auto const text = optional_attribute(element, "dependencies")) {
    unknown.dependencies = parse_integers<std::uint64_t>(*text);
  }
  if (auto const text = optional_attribute(element, "dependenciesKind")) {
    auto const words = split_at_blanks(*text);
    unknown.dependencies_kind.emplace(words.begin(), words.end());
  }
  return unknown;
}

void read_structure(ModelDescription& description, SourceElement const& element) {
  for (auto const& child : element.children) {
    if (is_annotation(child.name)) continue;
    if (description.version == 3) {
      description.model_structure.push_back(read_unknown(child, child.name, 3));
      continue;
    }
    for (auto const& unknown : child.children) {
      description.model_structure.push_back(read_unknown(unknown, child.name, 2));
    }
  }
}

void read_section(ModelDescription& description, SourceElement const& section) {
  auto const& name = section.name;
  if (name == "CoSimulation" || name == "ModelExchange" || name == "ScheduledExecution") {
    description.interfaces.push_back({section.line, name, attributes_of(section)});
  } else if (name == "UnitDefinitions") {
    for (auto const& unit : section.children) description.units.push_back(read_unit(unit));
  } else if (name == "TypeDefinitions") {
    for (auto const& type : section.children)
      description.types.push_back(read_type(type, description.version));
  } else if (name == "LogCategories") {
    for (auto const& category : section.children) {
      description.log_categories.push_back(
          {category.line, attribute(category, "name"), attribute(category, "description")});
    }
  } else if (name == "DefaultExperiment") {
    description.default_experiment = ModelDescription::Experiment{
        section.line, optional_attribute(section, "startTime"), optional_attribute(section, "stopTime"),
        optional_attribute(section, "tolerance"), optional_attribute(section, "stepSize")};
  } else if (name == "ModelVariables") {
    for (auto const& variable : section.children) {
      description.variables.push_back(read_variable(variable, description.version));
    }
  } else if (name == "ModelStructure") {
    read_structure(description, section);
  }
}

void keep_elements(ModelDescription& description, SourceElement const& element, std::string const& parent) {
  description.elements.push_back({element.line, parent, element.name, attributes_of(element)});
  if (is_annotation(element.name)) return;
  for (auto const& child : element.children) keep_elements(description, child, element.name);
}

}  // namespace

ModelDescription read_model_description(std::string const& text, std::string const& file) {
  SourceElement root;
  try {
    root = read_tree(text, description_limits);
  } catch (XmlError const& error) {
    throw DescriptionError(file, error.line(), error.what());
  }
  if (root.name != "fmiModelDescription") {
    throw DescriptionError(
        file, root.line,
        "the root element is <" + root.name + ">; a model description has <fmiModelDescription>");
  }
  ModelDescription description;
  description.file = file;
  description.line = root.line;
  description.version = version_of(root);
  description.attributes = attributes_of(root);
  keep_elements(description, root, "");
  if (description.version == 0) return description;
  for (auto const& section : root.children) read_section(description, section);
  return description;
}

}  // namespace delassus
