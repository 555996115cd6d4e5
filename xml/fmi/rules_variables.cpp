// Names, value references, causality and variability, dimensions and clocks.
#include <array>
#include <map>
#include <set>

#include "xml/fmi/rule_context.hpp"
#include "xml/fmi/variable_name.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

void check_name(RuleContext& context, bool structured, std::string const& name, int line) {
  if (name.empty() || name.find_first_of("\r\n\t") != std::string::npos) {
    context.report("variable-name", line,
                   name.empty() ? "a variable has an empty name" : "a name has a line break or tab",
                   "give the variable a name of visible characters");
  } else if (structured && !is_structured_name(name)) {
    context.report(
        "variable-name", line,
        "the name \"" + name + "\" is not structured, as variableNamingConvention says",
        "write names such as rod.tip.force[2] or der(x), put other characters between apostrophes, or "
        "declare the convention flat");
  }
}

void check_names(RuleContext& context) {
  auto const& description = context.description();
  auto const convention = description.attributes.find("variableNamingConvention");
  bool const structured = convention != description.attributes.end() && convention->second == "structured";
  std::set<std::string> names, type_names;
  for (auto const& type : description.types) type_names.insert(type.name);

  auto const check = [&](std::string const& name, int line, bool is_float) {
    check_name(context, structured, name, line);
    if (!name.empty() && !names.insert(name).second) {
      context.report("name-unique", line, "the name \"" + name + "\" is there twice",
                     "give every variable and alias a name of its own");
    }
    if (type_names.contains(name) && !name.empty()) {
      context.report("type-name-clash", line, "the name \"" + name + "\" is also the name of a type",
                     "rename one of them: Modelica tools cannot have both");
    }
    if (structured && name.starts_with("der(") && !is_float) {
      context.report("derivative-name", line, "\"" + name + "\" names a derivative and is not a float",
                     "rename it: only floats have derivatives");
    }
  };
  for (auto const& variable : description.variables) {
    check(variable.name, variable.line, variable.is_float());
    for (auto const& alias : variable.aliases) check(alias.name, alias.line, variable.is_float());
  }
}

// In FMI 2 each base type has its own value references; enumerations are read and set as integers.
std::string base_type(DescribedVariable const& variable) {
  return variable.type == "Enumeration" ? "Int32" : variable.type;
}

// FMI 2.0.4, 2.2.7, "alias variables".
void check_alias_set(RuleContext& context, std::vector<DescribedVariable const*> const& set) {
  auto const& first = *set.front();
  auto const unit = [&](DescribedVariable const& variable) {
    return context.effective(variable, &DescribedVariable::unit, &DescribedType::unit);
  };
  int settable = 0, starts = 0;
  bool constant = true, same_start = true;
  for (auto const* const variable : set) {
    auto const causality = variable->effective_causality();
    settable += causality == "input" || causality == "parameter" || causality == "independent" ? 1 : 0;
    starts += variable->has_start() ? 1 : 0;
    constant = constant && variable->effective_variability() == "constant";
    same_start = same_start && variable->start == first.start;
    if (unit(*variable) != unit(first)) {
      context.report(
          "alias-set", variable->line,
          quoted(*variable) + " shares the value reference of \"" + first.name + "\" and not its unit",
          "give all aliases the same unit, or value references of their own");
      return;
    }
  }
  auto const last = set.back()->line;
  if (settable > 1) {
    context.report("alias-set", last,
                   std::to_string(settable) + " inputs or parameters share the value reference of \"" +
                       first.name + "\"",
                   "give them value references of their own");
  } else if (constant ? !same_start : starts > 1) {
    context.report("alias-set", last,
                   std::to_string(starts) + " variables with a start share the value reference of \"" +
                       first.name + "\"",
                   "leave the start to one of them, or give them value references of their own");
  }
}

void check_value_references(RuleContext& context) {
  std::map<std::pair<std::string, std::uint32_t>, std::vector<DescribedVariable const*>> sets;
  for (auto const& variable : context.description().variables) {
    if (!variable.value_reference) continue;
    auto const kind = context.version() == 2 ? base_type(variable) : std::string{};
    sets[{kind, *variable.value_reference}].push_back(&variable);
  }
  for (auto const& [key, set] : sets) {
    if (set.size() < 2) continue;
    if (context.version() == 2) {
      check_alias_set(context, set);
      continue;
    }
    context.report("value-reference-unique", set[1]->line,
                   quoted(*set[1]) + " has the value reference " + std::to_string(key.second) + " of \"" +
                       set[0]->name + "\"",
                   "give it a value reference of its own, or make it an <Alias> of the other");
  }
}

void check_independent(RuleContext& context) {
  DescribedVariable const* independent = nullptr;
  for (auto const& variable : context.description().variables) {
    if (variable.effective_causality() != "independent") continue;
    if (independent != nullptr) {
      context.report("independent-variable", variable.line,
                     quoted(variable) + " is independent, and so is \"" + independent->name + "\"",
                     "leave one of them: all variables are functions of the one");
    }
    independent = &variable;
    if (!variable.is_float()) {
      context.report("independent-variable", variable.line, quoted(variable) + " is independent and no float",
                     context.version() == 2 ? "make it a Real" : "make it a Float64");
    }
  }
  if (independent == nullptr && context.version() == 3) {
    context.report(
        "independent-variable", context.description().line, "there is no independent variable",
        "add <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>, with a value "
        "reference that is free");
  }
}

// FMI 2.0.4, 2.2.7 and FMI 3.0, 2.4.7.4 and 2.4.7.5: which variability goes with a causality, and which
// initial with both. For inputs FMI 2 forbids initial; FMI 3 allows only the default.
struct Triple {
  std::string_view causality, variability, initials2, initials3;
};

constexpr Triple triples[] = {
    {"parameter", "fixed", "exact", "exact"},
    {"parameter", "tunable", "exact", "exact"},
    {"structuralParameter", "fixed", "", "exact"},
    {"structuralParameter", "tunable", "", "exact"},
    {"calculatedParameter", "fixed", "calculated approx", "calculated approx"},
    {"calculatedParameter", "tunable", "calculated approx", "calculated approx"},
    {"input", "discrete", "", "exact"},
    {"input", "continuous", "", "exact"},
    {"output", "constant", "exact", "exact"},
    {"output", "discrete", "calculated exact approx", "calculated exact approx"},
    {"output", "continuous", "calculated exact approx", "calculated exact approx"},
    {"local", "constant", "exact", "exact"},
    {"local", "fixed", "calculated approx", "calculated approx"},
    {"local", "tunable", "calculated approx", "calculated approx"},
    {"local", "discrete", "calculated exact approx", "calculated exact approx"},
    {"local", "continuous", "calculated exact approx", "calculated exact approx"},
    {"independent", "continuous", "", ""},
};

std::string allowed_variabilities(std::string const& causality) {
  std::string text;
  for (auto const& triple : triples) {
    if (triple.causality == causality)
      text += (text.empty() ? "\"" : " or \"") + std::string{triple.variability} + "\"";
  }
  return text;
}

void check_causality(RuleContext& context, DescribedVariable const& variable) {
  auto const causality = variable.effective_causality();
  auto const variability = variable.effective_variability();
  auto const variabilities = allowed_variabilities(causality);
  if (variabilities.empty()) return;  // unknown causality: `attribute-value` reports it
  if (variability == "continuous" && !variable.is_float() && causality != "independent") {
    context.report("continuous-float", variable.line,
                   quoted(variable) + " is continuous" +
                       (variable.variability.empty() ? ", the default of FMI 2," : "") + " and no float",
                   "write variability=\"discrete\", or fixed or tunable for parameters");
    return;
  }
  Triple const* found = nullptr;
  for (auto const& triple : triples) {
    if (triple.causality == causality && triple.variability == variability) found = &triple;
  }
  if (found == nullptr) {
    context.report("causality-variability", variable.line,
                   quoted(variable) + " has causality " + causality + " and variability " + variability,
                   "write variability=" + variabilities + " with this causality");
    return;
  }
  auto const initials = context.version() == 2 ? found->initials2 : found->initials3;
  bool allowed = variable.initial.empty();
  for (auto const each : split_at_blanks(initials)) allowed = allowed || each == variable.initial;
  if (!allowed) {
    context.report("initial", variable.line,
                   quoted(variable) + " (" + causality + ", " + variability + ") has initial=\"" +
                       variable.initial + "\"",
                   initials.empty() ? "leave initial out" : "write one of: " + std::string{initials});
  }
}

void check_derivative(RuleContext& context, DescribedVariable const& variable) {
  if (variable.derivative.empty()) return;
  auto const reference = parse_integer<std::uint32_t>(variable.derivative);
  if (!reference) return;  // `attribute-value`
  auto const* const state = context.resolve(*reference);
  if (state == nullptr || state == &variable || !state->is_float() ||
      state->effective_variability() != "continuous") {
    context.report("derivative", variable.line,
                   quoted(variable) + " has derivative=\"" + variable.derivative +
                       "\", which is not another continuous float variable",
                   context.version() == 2
                       ? "write the index, from 1, of the variable that it is the derivative of"
                       : "write the value reference of the variable that it is the derivative of");
  }
}

void check_dimensions(RuleContext& context, DescribedVariable const& variable) {
  if (variable.dimensions.empty()) return;
  auto const report = [&](std::string const& message, std::string remedy) {
    context.report("dimension", variable.line, quoted(variable) + " " + message, std::move(remedy));
  };
  if (variable.type == "Clock" || variable.effective_causality() == "structuralParameter") {
    report("has dimensions", "remove them: clocks and structural parameters are scalars");
    return;
  }
  for (auto const& dimension : variable.dimensions) {
    if (dimension.start && *dimension.start == 0) {
      report("has a dimension with start=\"0\"", "write a positive size");
    }
    if (!dimension.value_reference) continue;
    auto const reference = std::to_string(*dimension.value_reference);
    auto const* const size = context.resolve(*dimension.value_reference);
    if (size == nullptr) {
      report("has a dimension with valueReference=\"" + reference + "\", which no variable has",
             "write the value reference of a structural parameter, or a start");
    } else if (size->type != "UInt64" || (size->effective_causality() != "structuralParameter" &&
                                          size->effective_variability() != "constant")) {
      report("has a dimension given by \"" + size->name +
                 "\", which is not a UInt64 structural parameter or constant",
             "make it a <UInt64> with causality=\"structuralParameter\"");
    } else if (size->start && parse_integer<std::uint64_t>(*size->start) == 0u) {
      report("has a dimension given by \"" + size->name + "\", whose start is 0",
             "start with a positive size");
    }
  }
}

// The attributes of a dimension are checked on its element. Another rule reports a size that is not a number.
void check_dimension_elements(RuleContext& context) {
  for (auto const& element : context.description().elements) {
    if (element.name != "Dimension" || context.version() != 3) continue;
    if (element.attributes.contains("start") == element.attributes.contains("valueReference")) {
      context.report("dimension", element.line,
                     "a dimension has both start and valueReference, or none of them", "write one of them");
    }
  }
}

void check_clocks(RuleContext& context, DescribedVariable const& variable) {
  auto const report = [&](std::string const& message, std::string remedy) {
    context.report("clocks", variable.line, quoted(variable) + " " + message, std::move(remedy));
  };
  auto const causality = variable.effective_causality();
  if (variable.type == "Clock" && causality != "input" && causality != "output" && causality != "local") {
    report("is a clock with causality " + causality, "write causality=\"input\", output or local");
  }
  if (!variable.clocks) return;
  auto const variability = variable.effective_variability();
  if (variable.clocks->empty())
    report("has an empty list of clocks", "list its clocks or remove the attribute");
  if (variability != "discrete" && variability != "tunable") {
    report("is clocked and " + variability, "write variability=\"discrete\"");
  }
  for (auto const reference : *variable.clocks) {
    auto const* const clock = context.resolve(reference);
    if (clock == nullptr || clock->type != "Clock") {
      report("has the clock " + std::to_string(reference) + ", which is the value reference of no clock",
             "list value references of <Clock> variables");
    }
  }
}

}  // namespace

void check_variables(RuleContext& context) {
  check_names(context);
  check_value_references(context);
  check_independent(context);
  check_dimension_elements(context);
  for (auto const& variable : context.description().variables) {
    check_causality(context, variable);
    check_derivative(context, variable);
    check_dimensions(context, variable);
    check_clocks(context, variable);
  }
}

}  // namespace delassus
