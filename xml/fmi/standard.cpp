#include "xml/fmi/standard.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// Attributes are written `name`, `name*` if required, and `name:kind` if their value is not any text. A kind
// with bars lists the allowed words. Values that depend on the type of a variable (start, min, max) are text
// here; their own rules check them.
using AttributeList = std::string_view;

constexpr AttributeList root =
    "description author version copyright license generationTool generationDateAndTime "
    "variableNamingConvention:flat|structured";
constexpr AttributeList exponents =
    "kg:integer m:integer s:integer A:integer K:integer mol:integer cd:integer rad:integer factor:number "
    "offset:number";
constexpr AttributeList experiment = "startTime:number stopTime:number tolerance:number stepSize:number";
constexpr AttributeList item2 = "name* value*:integer description";
constexpr AttributeList named = "name* description";
constexpr AttributeList real_type =
    "quantity unit displayUnit relativeQuantity:boolean min max nominal unbounded:boolean";
constexpr AttributeList integer_type = "quantity min max";
constexpr AttributeList unknown = "dependencies:unsigneds dependenciesKind";
constexpr AttributeList variability = "variability:constant|fixed|tunable|discrete|continuous";
constexpr AttributeList initial = "initial:exact|approx|calculated";
constexpr AttributeList real_variable = "start derivative:unsigned reinit:boolean";

constexpr AttributeList interface2 =
    "modelIdentifier* needsExecutionTool:boolean canBeInstantiatedOnlyOncePerProcess:boolean "
    "canNotUseMemoryManagementFunctions:boolean canGetAndSetFMUstate:boolean canSerializeFMUstate:boolean "
    "providesDirectionalDerivative:boolean";
constexpr AttributeList co_simulation2 =
    "canHandleVariableCommunicationStepSize:boolean canInterpolateInputs:boolean "
    "maxOutputDerivativeOrder:unsigned canRunAsynchronuously:boolean";
constexpr AttributeList variable2 =
    "name* valueReference*:unsigned description "
    "causality:parameter|calculatedParameter|input|output|local|independent";

constexpr AttributeList interface3 =
    "modelIdentifier* needsExecutionTool:boolean canBeInstantiatedOnlyOncePerProcess:boolean "
    "canGetAndSetFMUState:boolean canSerializeFMUState:boolean providesDirectionalDerivatives:boolean "
    "providesAdjointDerivatives:boolean providesPerElementDependencies:boolean";
constexpr AttributeList co_simulation3 =
    "canHandleVariableCommunicationStepSize:boolean fixedInternalStepSize:number "
    "maxOutputDerivativeOrder:unsigned recommendedIntermediateInputSmoothness:integer "
    "providesIntermediateUpdate:boolean mightReturnEarlyFromDoStep:boolean "
    "canReturnEarlyAfterIntermediateUpdate:boolean hasEventMode:boolean "
    "providesEvaluateDiscreteStates:boolean";
constexpr AttributeList variable3 =
    "name* valueReference*:unsigned description "
    "causality:parameter|calculatedParameter|input|output|local|independent|structuralParameter";
constexpr AttributeList variable3_rest = "canHandleMultipleSetPerTimeInstant:boolean clocks:unsigneds";
constexpr AttributeList arrayable =
    "initial:exact|approx|calculated declaredType intermediateUpdate:boolean previous:unsigned";
constexpr AttributeList clock =
    "canBeDeactivated:boolean priority:unsigned "
    "intervalVariability*:constant|fixed|tunable|changing|countdown|triggered intervalDecimal:number "
    "shiftDecimal:number supportsFraction:boolean resolution:unsigned intervalCounter:unsigned "
    "shiftCounter:unsigned";
constexpr AttributeList binary = "mimeType maxSize:unsigned";

struct Row {
  int version;
  std::string_view parent, name;
  std::array<AttributeList, 6> groups{};
};

constexpr Row rows[] = {
    {2,
     "",
     "fmiModelDescription",
     {"fmiVersion* modelName* guid*", root, "numberOfEventIndicators:unsigned"}},
    {2, "fmiModelDescription", "ModelExchange", {interface2, "completedIntegratorStepNotNeeded:boolean"}},
    {2, "fmiModelDescription", "CoSimulation", {interface2, co_simulation2}},
    {2, "ModelExchange", "SourceFiles"},
    {2, "CoSimulation", "SourceFiles"},
    {2, "SourceFiles", "File", {"name*"}},
    {2, "fmiModelDescription", "UnitDefinitions"},
    {2, "UnitDefinitions", "Unit", {"name*"}},
    {2, "Unit", "BaseUnit", {exponents}},
    {2, "Unit", "DisplayUnit", {"name* factor:number offset:number"}},
    {2, "fmiModelDescription", "TypeDefinitions"},
    {2, "TypeDefinitions", "SimpleType", {named}},
    {2, "SimpleType", "Real", {real_type}},
    {2, "SimpleType", "Integer", {integer_type}},
    {2, "SimpleType", "Boolean"},
    {2, "SimpleType", "String"},
    {2, "SimpleType", "Enumeration", {"quantity"}},
    {2, "Enumeration", "Item", {item2}},
    {2, "fmiModelDescription", "LogCategories"},
    {2, "LogCategories", "Category", {named}},
    {2, "fmiModelDescription", "DefaultExperiment", {experiment}},
    {2, "fmiModelDescription", "VendorAnnotations"},
    {2, "fmiModelDescription", "ModelVariables"},
    {2,
     "ModelVariables",
     "ScalarVariable",
     {variable2, variability, initial, "canHandleMultipleSetPerTimeInstant:boolean"}},
    {2, "ScalarVariable", "Real", {"declaredType", real_type, real_variable}},
    {2, "ScalarVariable", "Integer", {"declaredType", integer_type, "start"}},
    {2, "ScalarVariable", "Boolean", {"declaredType start"}},
    {2, "ScalarVariable", "String", {"declaredType start"}},
    {2, "ScalarVariable", "Enumeration", {"declaredType*", integer_type, "start"}},
    {2, "ScalarVariable", "Annotations"},
    {2, "fmiModelDescription", "ModelStructure"},
    {2, "ModelStructure", "Outputs"},
    {2, "ModelStructure", "Derivatives"},
    {2, "ModelStructure", "InitialUnknowns"},
    {2, "Outputs", "Unknown", {"index*:unsigned", unknown}},
    {2, "Derivatives", "Unknown", {"index*:unsigned", unknown}},
    {2, "InitialUnknowns", "Unknown", {"index*:unsigned", unknown}},

    {3, "", "fmiModelDescription", {"fmiVersion* modelName* instantiationToken*", root}},
    {3,
     "fmiModelDescription",
     "ModelExchange",
     {interface3, "needsCompletedIntegratorStep:boolean providesEvaluateDiscreteStates:boolean"}},
    {3, "fmiModelDescription", "CoSimulation", {interface3, co_simulation3}},
    {3, "fmiModelDescription", "ScheduledExecution", {interface3}},
    {3, "*", "Annotations"},
    {3, "fmiModelDescription", "UnitDefinitions"},
    {3, "UnitDefinitions", "Unit", {"name*"}},
    {3, "Unit", "BaseUnit", {exponents}},
    {3, "Unit", "DisplayUnit", {"name* factor:number offset:number inverse:boolean"}},
    {3, "fmiModelDescription", "TypeDefinitions"},
    {3, "TypeDefinitions", "Float32Type", {named, real_type}},
    {3, "TypeDefinitions", "Float64Type", {named, real_type}},
    {3, "TypeDefinitions", "Int8Type", {named, integer_type}},
    {3, "TypeDefinitions", "UInt8Type", {named, integer_type}},
    {3, "TypeDefinitions", "Int16Type", {named, integer_type}},
    {3, "TypeDefinitions", "UInt16Type", {named, integer_type}},
    {3, "TypeDefinitions", "Int32Type", {named, integer_type}},
    {3, "TypeDefinitions", "UInt32Type", {named, integer_type}},
    {3, "TypeDefinitions", "Int64Type", {named, integer_type}},
    {3, "TypeDefinitions", "UInt64Type", {named, integer_type}},
    {3, "TypeDefinitions", "BooleanType", {named}},
    {3, "TypeDefinitions", "StringType", {named}},
    {3, "TypeDefinitions", "BinaryType", {named, binary}},
    {3, "TypeDefinitions", "EnumerationType", {named, integer_type}},
    {3, "TypeDefinitions", "ClockType", {named, clock}},
    {3, "EnumerationType", "Item", {item2}},
    {3, "fmiModelDescription", "LogCategories"},
    {3, "LogCategories", "Category", {named}},
    {3, "fmiModelDescription", "DefaultExperiment", {experiment}},
    {3, "fmiModelDescription", "ModelVariables"},
    {3,
     "ModelVariables",
     "Float32",
     {variable3, variability, arrayable, real_type, real_variable, variable3_rest}},
    {3,
     "ModelVariables",
     "Float64",
     {variable3, variability, arrayable, real_type, real_variable, variable3_rest}},
    {3, "ModelVariables", "Int8", {variable3, variability, arrayable, integer_type, "start", variable3_rest}},
    {3,
     "ModelVariables",
     "UInt8",
     {variable3, variability, arrayable, integer_type, "start", variable3_rest}},
    {3,
     "ModelVariables",
     "Int16",
     {variable3, variability, arrayable, integer_type, "start", variable3_rest}},
    {3,
     "ModelVariables",
     "UInt16",
     {variable3, variability, arrayable, integer_type, "start", variable3_rest}},
    {3,
     "ModelVariables",
     "Int32",
     {variable3, variability, arrayable, integer_type, "start", variable3_rest}},
    {3,
     "ModelVariables",
     "UInt32",
     {variable3, variability, arrayable, integer_type, "start", variable3_rest}},
    {3,
     "ModelVariables",
     "Int64",
     {variable3, variability, arrayable, integer_type, "start", variable3_rest}},
    {3,
     "ModelVariables",
     "UInt64",
     {variable3, variability, arrayable, integer_type, "start", variable3_rest}},
    {3, "ModelVariables", "Boolean", {variable3, variability, arrayable, "start", variable3_rest}},
    {3, "ModelVariables", "String", {variable3, variability, arrayable, variable3_rest}},
    {3, "ModelVariables", "Binary", {variable3, variability, arrayable, binary, variable3_rest}},
    {3,
     "ModelVariables",
     "Enumeration",
     {variable3, variability,
      "initial:exact|approx|calculated declaredType* intermediateUpdate:boolean previous:unsigned",
      integer_type, "start", variable3_rest}},
    {3, "ModelVariables", "Clock", {variable3, variability, "declaredType", clock, variable3_rest}},
    {3, "String", "Start", {"value"}},
    {3, "Binary", "Start", {"value"}},
    {3, "fmiModelDescription", "ModelStructure"},
    {3, "ModelStructure", "Output", {"valueReference*:unsigned", unknown}},
    {3, "ModelStructure", "ContinuousStateDerivative", {"valueReference*:unsigned", unknown}},
    {3, "ModelStructure", "ClockedState", {"valueReference*:unsigned", unknown}},
    {3, "ModelStructure", "InitialUnknown", {"valueReference*:unsigned", unknown}},
    {3, "ModelStructure", "EventIndicator", {"valueReference*:unsigned", unknown}},
    // Children of every variable element. The rule `dimension` checks which of them may have dimensions.
    {3, "*", "Dimension", {"start:unsigned valueReference:unsigned"}},
    {3, "*", "Alias", {"name* description displayUnit"}},
};

using Key = std::tuple<int, std::string_view, std::string_view>;

std::map<Key, StandardElement> parse_rows() {
  std::map<Key, StandardElement> elements;
  for (auto const& row : rows) {
    StandardElement element{row.version, row.parent, row.name, {}};
    for (auto const group : row.groups) {
      for (auto const word : split_at_blanks(group))
        element.attributes.push_back(parse_standard_attribute(word));
    }
    elements.emplace(Key{row.version, row.parent, row.name}, std::move(element));
  }
  return elements;
}

constexpr std::pair<std::string_view, std::string_view> fmi2_type_names[] = {{"Float64", "Real"},
                                                                             {"Int32", "Integer"}};

std::string describe_choices(StandardAttribute const& attribute) {
  std::string text = "one of";
  for (auto const choice : attribute.choices) text += " " + std::string{choice};
  return text;
}

}  // namespace

StandardAttribute parse_standard_attribute(std::string_view text) {
  StandardAttribute attribute;
  auto const colon = text.find(':');
  auto const kind = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  attribute.name = text.substr(0, colon);
  if (attribute.name.ends_with('*')) {
    attribute.required = true;
    attribute.name.remove_suffix(1);
  }
  static constexpr std::pair<std::string_view, ValueKind> kinds[] = {
      {"", ValueKind::text},
      {"boolean", ValueKind::boolean},
      {"number", ValueKind::number},
      {"integer", ValueKind::integer},
      {"unsigned", ValueKind::unsigned_integer},
      {"unsigneds", ValueKind::unsigned_list},
  };
  attribute.kind = ValueKind::choice;
  for (auto const& [name, value] : kinds) {
    if (name == kind) attribute.kind = value;
  }
  if (attribute.kind == ValueKind::choice) {
    for (auto rest = kind;;) {
      auto const bar = rest.find('|');
      attribute.choices.push_back(rest.substr(0, bar));
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
  }
  return attribute;
}

std::optional<std::string> expected_instead(StandardAttribute const& attribute, std::string const& value) {
  auto const unless = [](bool right, std::string text) { return right ? std::nullopt : std::optional(text); };
  switch (attribute.kind) {
    case ValueKind::text:
      return std::nullopt;
    case ValueKind::boolean:
      return unless(parse_boolean(value).has_value(), "true or false");
    case ValueKind::number:
      return unless(parse_double(value).has_value(), "a number such as 0.5 or 1e-3");
    case ValueKind::integer:
      return unless(parse_integer<std::int64_t>(value).has_value(), "a whole number");
    case ValueKind::unsigned_integer:
      return unless(parse_integer<std::uint64_t>(value).has_value(), "a whole number that is not negative");
    case ValueKind::unsigned_list:
      return unless(parse_integers<std::uint32_t>(value).has_value(),
                    "whole numbers that are not negative, separated by blanks");
    case ValueKind::choice: {
      auto const& choices = attribute.choices;
      return unless(std::find(choices.begin(), choices.end(), value) != choices.end(),
                    describe_choices(attribute));
    }
  }
  return std::nullopt;
}

StandardAttribute const* StandardElement::attribute(std::string_view attribute_name) const {
  auto const found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](StandardAttribute const& each) { return each.name == attribute_name; });
  return found == attributes.end() ? nullptr : &*found;
}

StandardElement const* find_standard_element(int version, std::string_view parent, std::string_view name) {
  static std::map<Key, StandardElement> const elements = parse_rows();
  for (auto const& where : {parent, std::string_view{"*"}}) {
    auto const found = elements.find({version, where, name});
    if (found != elements.end()) return &found->second;
  }
  return nullptr;
}

std::string_view type_element_name(int version, std::string_view type) {
  for (auto const& [fmi3, fmi2] : fmi2_type_names) {
    if (version == 2 && fmi3 == type) return fmi2;
  }
  return type;
}

std::string_view type_of_element(int version, std::string_view element) {
  for (auto const& [fmi3, fmi2] : fmi2_type_names) {
    if (version == 2 && fmi2 == element) return fmi3;
  }
  return element;
}

std::string_view token_attribute_name(int version) {
  return version == 2 ? "guid" : "instantiationToken";
}

std::vector<StructureList> structure_lists() {
  return {outputs_list, derivatives_list, clocked_states_list, initial_unknowns_list, event_indicators_list};
}

}  // namespace delassus
