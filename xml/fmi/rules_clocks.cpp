// FMI 3: clocks and their attributes, clocked states, and what may be accessed between communication points
// (FMI 3.0, 2.4.7.1 on clocks, 2.4.7.3 on intermediateUpdate and previous, 2.4.7.5 on reinit).
#include <array>
#include <map>
#include <set>

#include "xml/fmi/rule_context.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

using Attributes = std::map<std::string, std::string>;

std::string value_of(Attributes const& attributes, std::string const& name) {
  auto const found = attributes.find(name);
  return found == attributes.end() ? std::string{} : found->second;
}

void check_clock(RuleContext& context, DescribedElement const& element) {
  auto const& attributes = element.attributes;
  auto const who = "the clock \"" + value_of(attributes, "name") + "\" ";
  auto const report = [&](std::string const& message, std::string remedy) {
    context.report("clock-attributes", element.line, who + message, std::move(remedy));
  };
  auto const variability = value_of(attributes, "intervalVariability");
  auto const causality = value_of(attributes, "causality");
  bool const periodic = variability == "constant" || variability == "fixed" || variability == "tunable";
  if (variability == "constant" && !attributes.contains("intervalDecimal"))
    report("is constant and has no intervalDecimal", "add the interval in seconds");
  for (auto const* const name :
       {"intervalDecimal", "shiftDecimal", "resolution", "intervalCounter", "shiftCounter"}) {
    if (!periodic && attributes.contains(name))
      report("is " + variability + " and has " + name, "remove it: only periodic clocks have it");
  }
  static constexpr std::array<std::pair<char const*, char const*>, 3> needs{
      {{"shiftDecimal", "intervalDecimal"},
       {"shiftCounter", "intervalCounter"},
       {"intervalCounter", "resolution"}}};
  for (auto const& [name, needed] : needs) {
    if (periodic && attributes.contains(name) && !attributes.contains(needed))
      report(std::string("has ") + name + " without " + needed, std::string("add ") + needed);
  }
  auto const interval = parse_double(value_of(attributes, "intervalDecimal"));
  auto const shift = parse_double(value_of(attributes, "shiftDecimal"));
  if (interval && !(*interval > 0))
    report("has an interval that is not positive", "write intervalDecimal > 0");
  if (shift && !(*shift >= 0)) report("has a negative shift", "write shiftDecimal >= 0");
  if (attributes.contains("intervalCounter") &&
      !parse_boolean(value_of(attributes, "supportsFraction")).value_or(false))
    report("has intervalCounter and not supportsFraction=\"true\"", "write supportsFraction=\"true\"");
  if (attributes.contains("priority") && causality != "input")
    report("has a priority and is not an input", "remove it: only input clocks have one");
  if (!attributes.contains("priority") && causality == "input" &&
      context.description().interface("ScheduledExecution") != nullptr)
    report("has no priority, as input clocks of Scheduled Execution must", "add priority=\"0\" or more");
}

void check_previous(RuleContext& context, DescribedElement const& element, DescribedVariable const& variable,
                    std::set<std::uint32_t>& referenced) {
  auto const text = value_of(element.attributes, "previous");
  auto const reference = parse_integer<std::uint32_t>(text);
  if (!reference) return;  // none, or `attribute-value`
  auto const report = [&](std::string const& message, std::string remedy) {
    context.report("previous", element.line, quoted(variable) + " " + message, std::move(remedy));
  };
  auto const* const before = context.resolve(*reference);
  if (!variable.clocks || variable.effective_variability() != "discrete" || variable.type == "Clock") {
    report("has previous and is not a clocked discrete variable", "add its clocks, or remove previous");
  } else if (before == nullptr || before == &variable || before->type != variable.type ||
             before->effective_variability() != "discrete" || before->effective_causality() == "input") {
    report("has previous=\"" + text + "\", which is not another discrete variable of its type",
           "write the value reference of a discrete variable of the same type that is not an input");
  } else if (!referenced.insert(*reference).second) {
    report("has previous=\"" + text + "\", as another variable has",
           "give each clocked state a previous of its own");
  }
}

}  // namespace

void check_clock_attributes(RuleContext& context) {
  auto const& description = context.description();
  // reinit exists in FMI 2, too.
  std::set<DescribedVariable const*> states;
  for (auto const& variable : description.variables) {
    if (auto const state = parse_integer<std::uint32_t>(variable.derivative))
      states.insert(context.resolve(*state));
  }
  // One element of <ModelVariables> for each variable, in the same order.
  std::size_t index = 0;
  DescribedVariable const* variable = nullptr;
  std::set<std::uint32_t> referenced;
  for (auto const& element : description.elements) {
    bool const is_variable = element.parent == "ModelVariables";
    if (is_variable)
      variable = index < description.variables.size() ? &description.variables[index++] : nullptr;
    if (variable == nullptr || (!is_variable && element.parent != "ScalarVariable")) continue;
    if (element.attributes.contains("reinit") && !states.contains(variable)) {
      context.report("reinit", element.line, quoted(*variable) + " has reinit and is not a state",
                     "remove it: only continuous states can be reset at events");
    }
    if (context.version() != 3) continue;
    if (element.name == "Clock") check_clock(context, element);
    check_previous(context, element, *variable, referenced);
    if (parse_boolean(value_of(element.attributes, "intermediateUpdate")).value_or(false) &&
        variable->effective_variability() != "continuous") {
      context.report(
          "intermediate-variable", element.line,
          quoted(*variable) + " has intermediateUpdate=\"true\" and is " + variable->effective_variability(),
          "remove it: only continuous variables are accessed in intermediate update mode");
    }
  }
  if (context.version() != 3) return;
  for (auto const& unknown : description.model_structure) {
    if (unknown.list != clocked_states_list.fmi3) continue;
    auto const* const state = context.resolve(unknown.reference);
    if (state == nullptr) continue;  // `structure-reference`
    auto const at = static_cast<std::size_t>(state - description.variables.data());
    std::size_t place = 0;
    for (auto const& element : description.elements) {
      if (element.parent != "ModelVariables" || place++ != at) continue;
      if (!element.attributes.contains("previous")) {
        context.report("previous", unknown.line, quoted(*state) + " is a clocked state without previous",
                       "add previous=\"...\" with the value reference of its previous value");
      }
      break;
    }
  }
}

}  // namespace delassus
