// The model structure: which variables it lists, in which order, and on what they depend.
#include <algorithm>
#include <map>
#include <set>

#include "xml/fmi/rule_context.hpp"
#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

using Variables = std::set<DescribedVariable const*>;

std::string reference_name(RuleContext const& context) {
  return context.version() == 2 ? "index" : "value reference";
}

bool is_unknown_at_start(DescribedVariable const& variable) {
  auto const initial = variable.effective_initial();
  return initial == "approx" || initial == "calculated";
}

bool is_continuous_float(DescribedVariable const& variable) {
  return variable.is_float() && variable.effective_variability() == "continuous";
}

// The variables of a list. Entries without a variable, and repeated ones, are reported and left out.
Variables read_list(RuleContext& context, StructureList const& list) {
  Variables listed;
  for (auto const& unknown : context.description().model_structure) {
    if (unknown.list != list.name(context.version())) continue;
    auto const* const variable = context.resolve(unknown.reference);
    auto const text = "the " + reference_name(context) + " " + std::to_string(unknown.reference);
    if (variable == nullptr) {
      context.report("structure-reference", unknown.line,
                     unknown.list + " lists " + text + ", which no variable has",
                     "write the " + reference_name(context) + " of a variable");
    } else if (!listed.insert(variable).second) {
      context.report("structure-reference", unknown.line, unknown.list + " lists " + text + " twice",
                     "remove one of the entries");
    }
  }
  return listed;
}

int line_in_list(RuleContext const& context, StructureList const& list, DescribedVariable const& variable) {
  for (auto const& unknown : context.description().model_structure) {
    if (unknown.list == list.name(context.version()) && context.resolve(unknown.reference) == &variable) {
      return unknown.line;
    }
  }
  return variable.line;
}

std::string entry_text(RuleContext const& context, DescribedVariable const& variable) {
  return reference_name(context) + " " + std::to_string(context.reference_of(variable));
}

void check_outputs(RuleContext& context, Variables const& outputs) {
  for (auto const& variable : context.description().variables) {
    bool const is_output = variable.effective_causality() == "output";
    if (is_output && !outputs.contains(&variable)) {
      context.report("outputs", variable.line,
                     quoted(variable) + " is an output and the model structure does not list it",
                     "add it to " + std::string{outputs_list.name(context.version())} + " with its " +
                         entry_text(context, variable));
    }
    if (!is_output && outputs.contains(&variable)) {
      context.report(
          "outputs", line_in_list(context, outputs_list, variable),
          quoted(variable) + " is listed as an output and has causality " + variable.effective_causality(),
          "remove the entry, or write causality=\"output\"");
    }
  }
}

// The valid derivatives, and the states that they belong to.
Variables check_derivatives(RuleContext& context, Variables const& derivatives) {
  Variables states_and_derivatives;
  for (auto const* const variable : derivatives) {
    if (variable->derivative.empty() || !is_continuous_float(*variable)) {
      context.report("derivatives", line_in_list(context, derivatives_list, *variable),
                     quoted(*variable) +
                         " is listed as the derivative of a state and is not a continuous float with the "
                         "attribute derivative",
                     "add derivative=\"...\" with the " + reference_name(context) +
                         " of its state, or remove the entry");
      continue;
    }
    auto const reference = parse_integer<std::uint32_t>(variable->derivative);
    auto const* const state = reference ? context.resolve(*reference) : nullptr;
    states_and_derivatives.insert(variable);
    if (state != nullptr) states_and_derivatives.insert(state);
  }
  return states_and_derivatives;
}

void check_event_indicators(RuleContext& context, Variables const& indicators) {
  for (auto const* const variable : indicators) {
    if (is_continuous_float(*variable)) continue;
    context.report("event-indicators", line_in_list(context, event_indicators_list, *variable),
                   quoted(*variable) + " is listed as an event indicator and is not a continuous float",
                   "list continuous Float64 or Float32 variables");
  }
}

// FMI 2.0.4, 2.2.8; FMI 3.0, 2.4.8. Clocked variables are optional.
void check_initial_unknowns(RuleContext& context, Variables const& listed,
                            Variables const& states_and_derivatives) {
  // In FMI 2 one variable stands for all that share its value reference.
  std::set<std::pair<std::string, std::uint32_t>> listed_references;
  for (auto const* const variable : listed) {
    if (variable->value_reference) listed_references.emplace(variable->type, *variable->value_reference);
  }
  std::string const list{initial_unknowns_list.name(context.version())};
  for (auto const& variable : context.description().variables) {
    auto const causality = variable.effective_causality();
    bool const clocked = variable.clocks.has_value();
    bool const expected =
        !clocked && (causality == "calculatedParameter" ||
                     (is_unknown_at_start(variable) &&
                      (causality == "output" || states_and_derivatives.contains(&variable))));
    bool const alias_listed =
        variable.value_reference && listed_references.contains({variable.type, *variable.value_reference});
    if (expected && !listed.contains(&variable) && !alias_listed) {
      context.report("initial-unknowns", variable.line,
                     quoted(variable) + " (" + causality + ", " + variable.effective_initial() +
                         ") is calculated at the start and not listed",
                     "add it to " + list + " with its " + entry_text(context, variable));
    }
    if (!expected && !clocked && listed.contains(&variable)) {
      context.report("initial-unknowns", line_in_list(context, initial_unknowns_list, variable),
                     quoted(variable) + " (" + causality + ", " + variable.effective_initial() +
                         ") is listed and is not an unknown of the initialisation",
                     "remove the entry from " + list);
    }
  }
}

void check_order(RuleContext& context) {
  if (context.version() != 2) return;
  std::uint64_t last = 0;
  for (auto const& unknown : context.description().model_structure) {
    if (unknown.list == initial_unknowns_list.fmi2) {
      if (unknown.reference < last) {
        context.report(
            "initial-unknowns-order", unknown.line,
            "the index " + std::to_string(unknown.reference) + " stands after " + std::to_string(last),
            "sort the initial unknowns by index");
      }
      last = unknown.reference;
    }
    auto const& dependencies = unknown.dependencies;
    if (dependencies && !std::is_sorted(dependencies->begin(), dependencies->end())) {
      context.report("dependencies-order", unknown.line, "the dependencies are not sorted",
                     "sort the dependencies by index");
    }
  }
}

void check_kinds(RuleContext& context, DescribedUnknown const& unknown) {
  static constexpr std::string_view kinds[] = {"dependent", "constant", "fixed", "tunable", "discrete"};
  bool const initial = unknown.list == initial_unknowns_list.name(context.version());
  auto const allowed_end = initial ? std::begin(kinds) + 2 : std::end(kinds);
  if (!unknown.dependencies) {
    context.report("dependencies-kind", unknown.line, "dependenciesKind stands without dependencies",
                   "write the dependencies, or remove dependenciesKind");
  } else if (unknown.dependencies->size() != unknown.dependencies_kind->size()) {
    context.report("dependencies-kind", unknown.line,
                   std::to_string(unknown.dependencies->size()) + " dependencies have " +
                       std::to_string(unknown.dependencies_kind->size()) + " kinds",
                   "write one kind for each dependency");
  }
  for (auto const& kind : *unknown.dependencies_kind) {
    if (std::find(std::begin(kinds), allowed_end, kind) == allowed_end) {
      context.report(
          "dependencies-kind", unknown.line, "\"" + kind + "\" is not a kind of dependency here",
          initial ? "write dependent or constant" : "write dependent, constant, fixed, tunable or discrete");
    }
  }
}

void check_dependencies(RuleContext& context) {
  for (auto const& unknown : context.description().model_structure) {
    if (unknown.dependencies_kind) check_kinds(context, unknown);
    if (!unknown.dependencies) continue;
    bool const initial = unknown.list == initial_unknowns_list.name(context.version());
    for (auto const reference : *unknown.dependencies) {
      auto const* const known = context.resolve(reference);
      if (known == nullptr) {
        context.report("dependencies", unknown.line,
                       "a dependency is the " + reference_name(context) + " " + std::to_string(reference) +
                           ", which no variable has",
                       "write the " + reference_name(context) + "s of variables");
        continue;
      }
      auto const causality = known->effective_causality();
      if (initial && causality != "input" && causality != "independent" &&
          known->effective_initial() != "exact") {
        context.report(
            "initial-dependencies", unknown.line,
            "an initial unknown depends on " + quoted(*known) + ", which is itself not known at the start",
            "list inputs, variables with initial exact, or the independent variable");
      }
    }
  }
}

}  // namespace

void check_structure(RuleContext& context) {
  auto const outputs = read_list(context, outputs_list);
  auto const states_and_derivatives = check_derivatives(context, read_list(context, derivatives_list));
  check_outputs(context, outputs);
  check_initial_unknowns(context, read_list(context, initial_unknowns_list), states_and_derivatives);
  if (context.version() == 3) {
    read_list(context, clocked_states_list);
    check_event_indicators(context, read_list(context, event_indicators_list));
  }
  check_order(context);
  check_dependencies(context);
}

}  // namespace delassus
