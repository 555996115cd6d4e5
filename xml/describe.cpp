#include "xml/describe.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "xml/schema_value.hpp"
#include "xml/standard.hpp"

namespace delassus {
namespace {

char const* text(Causality causality) {
  switch (causality) {
    case Causality::parameter:
      return "parameter";
    case Causality::calculated_parameter:
      return "calculatedParameter";
    case Causality::input:
      return "input";
    case Causality::output:
      return "output";
    case Causality::local:
      return "local";
    case Causality::independent:
      return "independent";
  }
  throw std::logic_error("a causality without a name");
}

char const* text(Variability variability) {
  switch (variability) {
    case Variability::constant:
      return "constant";
    case Variability::fixed:
      return "fixed";
    case Variability::tunable:
      return "tunable";
    case Variability::discrete:
      return "discrete";
    case Variability::continuous:
      return "continuous";
  }
  throw std::logic_error("a variability without a name");
}

char const* text(Initial initial) {
  switch (initial) {
    case Initial::none:
      return "";
    case Initial::exact:
      return "exact";
    case Initial::calculated:
      return "calculated";
  }
  throw std::logic_error("an initial without a name");
}

char const* type_name(VariableType type) {
  switch (type) {
    case VariableType::real:
      return "Float64";
    case VariableType::integer:
      return "Int32";
    case VariableType::enumeration:
      return "Enumeration";
  }
  throw std::logic_error("a variable type without a name");
}

// Integers and items are doubles in the table, whole ones, and print without a point.
std::string values_text(std::vector<double>::const_iterator begin, std::vector<double>::const_iterator end) {
  std::string text;
  for (auto value = begin; value != end; ++value) text += (value == begin ? "" : " ") + number_text(*value);
  return text;
}

// What the slave can do, under the names of both versions. Where FMI 3's default says the same, its name is
// left out.
struct Capability {
  std::string_view fmi2, fmi3;
  std::string_view value;
};

constexpr Capability capabilities[] = {
    {"canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize", "true"},
    {"canGetAndSetFMUstate", "canGetAndSetFMUState", "true"},
    {"canSerializeFMUstate", "canSerializeFMUState", "true"},
    {"needsExecutionTool", "", "false"},
    {"canBeInstantiatedOnlyOncePerProcess", "", "false"},
    {"canNotUseMemoryManagementFunctions", "", "true"},
    {"providesDirectionalDerivative", "providesDirectionalDerivatives", "true"},
    {"", "providesAdjointDerivatives", "true"},
    {"canInterpolateInputs", "", "false"},
    {"maxOutputDerivativeOrder", "maxOutputDerivativeOrder", "1"},
    {"canRunAsynchronuously", "", "false"},
};

class Describer {
 public:
  Describer(VariableTable const& table, int version) : table_(table), version_(version) {}

  ModelDescription describe(DescriptionInfo const& info) {
    description_.version = version_;
    describe_root(info);
    describe_interface();
    describe_units();
    describe_types();
    for (auto const& category : log_categories()) {
      description_.log_categories.push_back(
          {0, std::string{category.name}, std::string{category.description}});
    }
    describe_experiment();
    for (auto const& variable : table_.variables()) describe_variable(variable);
    describe_structure();
    return std::move(description_);
  }

 private:
  void describe_root(DescriptionInfo const& info) {
    auto const put = [&](std::string_view name, std::string_view value) {
      if (!value.empty()) description_.attributes.emplace(name, value);
    };
    put("fmiVersion", version_ == 2 ? "2.0" : "3.0");
    put("modelName", table_.model_name());
    put(token_attribute_name(version_), info.token);
    put("description", table_.description());
    put("author", info.author);
    put("version", info.version);
    put("copyright", info.copyright);
    put("license", info.license);
    put("generationTool", info.generation_tool);
    put("generationDateAndTime", info.generation_date_and_time);
    put("variableNamingConvention", "structured");
  }

  void describe_interface() {
    DescribedInterface interface {
      0, "CoSimulation", {}
    };
    interface.attributes.emplace("modelIdentifier", table_.model_name());
    for (auto const& capability : capabilities) {
      auto const name = version_ == 2 ? capability.fmi2 : capability.fmi3;
      if (!name.empty()) interface.attributes.emplace(name, capability.value);
    }
    description_.interfaces.push_back(std::move(interface));
  }

  // The number one is no unit: FMI 3.0, 2.4.7.5, "variables without unit must not have a unit attribute".
  static std::string unit_name(Variable const& variable) {
    return variable.unit == UnitId::one ? std::string{} : std::string{unit(variable.unit).name};
  }

  void describe_units() {
    std::set<std::string> used;
    for (auto const& variable : table_.variables()) used.insert(unit_name(variable));
    for (auto const& each : all_units()) {
      if (!used.contains(std::string{each.name})) continue;
      DescribedUnit described{0, std::string{each.name}, {}, {}};
      for (std::size_t i = 0; i < base_unit_names.size(); ++i) {
        if (each.exponents[i] != 0) {
          described.base_unit.emplace(base_unit_names[i], std::to_string(each.exponents[i]));
        }
      }
      description_.units.push_back(std::move(described));
    }
  }

  void describe_types() {
    std::set<std::string_view> used;
    for (auto const& variable : table_.variables()) {
      if (variable.enumeration != nullptr) used.insert(variable.enumeration->name);
    }
    for (auto const& enumeration : all_enumerations()) {
      if (!used.contains(enumeration.name)) continue;
      DescribedType type;
      type.type = type_name(VariableType::enumeration);
      type.name = enumeration.name;
      type.description = enumeration.description;
      for (auto const& item : enumeration.items) {
        type.items.push_back({0, std::string{item.name}, std::to_string(*enumeration.value_of(item.name)),
                              std::string{item.description}});
      }
      description_.types.push_back(std::move(type));
    }
  }

  void describe_experiment() {
    auto const& experiment = table_.default_experiment();
    description_.default_experiment =
        ModelDescription::Experiment{0, number_text(experiment.start), number_text(experiment.stop),
                                     number_text(experiment.tolerance), number_text(experiment.step)};
  }

  void describe_variable(Variable const& variable) {
    if (version_ == 3 || !variable.array) {
      auto described = describe_common(variable);
      described.name = variable.name;
      described.value_reference = variable.value_reference;
      if (!variable.start.empty())
        described.start = values_text(variable.start.begin(), variable.start.end());
      if (variable.array) {
        described.dimensions.push_back({static_cast<std::uint64_t>(variable.size), std::nullopt});
      }
      append(variable, std::move(described));
      return;
    }
    for (int element = 0; element < variable.size; ++element) {
      auto described = describe_common(variable);
      described.name = VariableTable::element_name(variable, element);
      described.value_reference = variable.value_reference + static_cast<std::uint32_t>(element);
      if (!variable.start.empty()) {
        auto const value = variable.start.begin() + element;
        described.start = values_text(value, value + 1);
      }
      append(variable, std::move(described));
    }
  }

  DescribedVariable describe_common(Variable const& variable) const {
    DescribedVariable described;
    described.version = version_;
    described.type = type_name(variable.type);
    described.description = variable.description;
    described.causality = text(variable.causality);
    described.variability = text(variable.variability);
    described.initial = text(variable.initial);
    described.unit = unit_name(variable);
    if (variable.enumeration != nullptr) described.declared_type = variable.enumeration->name;
    if (std::isfinite(variable.range.minimum)) described.minimum = number_text(variable.range.minimum);
    if (std::isfinite(variable.range.maximum)) described.maximum = number_text(variable.range.maximum);
    return described;
  }

  void append(Variable const& variable, DescribedVariable described) {
    description_.variables.push_back(std::move(described));
    auto const index = static_cast<std::uint64_t>(description_.variables.size());
    references_[variable.value_reference].push_back(version_ == 2 ? index : variable.value_reference);
  }

  // Whole variables depend on whole variables. FMI 2 knows scalars alone: there every element depends on
  // every element.
  std::vector<std::uint64_t> references_of(std::vector<std::uint32_t> const& value_references) const {
    std::set<std::uint64_t> references;
    for (auto const value_reference : value_references) {
      auto const element = table_.find(value_reference);
      if (!element) {
        throw std::logic_error("a dependency on the value reference " + std::to_string(value_reference) +
                               ", which no variable has");
      }
      auto const& found = references_.at(element.variable->value_reference);
      references.insert(found.begin(), found.end());
    }
    return {references.begin(), references.end()};
  }

  // What an output may depend on, its knowns: in FMI 2 the inputs, in FMI 3 the parameters too.
  std::vector<std::uint32_t> dependencies_at_communication_points(Variable const& variable) const {
    std::vector<std::uint32_t> dependencies = variable.input_dependencies;
    if (version_ == 3) {
      dependencies.insert(dependencies.end(), variable.parameter_dependencies.begin(),
                          variable.parameter_dependencies.end());
    }
    return dependencies;
  }

  void describe_structure() {
    auto const add = [&](StructureList const& list, Variable const& variable,
                         std::vector<std::uint32_t> const& dependencies) {
      for (auto const reference : references_.at(variable.value_reference)) {
        description_.model_structure.push_back(
            {0, std::string{list.name(version_)}, reference, references_of(dependencies), std::nullopt});
      }
    };
    for (auto const& variable : table_.variables()) {
      if (variable.causality == Causality::output)
        add(outputs_list, variable, dependencies_at_communication_points(variable));
    }
    for (auto const& variable : table_.variables()) {
      if (variable.initial == Initial::calculated) {
        add(initial_unknowns_list, variable, variable.initial_dependencies);
      }
    }
  }

  VariableTable const& table_;
  int version_;
  ModelDescription description_;
  // By the value reference of a table variable: how the model structure refers to its elements.
  std::map<std::uint32_t, std::vector<std::uint64_t>> references_;
};

}  // namespace

ModelDescription describe(VariableTable const& table, int fmi_version, DescriptionInfo const& info) {
  if (fmi_version != 2 && fmi_version != 3) {
    throw std::invalid_argument("FMI " + std::to_string(fmi_version) + " cannot be described; use 2 or 3");
  }
  if (info.token.empty()) {
    throw std::invalid_argument(
        "the token is empty; give a text that differs between FMUs, best a hash of the content");
  }
  return Describer(table, fmi_version).describe(info);
}

}  // namespace delassus
