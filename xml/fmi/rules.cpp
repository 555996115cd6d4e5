#include "xml/fmi/rules.hpp"

#include <algorithm>
#include <stdexcept>

#include "xml/fmi/rule_context.hpp"

namespace delassus {
namespace {

constexpr auto error = Severity::error;
constexpr auto warning = Severity::warning;
constexpr auto note = Severity::note;

constexpr Rule rules[] = {
    {"schema", error,
     "order, number and values of elements and attributes are those of the standard's schema (XSD)"},
    {"fmi-version", error, "fmiVersion is \"2.0\" or \"3.0\""},
    {"fmi-version-support", warning,
     "fmiVersion is a release that importers know: no other minor version of FMI 3"},
    {"unknown-element", error, "every element is one that the standard names, at its place"},
    {"unknown-attribute", error,
     "every attribute without a name space is one that the standard names: a misspelt capability reads as "
     "false"},
    {"missing-attribute", error, "required attributes are there"},
    {"attribute-value", error,
     "numbers are numbers, booleans are booleans, choices are among the words of the standard"},

    {"interface-present", error, "there is a CoSimulation, ModelExchange or ScheduledExecution element"},
    {"model-identifier", error, "modelIdentifier is a C identifier"},
    {"token", error, "guid / instantiationToken is not empty"},
    {"generation-date", warning, "generationDateAndTime is a real date as YYYY-MM-DDThh:mm:ssZ"},
    {"state-capabilities", error, "an FMU that serialises its state can also get and set it"},
    {"early-return", error, "canReturnEarlyAfterIntermediateUpdate comes with providesIntermediateUpdate"},
    {"clock-event-mode", error, "a co-simulation FMU with clocks has hasEventMode"},
    {"internal-step", error, "fixedInternalStepSize is positive"},
    {"default-experiment", error,
     "tolerance >= 0, stopTime > startTime, 0 < stepSize < stopTime - startTime, all finite"},
    {"log-category", error, "names of log categories are not empty and unique"},

    {"unit-unique", error, "names of units, and of the display units of a unit, are not empty and unique"},
    {"unit-base", note, "every unit says its base-unit exponents, without which importers cannot convert"},
    {"unit", error, "every unit that is used is defined"},
    {"display-unit", error, "every displayUnit is defined for the unit that it displays"},
    {"type-unique", error, "names of types are not empty and unique"},
    {"declared-type", error, "every declaredType is defined, with the base type of the variable"},
    {"enumeration-items", error, "an enumeration has items; their names and values are unique"},
    {"range", error, "min and max are values of their type and min <= max"},
    {"nominal", error, "nominal is a positive number"},

    {"variable-name", error,
     "names are not empty, without line breaks, and structured where the description says so"},
    {"name-unique", error, "names of variables and aliases are unique"},
    {"type-name-clash", error, "no variable has the name of a type"},
    {"derivative-name", error, "der(x) names floats only"},
    {"value-reference-unique", error, "FMI 3: no two variables share a value reference"},
    {"alias-set", error,
     "FMI 2: variables that share a value reference share their unit; at most one is set by the importer, "
     "and at most one "
     "has a start unless all are constant with the same one"},
    {"independent-variable", error,
     "FMI 3 has exactly one independent variable, FMI 2 at most one; it is a float"},
    {"causality-variability", error, "causality and variability go together"},
    {"continuous-float", error, "only floats are continuous"},
    {"initial", error, "initial is allowed for the causality and variability"},
    {"multiple-set", error, "canHandleMultipleSetPerTimeInstant is on inputs only"},
    {"derivative", error, "`derivative` points to a continuous float variable"},
    {"dimension", error,
     "FMI 3: a dimension has a positive start, or the value reference of a UInt64 structural parameter or "
     "constant whose "
     "start is positive; clocks and structural parameters have none"},
    {"clocks", error,
     "FMI 3: `clocks` lists clocks, on discrete or tunable variables; a clock is input, output or local"},
    {"clock-attributes", error,
     "FMI 3: a clock has the interval, shift, counters and priority that its intervalVariability and "
     "causality "
     "demand, and no other"},
    {"previous", error,
     "FMI 3: clocked states, and only they, have `previous`, which points to another discrete variable of "
     "the "
     "same type"},
    {"intermediate-variable", error, "FMI 3: only continuous variables have intermediateUpdate"},
    {"reinit", error, "only states have reinit"},

    {"start-required", error,
     "inputs, parameters, constants and variables with initial exact or approx have a start"},
    {"start-forbidden", error, "calculated and independent variables have no start"},
    {"start-value", error, "a start is a value of the type, one for all elements or one for each"},
    {"start-range", error, "a start is within min and max"},
    {"start-item", error, "the start of an enumeration is one of its items"},

    {"structure-reference", error, "the model structure refers to variables that exist, each once in a list"},
    {"outputs", error, "the outputs of the model structure are exactly the output variables"},
    {"derivatives", error, "state derivatives are continuous floats with the attribute derivative"},
    {"event-indicators", error, "event indicators are continuous floats"},
    {"initial-unknowns", error,
     "the initial unknowns are exactly the calculated outputs, calculated parameters, states and "
     "derivatives"},
    {"initial-unknowns-order", error, "FMI 2: initial unknowns are sorted by index"},
    {"dependencies", error, "dependencies refer to variables that exist"},
    {"dependencies-order", warning, "FMI 2: dependencies are sorted by index"},
    {"dependencies-kind", error,
     "dependenciesKind comes with as many dependencies, in words of the standard; initial unknowns have only "
     "`dependent` and `constant`"},
    {"initial-dependencies", error,
     "initial unknowns depend on what is known: inputs, exact variables, time"},
};

Rule const& find_rule(std::string_view name) {
  for (auto const& rule : rules) {
    if (rule.name == name) return rule;
  }
  throw std::logic_error("no rule is named " + std::string{name});
}

}  // namespace

std::span<const Rule> all_rules() {
  return rules;
}

RuleContext::RuleContext(ModelDescription const& description) : description_(description) {
  std::uint64_t index = 0;
  for (auto const& variable : description.variables) {
    ++index;
    if (version() == 2) {
      by_reference_.emplace(index, &variable);
    } else if (variable.value_reference) {
      by_reference_.emplace(*variable.value_reference, &variable);
    }
  }
  for (auto const& type : description.types) types_.emplace(type.name, &type);
}

void RuleContext::report(std::string_view rule, int line, std::string message, std::string remedy) {
  findings_.push_back({std::string{rule}, find_rule(rule).severity, description_.file, line,
                       std::move(message), std::move(remedy)});
}

DescribedVariable const* RuleContext::resolve(std::uint64_t reference) const {
  auto const found = by_reference_.find(reference);
  return found == by_reference_.end() ? nullptr : found->second;
}

std::uint64_t RuleContext::reference_of(DescribedVariable const& variable) const {
  if (version() == 2) return static_cast<std::uint64_t>(&variable - description_.variables.data()) + 1;
  return variable.value_reference.value_or(0);
}

DescribedType const* RuleContext::type_of(DescribedVariable const& variable) const {
  auto const found = types_.find(variable.declared_type);
  return found == types_.end() ? nullptr : found->second;
}

std::string RuleContext::effective(DescribedVariable const& variable, std::string DescribedVariable::*own,
                                   std::string DescribedType::*declared) const {
  if (!(variable.*own).empty()) return variable.*own;
  auto const* const type = type_of(variable);
  return type == nullptr ? std::string{} : type->*declared;
}

std::vector<Finding> RuleContext::take_findings() {
  std::stable_sort(findings_.begin(), findings_.end(),
                   [](Finding const& left, Finding const& right) { return left.line < right.line; });
  return std::move(findings_);
}

std::string quoted(DescribedVariable const& variable) {
  return "variable \"" + variable.name + "\"";
}

std::vector<Finding> check_description(ModelDescription const& description) {
  RuleContext context(description);
  if (description.version == 0) {
    // Without a known version, no other rule can be checked.
    auto const found = description.attributes.find("fmiVersion");
    context.report("fmi-version", description.line,
                   found == description.attributes.end()
                       ? "there is no fmiVersion"
                       : "fmiVersion=\"" + found->second + "\" is not known",
                   "write fmiVersion=\"2.0\" or fmiVersion=\"3.0\"");
    return context.take_findings();
  }
  check_elements(context);
  check_document(context);
  check_types(context);
  check_variables(context);
  check_clock_attributes(context);
  check_starts(context);
  check_structure(context);
  return context.take_findings();
}

}  // namespace delassus
