// Start values: whether one is required or forbidden, and whether it is a valid value of the variable.
#include <limits>
#include <optional>

#include "xml/fmi/rule_context.hpp"
#include "xml/fmi/typed_value.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

// FMI 2.0.4, 2.2.7; FMI 3.0, 2.4.7.5. A clock has no value and no start.
enum class StartRule { required, forbidden, free };

StartRule start_rule(DescribedVariable const& variable) {
  auto const causality = variable.effective_causality();
  auto const initial = variable.effective_initial();
  if (variable.type == "Clock") return StartRule::free;
  if (causality == "independent") return StartRule::forbidden;
  if (causality == "input" || causality == "parameter" || causality == "structuralParameter" ||
      variable.effective_variability() == "constant" || initial == "exact" || initial == "approx") {
    return StartRule::required;
  }
  return initial == "calculated" ? StartRule::forbidden : StartRule::free;
}

std::string in_words(DescribedVariable const& variable) {
  auto const initial = variable.effective_initial();
  return variable.effective_causality() + ", " + variable.effective_variability() +
         (initial.empty() ? "" : ", " + initial);
}

// The number of elements as fixed by start values of dimensions; none if a dimension is unknown.
std::optional<std::uint64_t> element_count(RuleContext const& context, DescribedVariable const& variable) {
  std::uint64_t count = 1;
  for (auto const& dimension : variable.dimensions) {
    auto size = dimension.start;
    if (dimension.value_reference) {
      auto const* const parameter = context.resolve(*dimension.value_reference);
      if (parameter != nullptr && parameter->start) size = parse_integer<std::uint64_t>(*parameter->start);
    }
    if (!size || *size == 0 || count > std::numeric_limits<std::uint64_t>::max() / *size) return std::nullopt;
    count *= *size;
  }
  return count;
}

bool check_count(RuleContext& context, DescribedVariable const& variable, std::size_t values) {
  auto const count = element_count(context, variable);
  if (!count || values == *count || (values == 1 && !variable.dimensions.empty())) return true;
  context.report("start-value", variable.line,
                 quoted(variable) + " has " + std::to_string(values) + " start values and " +
                     std::to_string(*count) + (*count == 1 ? " element" : " elements"),
                 "write one value for each element, or one for all");
  return false;
}

void check_number(RuleContext& context, DescribedVariable const& variable, std::string const& text) {
  auto const value = parse_typed(variable.type, text);
  if (!value) {
    context.report("start-value", variable.line, quoted(variable) + " has the start \"" + text + "\"",
                   "write " + std::string{typed_form(variable.type)});
    return;
  }
  auto const* const type = context.type_of(variable);
  if (variable.type == "Enumeration" && type != nullptr && type->type == "Enumeration") {
    bool is_item = false;
    for (auto const& item : type->items) is_item = is_item || parse_typed(variable.type, item.value) == value;
    if (!is_item) {
      context.report(
          "start-item", variable.line,
          quoted(variable) + " starts with " + text + ", which is not an item of \"" + type->name + "\"",
          "write the value of one of its items");
      return;
    }
  }
  auto const minimum = parse_typed(
      variable.type, context.effective(variable, &DescribedVariable::minimum, &DescribedType::minimum));
  auto const maximum = parse_typed(
      variable.type, context.effective(variable, &DescribedVariable::maximum, &DescribedType::maximum));
  bool const range_is_right = !minimum || !maximum || *minimum <= *maximum;
  if (range_is_right && ((minimum && *value < *minimum) || (maximum && *value > *maximum))) {
    context.report("start-range", variable.line,
                   quoted(variable) + " starts with " + text + ", outside of its range",
                   "write a start within min and max, or correct these");
  }
}

void check_value(RuleContext& context, DescribedVariable const& variable) {
  bool const has_elements =
      context.version() == 3 && (variable.type == "String" || variable.type == "Binary");
  if (has_elements) {
    if (variable.start_elements.empty() || !check_count(context, variable, variable.start_elements.size()))
      return;
    for (auto const& value : variable.start_elements) {
      if (variable.type == "Binary" && !is_hexadecimal(value)) {
        context.report("start-value", variable.line, quoted(variable) + " has the start \"" + value + "\"",
                       "write pairs of hexadecimal digits");
      }
    }
    return;
  }
  if (!variable.start || variable.type == "String" || variable.type == "Clock" || variable.type.empty())
    return;
  auto const values = split_at_blanks(*variable.start);
  if (!check_count(context, variable, values.size())) return;
  for (auto const value : values) check_number(context, variable, std::string{value});
}

}  // namespace

void check_starts(RuleContext& context) {
  for (auto const& variable : context.description().variables) {
    auto const rule = start_rule(variable);
    if (rule == StartRule::required && !variable.has_start()) {
      context.report("start-required", variable.line,
                     quoted(variable) + " (" + in_words(variable) + ") has no start", "add a start value");
    }
    if (rule == StartRule::forbidden && variable.has_start()) {
      context.report("start-forbidden", variable.line,
                     quoted(variable) + " (" + in_words(variable) + ") has a start",
                     variable.effective_causality() == "independent"
                         ? "remove it: the importer gives the start time"
                         : "remove it, or write initial=\"exact\" or \"approx\" if it is used");
    }
    check_value(context, variable);
  }
}

}  // namespace delassus
