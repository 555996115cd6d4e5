#include "fmu/variable_table.hpp"

#include <array>

#include "fmu/variable_table_builder.hpp"

namespace delassus {
std::span<const LogCategory> log_categories() {
  static constexpr std::array<LogCategory, 8> categories{{
      {"logStatusWarning", "what a user should know, while the run goes on"},
      {"logStatusDiscard", "requests that were refused because of a value, or a step that could not be made"},
      {"logStatusError", "requests that the standard does not permit"},
      {"logStatusFatal", "failures inside the FMU"},
      {"logEvents", "contact made and lost, stick and slip"},
      {"logContact", "contact problems with no solution or several"},
      {"logSolver", "work of the solver and of the step control in each communication step", true},
      {"logCalls", "every call of an FMI function with its status", true},
  }};
  return categories;
}

VariableTable::VariableTable(Scene const& scene, std::vector<ModeSource> const& sources) {
  VariableTableBuilder(*this, scene, sources).build();
  for (Variable const& variable : variables_) {
    for (int offset = 0; offset < variable.size; ++offset) by_reference_.push_back({&variable, offset});
  }
}

VariableTable::Element VariableTable::find(std::uint32_t value_reference) const {
  return value_reference < by_reference_.size() ? by_reference_[value_reference] : Element{};
}

std::string VariableTable::element_name(Variable const& variable, int offset) {
  if (!variable.array) return variable.name;
  std::string const index = "[" + std::to_string(offset + 1) + "]";
  // `der(x[1])`, not `der(x)[1]`: FMI 2.0.4, section 2.2.9.
  if (variable.storage != Storage::derivative) return variable.name + index;
  return variable.name.substr(0, variable.name.size() - 1) + index + ")";
}

}  // namespace delassus
