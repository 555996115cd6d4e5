#include "fmu/table/variable_table.hpp"

#include <array>

#include "fmu/table/controller_table_builder.hpp"
#include "fmu/table/variable_table_builder.hpp"

namespace delassus {
namespace {

constexpr std::size_t of_scenes = 3;  // number of log categories, the last ones, that only scenes have

}  // namespace

std::span<const LogCategory> log_categories() {
  static constexpr std::array<LogCategory, 8> categories{{
      {"logStatusWarning", "findings that the user should know about; the simulation goes on"},
      {"logStatusDiscard", "calls refused because of a value, and steps that failed"},
      {"logStatusError", "calls that the FMI standard does not permit"},
      {"logStatusFatal", "failures inside the FMU"},
      {"logCalls", "every call of an FMI function with its status"},
      {"logEvents", "contact events: made, lost, stick and slip"},
      {"logContact", "contact problems with no solution or with several"},
      {"logSolver", "statistics of the solver and the step control for each communication step"},
  }};
  return categories;
}

VariableTable::VariableTable(Scene const& scene, std::vector<ModeSource> const& sources) {
  VariableTableBuilder(*this, scene, sources).build();
  index_elements();
}

VariableTable::VariableTable(Controller const& controller) {
  ControllerTableBuilder(*this, controller).build();
  index_elements();
}

void VariableTable::index_elements() {
  for (Variable const& variable : variables_) {
    for (int offset = 0; offset < variable.size; ++offset) by_reference_.push_back({&variable, offset});
  }
}

std::span<const LogCategory> VariableTable::log_categories() const {
  auto const all = delassus::log_categories();
  return sampled_ ? all.first(all.size() - of_scenes) : all;
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
