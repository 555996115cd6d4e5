#include "fmu/variable_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fmu/outputs.hpp"
#include "fmu/settings.hpp"
#include "model/vocabulary.hpp"

namespace delassus {
std::span<const LogCategory> log_categories() {
  static constexpr std::array<LogCategory, 6> categories{{
      {"logStatusWarning", "what a user should know, while the run goes on"},
      {"logStatusDiscard", "requests that were refused because of a value, or a step that could not be made"},
      {"logStatusError", "requests that the standard does not permit"},
      {"logStatusFatal", "failures inside the FMU"},
      {"logEvents", "contact made and lost, stick and slip"},
      {"logContact", "contact problems with no solution or several"},
  }};
  return categories;
}

// Fills a table in the order: time, parameters, solver settings, inputs, outputs.
class VariableTableBuilder {
 public:
  VariableTableBuilder(VariableTable& table, Scene const& scene) : table_(table), scene_(scene) {}

  void build() {
    table_.model_name_ = scene_.name;
    table_.description_ = scene_.description;
    table_.experiment_ = {scene_.experiment.start, scene_.experiment.stop, scene_.experiment.step,
                          scene_.solver.tolerance};
    add({.name = "time",
         .description = "simulation time",
         .causality = Causality::independent,
         .unit = UnitId::second,
         .storage = Storage::time});
    for (Parameter const& parameter : scene_.parameters) add_parameter(parameter);
    add_settings();
    for (ForceInput const& force : scene_.forces) {
      add_input(force.name, "force on " + name_of(force.point), UnitId::newton, force.first, force.start);
    }
    for (TorqueInput const& torque : scene_.torques) {
      add_input(torque.name, "torque on " + body(torque.body).name, UnitId::newton_metre, torque.first,
                {torque.start});
    }
    int index = 0;
    for (OutputDefinition const& output : outputs_of(scene_)) {
      add_output(output, index);
      index += output.size;
    }
    add_dependencies_of_calculated_parameters();
  }

 private:
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }

  std::string name_of(PointReference const& point) const {
    return point.point < 0 ? body(point.body).name
                           : scene_.points[static_cast<std::size_t>(point.point)].name;
  }

  Variable& add(Variable variable) {
    variable.value_reference = static_cast<std::uint32_t>(next_reference_);
    next_reference_ += variable.size;
    table_.variables_.push_back(std::move(variable));
    return table_.variables_.back();
  }

  void add_parameter(Parameter const& parameter) {
    Variable& variable =
        add({.name = parameter.name,
             .description = parameter.description,
             .causality = parameter.calculated ? Causality::calculated_parameter : Causality::parameter,
             .variability = parameter.tunable ? Variability::tunable : Variability::fixed,
             .initial = parameter.calculated ? Initial::calculated : Initial::exact,
             .unit = parameter.unit,
             .range = parameter.range,
             .size = parameter.size(),
             .array = parameter.vector,
             .storage = Storage::parameter,
             .index = parameter.first});
    if (!parameter.calculated) variable.start = parameter.values;
  }

  void add_settings() {
    Element const& element = *find_element("scene", "solver");
    SettingValues const values = settings_of(scene_.solver);
    for (std::size_t i = 0; i < setting_names.size(); ++i) {
      Attribute const& attribute = *find_attribute(element, setting_names[i]);
      Enumeration const* const enumeration = attribute.enumeration ? attribute.enumeration() : nullptr;
      add({.name = "solver." + std::string(attribute.name),
           .description = std::string(attribute.description),
           .type = enumeration ? VariableType::enumeration : VariableType::real,
           .causality = Causality::parameter,
           .variability = attribute.exposure == Exposure::tunable ? Variability::tunable : Variability::fixed,
           .initial = Initial::exact,
           .unit = attribute.unit,
           .range = attribute.range,
           .start = {values[i]},
           .enumeration = enumeration,
           .storage = Storage::setting,
           .index = static_cast<int>(i)});
    }
  }

  void add_input(std::string const& name, std::string const& description, UnitId unit, int first,
                 std::vector<double> const& start) {
    add({.name = name,
         .description = description,
         .causality = Causality::input,
         .unit = unit,
         .start = start,
         .size = static_cast<int>(start.size()),
         .array = start.size() > 1,
         .storage = Storage::input,
         .index = first});
  }

  void add_output(OutputDefinition const& output, int index) {
    Variable variable{
        .name = output.name,
        .description = output.description,
        .type = output.type,
        .causality = Causality::output,
        .variability = output.type == VariableType::real ? Variability::continuous : Variability::discrete,
        .initial = Initial::calculated,
        .unit = output.unit,
        .range = output.range,
        .size = output.size,
        .array = output.array,
        .enumeration = output.enumeration,
        .storage = Storage::output,
        .index = index};
    append_parameters(output.parameters, variable.parameter_dependencies);
    append_parameters(output.initial_parameters, variable.initial_dependencies);
    for (int const body_index : output.feedthrough) append_inputs_of(body_index, variable.input_dependencies);
    if (!output.feedthrough.empty()) append_settings(variable.parameter_dependencies);
    for (auto const* direct : {&variable.input_dependencies, &variable.parameter_dependencies}) {
      variable.initial_dependencies.insert(variable.initial_dependencies.end(), direct->begin(),
                                           direct->end());
    }
    sort_unique(variable.parameter_dependencies);
    sort_unique(variable.input_dependencies);
    sort_unique(variable.initial_dependencies);
    add(std::move(variable));
  }

  void append_inputs_of(int body_index, std::vector<std::uint32_t>& references) const {
    for (Variable const& variable : table_.variables_) {
      if (variable.storage != Storage::input) continue;
      bool const acts =
          std::any_of(scene_.forces.begin(), scene_.forces.end(),
                      [&](ForceInput const& force) {
                        return force.first == variable.index && force.point.body == body_index;
                      }) ||
          std::any_of(scene_.torques.begin(), scene_.torques.end(), [&](TorqueInput const& torque) {
            return torque.first == variable.index && torque.body == body_index;
          });
      if (acts) references.push_back(variable.value_reference);
    }
  }

  void append_parameters(std::vector<int> const& indices, std::vector<std::uint32_t>& references) const {
    for (int const index : indices) references.push_back(variable_of_parameter(index).value_reference);
  }

  // The tolerance changes how a motion is computed, not the forces at a state.
  void append_settings(std::vector<std::uint32_t>& references) const {
    for (Variable const& variable : table_.variables_) {
      if (variable.storage == Storage::setting && variable.index != static_cast<int>(tolerance_setting)) {
        references.push_back(variable.value_reference);
      }
    }
  }

  Variable& variable_of_parameter(int index) const {
    return *std::find_if(table_.variables_.begin(), table_.variables_.end(), [&](Variable const& variable) {
      return variable.storage == Storage::parameter && variable.index == index;
    });
  }

  static void sort_unique(std::vector<std::uint32_t>& references) {
    std::sort(references.begin(), references.end());
    references.erase(std::unique(references.begin(), references.end()), references.end());
  }

  void add_dependencies_of_calculated_parameters() {
    auto const follows = [&](int calculated, std::vector<int> const& sources) {
      append_parameters(sources, variable_of_parameter(calculated).initial_dependencies);
    };
    for (Body const& b : scene_.bodies) {
      if (b.half_length >= 0) follows(b.inertia, {b.mass, b.half_length});
    }
    for (Contact const& contact : scene_.contacts) {
      if (contact.restitution >= 0) follows(contact.zeta, {contact.restitution});
    }
  }

  VariableTable& table_;
  Scene const& scene_;
  int next_reference_ = 0;
};

VariableTable::VariableTable(Scene const& scene) {
  VariableTableBuilder(*this, scene).build();
  for (Variable const& variable : variables_) {
    for (int offset = 0; offset < variable.size; ++offset) by_reference_.push_back({&variable, offset});
  }
}

VariableTable::Element VariableTable::find(std::uint32_t value_reference) const {
  return value_reference < by_reference_.size() ? by_reference_[value_reference] : Element{};
}

std::string VariableTable::element_name(Variable const& variable, int offset) {
  return variable.array ? variable.name + "[" + std::to_string(offset + 1) + "]" : variable.name;
}

}  // namespace delassus
