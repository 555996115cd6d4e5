// Units, types, and the ranges of types and variables.
#include <cmath>
#include <set>

#include "xml/fmi/rule_context.hpp"
#include "xml/fmi/typed_value.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

void check_units(RuleContext& context) {
  std::set<std::string> names;
  for (auto const& unit : context.description().units) {
    if (unit.name.empty() || !names.insert(unit.name).second) {
      context.report("unit-unique", unit.line,
                     "the unit \"" + unit.name + "\" is defined twice or has no name",
                     "define every unit once, under a name of its own");
    }
    if (unit.base_unit.empty()) {
      context.report("unit-base", unit.line, "the unit \"" + unit.name + "\" has no base-unit exponents",
                     "add a <BaseUnit>, for example <BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/> for N");
    }
    std::set<std::string> display_names;
    for (auto const& display : unit.display_units) {
      if (!display_names.insert(display.name).second) {
        context.report("unit-unique", unit.line,
                       "the unit \"" + unit.name + "\" has the display unit \"" + display.name + "\" twice",
                       "define every display unit of a unit once");
      }
    }
  }
}

// `who` names a variable or a type in the messages.
void check_unit_use(RuleContext& context, int line, std::string const& who, std::string const& unit,
                    std::string const& display_unit) {
  auto const* const defined = context.description().unit(unit);
  if (!unit.empty() && defined == nullptr) {
    context.report("unit", line, who + " has the unit \"" + unit + "\", which is not defined",
                   "add <Unit name=\"" + unit + "\"> to <UnitDefinitions>, or correct the unit");
    return;
  }
  if (display_unit.empty()) return;
  if (unit.empty()) {
    context.report("display-unit", line, who + " has a displayUnit and no unit",
                   "add the unit that is displayed");
    return;
  }
  // A unit is its own display unit without a definition.
  bool found = display_unit == unit;
  for (auto const& each : defined->display_units) found = found || each.name == display_unit;
  if (!found) {
    context.report("display-unit", line,
                   who + " has the displayUnit \"" + display_unit + "\", which the unit \"" + unit +
                       "\" does not define",
                   "add <DisplayUnit name=\"" + display_unit + "\"> to the unit");
  }
}

void check_range(RuleContext& context, int line, std::string const& who, std::string const& type,
                 std::string const& minimum, std::string const& maximum) {
  std::optional<TypedNumber> bounds[2];
  std::string const* const texts[2] = {&minimum, &maximum};
  for (int i = 0; i < 2; ++i) {
    if (texts[i]->empty()) continue;
    bounds[i] = parse_typed(type, *texts[i]);
    if (!bounds[i]) {
      context.report("range", line, who + " has " + (i == 0 ? "min" : "max") + "=\"" + *texts[i] + "\"",
                     "write " + std::string{typed_form(type)});
      return;
    }
  }
  if (bounds[0] && bounds[1] && !(*bounds[0] <= *bounds[1])) {
    context.report("range", line, who + " has min=\"" + minimum + "\" above max=\"" + maximum + "\"",
                   "write min <= max");
  }
}

void check_nominal(RuleContext& context, int line, std::string const& who, std::string const& nominal) {
  if (nominal.empty()) return;
  auto const value = parse_double(nominal);
  if (!value || !(*value > 0) || !std::isfinite(*value)) {
    context.report("nominal", line, who + " has nominal=\"" + nominal + "\"",
                   "write the positive size that the variable usually has, or leave it out");
  }
}

void check_items(RuleContext& context, DescribedType const& type) {
  if (type.type != "Enumeration") return;
  auto const who = "the enumeration \"" + type.name + "\"";
  if (type.items.empty()) {
    context.report("enumeration-items", type.line, who + " has no items", "add an <Item> for each value");
  }
  std::set<std::string> names;
  std::set<std::int64_t> values;
  for (auto const& item : type.items) {
    auto const value = parse_integer<std::int64_t>(item.value);
    if (!names.insert(item.name).second) {
      context.report("enumeration-items", item.line, who + " has the item \"" + item.name + "\" twice",
                     "give every item a name of its own");
    } else if (value && !values.insert(*value).second) {
      context.report("enumeration-items", item.line, who + " has the value " + item.value + " twice",
                     "give every item a value of its own");
    }
  }
}

void check_declared_type(RuleContext& context, DescribedVariable const& variable) {
  if (variable.declared_type.empty()) return;
  auto const* const type = context.type_of(variable);
  if (type == nullptr) {
    context.report(
        "declared-type", variable.line,
        quoted(variable) + " has the declaredType \"" + variable.declared_type + "\", which is not defined",
        "add the type to <TypeDefinitions>, or correct the name");
  } else if (type->type != variable.type) {
    context.report("declared-type", variable.line,
                   quoted(variable) + " is of type " + variable.type + ", its declaredType \"" + type->name +
                       "\" of type " + type->type,
                   "use a declared type with the base type of the variable");
  }
}

}  // namespace

void check_types(RuleContext& context) {
  check_units(context);
  std::set<std::string> names;
  for (auto const& type : context.description().types) {
    auto const who = "the type \"" + type.name + "\"";
    if (type.name.empty() || !names.insert(type.name).second) {
      context.report("type-unique", type.line, who + " is defined twice or has no name",
                     "define every type once, under a name of its own");
    }
    check_unit_use(context, type.line, who, type.unit, type.display_unit);
    check_range(context, type.line, who, type.type, type.minimum, type.maximum);
    check_nominal(context, type.line, who, type.nominal);
    check_items(context, type);
  }
  for (auto const& variable : context.description().variables) {
    auto const who = quoted(variable);
    check_declared_type(context, variable);
    // Attributes that come from the type were checked with the type.
    if (!variable.unit.empty() || !variable.display_unit.empty()) {
      auto const unit = context.effective(variable, &DescribedVariable::unit, &DescribedType::unit);
      check_unit_use(context, variable.line, who, unit, variable.display_unit);
    }
    for (auto const& alias : variable.aliases) {
      if (alias.display_unit.empty()) continue;
      auto const unit = context.effective(variable, &DescribedVariable::unit, &DescribedType::unit);
      check_unit_use(context, alias.line, "the alias \"" + alias.name + "\"", unit, alias.display_unit);
    }
    if (!variable.minimum.empty() || !variable.maximum.empty()) {
      check_range(context, variable.line, who, variable.type,
                  context.effective(variable, &DescribedVariable::minimum, &DescribedType::minimum),
                  context.effective(variable, &DescribedVariable::maximum, &DescribedType::maximum));
    }
    check_nominal(context, variable.line, who, variable.nominal);
  }
}

}  // namespace delassus
