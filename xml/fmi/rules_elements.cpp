// Names of elements and attributes, and the form of their values. The schemas do not replace this: that of
// FMI 3 has a lax anyAttribute on the interface types, so a misspelt capability is valid and reads as false.
#include <algorithm>

#include "model/language/vocabulary.hpp"
#include "xml/fmi/rule_context.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// Value references and indexes are 32 bits wide; a dimension's start has 64.
bool too_large(DescribedElement const& element, StandardAttribute const& attribute,
               std::string const& value) {
  static constexpr std::string_view references[] = {"valueReference", "index", "derivative", "previous"};
  bool const reference =
      std::find(std::begin(references), std::end(references), attribute.name) != std::end(references);
  return reference && element.name != "Item" && !parse_integer<std::uint32_t>(value);
}

std::string remedy_for_unknown(RuleContext const& context, DescribedElement const& element,
                               StandardElement const& standard, std::string const& name) {
  std::vector<std::string_view> known;
  for (auto const& attribute : standard.attributes) known.push_back(attribute.name);
  if (auto const near = did_you_mean(name, known)) return "write " + std::string{*near};
  auto const other = context.version() == 2 ? 3 : 2;
  auto const* const in_other = find_standard_element(other, element.parent, element.name);
  if (in_other != nullptr && in_other->attribute(name) != nullptr) {
    return "remove it: FMI " + std::to_string(other) + " has it, FMI " + std::to_string(context.version()) +
           " has not";
  }
  return "remove it, or give it a name space of your own where the standard allows one";
}

void check_attributes(RuleContext& context, DescribedElement const& element,
                      StandardElement const& standard) {
  for (auto const& attribute : standard.attributes) {
    if (attribute.required && !element.attributes.contains(std::string{attribute.name})) {
      context.report("missing-attribute", element.line,
                     "<" + element.name + "> has no " + std::string{attribute.name},
                     "add the attribute " + std::string{attribute.name});
    }
  }
  for (auto const& [name, value] : element.attributes) {
    if (name.find(':') != std::string::npos) continue;  // belongs to a name space
    auto const* const attribute = standard.attribute(name);
    if (attribute == nullptr) {
      context.report("unknown-attribute", element.line,
                     "<" + element.name + "> has the attribute " + name + ", which FMI " +
                         std::to_string(context.version()) + " does not name there",
                     remedy_for_unknown(context, element, standard, name));
      continue;
    }
    auto expected = expected_instead(*attribute, value);
    if (!expected && too_large(element, *attribute, value)) expected = "a number below 4294967296";
    if (expected) {
      context.report("attribute-value", element.line,
                     "<" + element.name + "> has " + name + "=\"" + value + "\"", "write " + *expected);
    }
  }
}

}  // namespace

void check_elements(RuleContext& context) {
  for (auto const& element : context.description().elements) {
    if (element.name.find(':') != std::string::npos) continue;
    auto const* const standard = find_standard_element(context.version(), element.parent, element.name);
    if (standard == nullptr) {
      context.report("unknown-element", element.line,
                     "<" + element.name + "> inside <" + element.parent + "> is not an element of FMI " +
                         std::to_string(context.version()),
                     "remove it, or move it to the place that the schema gives it");
      continue;
    }
    check_attributes(context, element, *standard);

    auto const causality = element.attributes.find("causality");
    if (element.attributes.contains("canHandleMultipleSetPerTimeInstant") &&
        (causality == element.attributes.end() || causality->second != "input")) {
      context.report("multiple-set", element.line,
                     "canHandleMultipleSetPerTimeInstant is on a variable that is not an input",
                     "remove the attribute: only inputs can be set at a time instant");
    }
  }
}

}  // namespace delassus
