#include "xml/fmi/table_description.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "xml/fmi/standard.hpp"
#include "xml/text/schema_value.hpp"

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
    case VariableType::clock:
      return "Clock";
  }
  throw std::logic_error("a variable type without a name");
}

// In the table, integers and items are whole doubles, which print without a decimal point.
std::string values_text(std::vector<double>::const_iterator begin, std::vector<double>::const_iterator end) {
  std::string text;
  for (auto value = begin; value != end; ++value) text += (value == begin ? "" : " ") + number_text(*value);
  return text;
}

// The capabilities of an instance, with their names in both versions. Empty: this version has no such
// attribute, or its default is right.
enum class Of { both, model_exchange, co_simulation };
struct Capability {
  Of of;
  std::string_view fmi2, fmi3;
  std::string_view value;
  bool not_sampled = false;  // not for sampled controllers
};

constexpr Capability capabilities[] = {
    {Of::both, "needsExecutionTool", "", "false"},
    {Of::both, "canBeInstantiatedOnlyOncePerProcess", "", "false"},
    {Of::both, "canNotUseMemoryManagementFunctions", "", "true"},
    {Of::both, "canGetAndSetFMUstate", "canGetAndSetFMUState", "true"},
    {Of::both, "canSerializeFMUstate", "canSerializeFMUState", "true"},
    {Of::both, "providesDirectionalDerivative", "providesDirectionalDerivatives", "true", true},
    {Of::both, "", "providesAdjointDerivatives", "true", true},
    {Of::model_exchange, "completedIntegratorStepNotNeeded", "", "false"},
    {Of::model_exchange, "", "needsCompletedIntegratorStep", "true"},
    {Of::co_simulation, "canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize",
     "true"},
    {Of::co_simulation, "canInterpolateInputs", "", "true"},
    {Of::co_simulation, "maxOutputDerivativeOrder", "maxOutputDerivativeOrder", "1"},
    {Of::co_simulation, "canRunAsynchronuously", "", "false"},
    {Of::co_simulation, "", "hasEventMode", "true"},
    {Of::co_simulation, "", "mightReturnEarlyFromDoStep", "true"},
    {Of::co_simulation, "", "providesIntermediateUpdate", "true", true},
    {Of::co_simulation, "", "canReturnEarlyAfterIntermediateUpdate", "true", true},
};

class Describer {
 public:
  Describer(VariableTable const& table, int version) : table_(table), version_(version) {}

  ModelDescription describe(DescriptionInfo const& info) {
    description_.version = version_;
    describe_root(info);
    if (table_.offers_model_exchange()) describe_interface("ModelExchange", Of::model_exchange);
    describe_interface("CoSimulation", Of::co_simulation);
    describe_units();
    describe_types();
    for (auto const& category : table_.log_categories()) {
      description_.log_categories.push_back(
          {0, std::string{category.name}, std::string{category.description}});
    }
    describe_experiment();
    for (auto const& variable : table_.variables()) {
      // FMI 2 has no clocks, and its event indicators are no variables: only their number is told.
      bool const of_fmi3 = variable.type == VariableType::clock || variable.storage == Storage::indicator;
      if (version_ == 3 || !of_fmi3) describe_variable(variable);
    }
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
    if (version_ == 2 && table_.offers_model_exchange())
      put("numberOfEventIndicators", std::to_string(table_.event_indicators()));
  }

  void describe_interface(char const* kind, Of of) {
    DescribedInterface interface {
      0, kind, {}
    };
    interface.attributes.emplace("modelIdentifier", table_.model_name());
    for (auto const& capability : capabilities) {
      auto const name = version_ == 2 ? capability.fmi2 : capability.fmi3;
      if (name.empty() || (capability.of != Of::both && capability.of != of)) continue;
      interface.attributes.emplace(name, value_of(capability));
    }
    description_.interfaces.push_back(std::move(interface));
  }

  std::string_view value_of(Capability const& capability) const {
    if (table_.sampled() && capability.not_sampled) return "false";
    bool const none = capability.fmi3 == "maxOutputDerivativeOrder" && !table_.offers_output_derivatives();
    return none ? "0" : capability.value;
  }

  // The number one is not a unit: FMI 3.0, 2.4.7.5, "variables without unit must not have a unit attribute".
  static std::string unit_name(Variable const& variable) {
    return variable.unit == UnitId::one ? std::string{} : std::string{unit(variable.unit).name};
  }

  void describe_units() {
    std::set<std::string> used;
    for (auto const& variable : table_.variables()) used.insert(unit_name(variable));
    for (std::size_t id = 0; id < all_units().size(); ++id) {
      Unit const& each = all_units()[id];
      if (!used.contains(std::string{each.name})) continue;
      DescribedUnit described{0, std::string{each.name}, {}, {}};
      if (DisplayUnit const display = display_unit(static_cast<UnitId>(id)); !display.name.empty())
        described.display_units.push_back(
            {std::string{display.name}, number_text(display.factor), "", false});
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
      if (version_ == 3) {
        for (auto const& alias : variable.aliases)
          described.aliases.push_back({0, alias, {}, described.display_unit});
      }
      append(variable, std::move(described), 0);
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
      append(variable, std::move(described), element);
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
    if (variable.type == VariableType::real) described.display_unit = display_unit(variable.unit).name;
    if (version_ == 3 && table_.has_intermediate_update(variable)) described.intermediate_update = "true";
    if (variable.type == VariableType::clock) {
      described.interval_variability = "triggered";
      described.variability.clear();
    }
    if (variable.enumeration != nullptr) described.declared_type = variable.enumeration->name;
    if (std::isfinite(variable.range.minimum)) described.minimum = number_text(variable.range.minimum);
    if (std::isfinite(variable.range.maximum)) described.maximum = number_text(variable.range.maximum);
    return described;
  }

  void append(Variable const& variable, DescribedVariable described, int element) {
    if (variable.derivative_of) {
      auto const& state = references_.at(*variable.derivative_of);
      described.derivative = std::to_string(state[static_cast<std::size_t>(element)]);
    }
    description_.variables.push_back(std::move(described));
    auto const index = static_cast<std::uint64_t>(description_.variables.size());
    references_[variable.value_reference].push_back(version_ == 2 ? index : variable.value_reference);
    if (version_ == 2) append_aliases(variable, element);
  }

  // In FMI 2 an alias is another variable with the same value reference; one of them is the output.
  void append_aliases(Variable const& variable, int element) {
    if (variable.aliases.empty()) return;
    DescribedVariable const original = description_.variables.back();
    for (auto const& alias : variable.aliases) {
      DescribedVariable further = original;
      further.name = variable.array ? alias + "[" + std::to_string(element + 1) + "]" : alias;
      further.causality = "local";
      description_.variables.push_back(std::move(further));
    }
  }

  // Whole variables depend on whole variables. FMI 2 has only scalars: there every element depends on every
  // element.
  std::vector<std::uint64_t> references_of(std::vector<std::uint32_t> const& value_references) const {
    std::vector<std::uint64_t> references;
    for (auto const value_reference : value_references) {
      auto const element = table_.find(value_reference);
      if (!element) {
        throw std::logic_error("a dependency on the value reference " + std::to_string(value_reference) +
                               ", which no variable has");
      }
      auto const& found = references_.at(element.variable->value_reference);
      references.insert(references.end(), found.begin(), found.end());
    }
    std::sort(references.begin(), references.end());
    references.erase(std::unique(references.begin(), references.end()), references.end());
    return references;
  }

  // The knowns that an output or a derivative may depend on: inputs and states, in FMI 3 also parameters.
  std::vector<References const*> dependencies_of(Variable const& variable) const {
    std::vector<References const*> lists{&variable.input_dependencies, &variable.state_dependencies};
    if (version_ == 3) lists.push_back(&variable.parameter_dependencies);
    return lists;
  }

  // All knowns of this kind of list, and all inputs among them.
  struct Knowns {
    std::size_t all = 0, inputs = 0;
  };
  void count_knowns() {
    for (auto const& variable : table_.variables()) {
      bool const input = variable.causality == Causality::input;
      bool const parameter = variable.causality == Causality::parameter;
      bool const state = variable.storage == Storage::state;
      for (Knowns* const knowns : {&during_run_, &at_start_}) {
        bool const at_start = knowns == &at_start_;
        knowns->inputs += input ? 1 : 0;
        knowns->all += input || (at_start ? parameter : state || (parameter && version_ == 3)) ? 1 : 0;
      }
    }
  }

  // Lists that name most of all knowns would make the description of a pile of n bodies n^2 long: 200 MB of a thousand
  // spheres. A list that is left out stands for all knowns. That is allowed only where all inputs are in it: no importer then
  // sees a direct feedthrough that is none. `lists` may have knowns in common, which matters little here.
  bool is_left_out(std::vector<References const*> const& lists, Knowns const& knowns) {
    constexpr std::size_t longest = 1000;
    std::size_t size = 0;
    for (References const* const list : lists) size += list->size();
    if (size <= longest || 2 * size < knowns.all) return false;
    std::size_t inputs = 0;
    for (References const* const list : lists) inputs += inputs_in(*list);
    return inputs >= knowns.inputs;
  }

  std::size_t inputs_in(References const& list) {
    auto const [place, is_new] = inputs_in_.try_emplace(list.identity(), 0);
    if (!is_new) return place->second;
    for (auto const value_reference : list) {
      auto const element = table_.find(value_reference);
      place->second += element && element.variable->causality == Causality::input ? 1U : 0U;
    }
    return place->second;
  }

  void describe_structure() {
    count_knowns();
    auto const add = [&](StructureList const& list, Variable const& variable,
                         std::vector<References const*> const& lists, Knowns const& knowns) {
      std::optional<std::vector<std::uint64_t>> dependencies;
      if (!is_left_out(lists, knowns)) {
        std::vector<std::uint32_t> all;
        for (References const* const each : lists) all.insert(all.end(), each->begin(), each->end());
        dependencies = references_of(all);
      }
      for (auto const reference : references_.at(variable.value_reference)) {
        description_.model_structure.push_back(
            {0, std::string{list.name(version_)}, reference, dependencies, std::nullopt});
      }
    };
    for (auto const& variable : table_.variables()) {
      // FMI 2 has no clocks.
      if (variable.causality == Causality::output && references_.contains(variable.value_reference))
        add(outputs_list, variable, dependencies_of(variable), during_run_);
    }
    for (auto const& variable : table_.variables()) {
      if (variable.storage == Storage::derivative)
        add(derivatives_list, variable, dependencies_of(variable), during_run_);
    }
    for (auto const& variable : table_.variables()) {
      // Event indicators must not be listed (FMI 3.0.2, section 2.4.8).
      if (variable.initial == Initial::calculated && variable.storage != Storage::indicator)
        add(initial_unknowns_list, variable, {&variable.initial_dependencies}, at_start_);
    }
    if (version_ == 2 || !table_.offers_model_exchange()) return;
    for (auto const& variable : table_.variables()) {
      if (variable.storage == Storage::indicator)
        add(event_indicators_list, variable, dependencies_of(variable), during_run_);
    }
  }

  VariableTable const& table_;
  int version_;
  ModelDescription description_;
  // How the model structure refers to the elements of a variable, by its value reference in the table.
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> references_;
  Knowns during_run_, at_start_;
  std::unordered_map<void const*, std::size_t> inputs_in_;  // of lists, by their identity
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
