#include "fmu/table/controller_table_builder.hpp"

namespace delassus {

std::uint32_t ControllerTableBuilder::add(Variable variable) {
  variable.value_reference = next_reference_;
  next_reference_ += static_cast<std::uint32_t>(variable.size);
  table_.variables_.push_back(std::move(variable));
  return table_.variables_.back().value_reference;
}

void ControllerTableBuilder::build() {
  table_.model_name_ = controller_.name;
  table_.description_ = controller_.description;
  table_.experiment_ = {controller_.experiment.start, controller_.experiment.stop,
                        controller_.experiment.step};
  table_.sampled_ = true;
  add({.name = "time",
       .description = "simulation time",
       .causality = Causality::independent,
       .unit = UnitId::second,
       .storage = Storage::time});
  std::uint32_t initial_output = 0;
  for (Parameter const& parameter : controller_.parameters) {
    std::uint32_t const reference =
        add({.name = parameter.name,
             .description = parameter.description,
             .causality = Causality::parameter,
             .variability = parameter.tunable ? Variability::tunable : Variability::fixed,
             .initial = Initial::exact,
             .unit = parameter.unit,
             .range = parameter.range,
             .start = parameter.values,
             .size = parameter.size(),
             .array = parameter.vector,
             .storage = Storage::parameter,
             .index = parameter.first});
    if (parameter.name == "initial_output") initial_output = reference;
  }
  int index = 0;
  for (ControllerPort const& input : controller_.inputs) {
    add({.name = input.name,
         .description = input.description,
         .causality = Causality::input,
         .unit = input.unit,
         .start = {0},
         .storage = Storage::input,
         .index = index++});
  }
  // Between two samples an output depends on nothing, so its dependencies are empty: a loop through a
  // controller is never algebraic.
  index = 0;
  for (ControllerPort const& output : controller_.outputs) {
    Variable variable{.name = output.name,
                      .description = output.description,
                      .causality = Causality::output,
                      .variability = Variability::discrete,
                      .initial = Initial::calculated,
                      .unit = output.unit,
                      .storage = Storage::output,
                      .index = index};
    if (index < controller_.actuators) variable.initial_dependencies = {initial_output};
    add(std::move(variable));
    ++index;
  }
}

}  // namespace delassus
