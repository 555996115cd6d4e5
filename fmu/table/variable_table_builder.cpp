#include "fmu/table/variable_table_builder.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fmu/table/setting_values.hpp"
#include "model/equations/joint_rows.hpp"
#include "model/language/vocabulary.hpp"
#include "model/scene/pattern.hpp"

namespace delassus {

void VariableTableBuilder::build() {
  for (std::size_t i = 0; i < scene_.exposures.size(); ++i) {
    std::string const& pattern = scene_.exposures[i].variable;
    (pattern.find('*') == std::string::npos ? rules_of_name_[pattern] : rules_with_star_).push_back(i);
  }
  table_.model_name_ = scene_.name;
  table_.offers_output_derivatives_ = scene_.solver.stepper == StepperKind::relaxed;
  table_.offers_model_exchange_ = scene_.interface.states && scene_.interface.feedthrough;
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
    add_input(force.name,
              "force on " + name_of(force.point) +
                  (force.in_body_frame ? ", along the axes of the body" : ", along the axes of the world"),
              UnitId::newton, force.first, force.start, {force.point.body});
  }
  for (TorqueInput const& torque : scene_.torques) {
    add_input(torque.name,
              "torque on " + body(torque.body).name +
                  (scene_.dimension == 2 ? ", counter-clockwise" : ", along the axes of the world"),
              UnitId::newton_metre, torque.first, torque.start, {torque.body});
  }
  for (MotionInput const& motion : scene_.motions) {
    add_input(motion.name,
              std::string(motion.angular ? "angular velocity of " : "velocity of ") + body(motion.body).name,
              motion.angular ? UnitId::radian_per_second : UnitId::metre_per_second, motion.first,
              motion.start, {motion.body});
  }
  for (Joint const& joint : scene_.joints) {
    if (joint.drive < 0) continue;
    bool const angle = has_free_angle(joint.type);
    add_input(joint.drive_name,
              std::string(angle ? "drive torque" : "drive force") + " of joint " + joint.name,
              angle ? UnitId::newton_metre : UnitId::newton, joint.drive, {joint.drive_start},
              {joint.a.body, joint.b.body});
  }
  if (scene_.interface.states) add_states();
  int index = 0;
  for (OutputDefinition const& output : outputs_of(scene_)) {
    add_output(output, index);
    index += output.size;
  }
  add_events();
  add_dependencies_of_calculated_parameters();
  for (ExposureRule const& rule : scene_.exposures) {
    if (!used_rules_.contains(&rule)) refuse(rule, "no variable has this name" + near_miss(rule));
  }
}

std::string VariableTableBuilder::name_of(PointReference const& point) const {
  return point.point < 0 ? body(point.body).name : scene_.points[static_cast<std::size_t>(point.point)].name;
}

bool VariableTableBuilder::add(Variable variable) {
  known_names_.insert(variable.name);
  if (!apply_exposures(variable)) return false;
  claim(variable.name);
  for (std::string const& alias : variable.aliases) claim(alias);
  variable.value_reference = static_cast<std::uint32_t>(next_reference_);
  next_reference_ += variable.size;
  table_.variables_.push_back(std::move(variable));
  Variable const& added = table_.variables_.back();
  if (added.storage == Storage::setting && added.causality == Causality::parameter &&
      added.index != static_cast<int>(tolerance_setting))
    settings_.push_back(added.value_reference);
  if (added.storage == Storage::parameter) variable_of_parameter_[added.index] = table_.variables_.size() - 1;
  return true;
}

void VariableTableBuilder::claim(std::string const& name) {
  if (names_.insert(name).second) return;
  throw std::runtime_error("two variables of the FMU have the name '" + name +
                           "'; choose another in <expose>");
}

void VariableTableBuilder::refuse(ExposureRule const& rule, std::string const& reason) {
  throw SceneError(rule.file, rule.line, "<expose variable=\"" + rule.variable + "\">: " + reason);
}

std::string VariableTableBuilder::near_miss(ExposureRule const& rule) const {
  std::vector<std::string_view> known(known_names_.begin(), known_names_.end());
  std::sort(known.begin(), known.end());
  auto const meant = did_you_mean(rule.variable, known);
  return meant ? "; did you mean '" + std::string(*meant) + "'?" : "; see `delassus describe` for the names";
}

std::vector<ExposureRule const*> VariableTableBuilder::rules_for(std::string const& name) const {
  std::vector<std::size_t> places;
  if (auto const own = rules_of_name_.find(name); own != rules_of_name_.end()) places = own->second;
  for (std::size_t const place : rules_with_star_) {
    if (matches_pattern(scene_.exposures[place].variable, name)) places.push_back(place);
  }
  std::sort(places.begin(), places.end());
  std::vector<ExposureRule const*> rules;
  for (std::size_t const place : places) rules.push_back(&scene_.exposures[place]);
  return rules;
}

bool VariableTableBuilder::apply_exposures(Variable& variable) {
  std::string const own_name = variable.name;
  bool shown = true;
  for (ExposureRule const* const matching : rules_for(own_name)) {
    ExposureRule const& rule = *matching;
    used_rules_.insert(&rule);
    if (!rule.name.empty()) variable.name = rule.name;
    if (!rule.alias.empty()) {
      if (variable.causality != Causality::output)
        refuse(rule, "'" + own_name + "' is not an output; only outputs can have an alias");
      variable.aliases.push_back(rule.alias);
    }
    if (rule.as == ExposedAs::unchanged) continue;
    if (variable.storage == Storage::time) refuse(rule, "the independent variable 'time' cannot be changed");
    if (rule.as == ExposedAs::hidden) {
      bool const state = variable.storage == Storage::state || variable.storage == Storage::derivative ||
                         variable.storage == Storage::indicator;
      if (state && rule.variable == own_name)
        refuse(rule,
               "a state cannot be hidden on its own; <interface states=\"no\"/> hides all states and "
               "switches Model Exchange off");
      if (state) continue;  // a pattern may also match other variables
      shown = false;
      continue;
    }
    if (variable.causality != Causality::parameter)
      refuse(rule, "'" + own_name + "' is not a parameter; it can only be hidden or renamed");
    if (rule.as == ExposedAs::constant) {
      variable.causality = Causality::local;
      variable.variability = Variability::constant;
      continue;
    }
    bool const tunable = rule.as == ExposedAs::tunable;
    if (tunable && !can_be_tunable(variable))
      refuse(rule, "'" + own_name + "' is an initial value or selects the stepper, and cannot be tunable");
    variable.variability = tunable ? Variability::tunable : Variability::fixed;
  }
  return shown;
}

bool VariableTableBuilder::can_be_tunable(Variable const& variable) const {
  if (variable.variability == Variability::tunable) return true;
  if (variable.storage != Storage::parameter) return false;
  auto const parameter = std::ranges::lower_bound(scene_.parameters, variable.index, {}, &Parameter::first);
  return parameter != scene_.parameters.end() && parameter->first == variable.index &&
         parameter->role != ParameterRole::initial_position &&
         parameter->role != ParameterRole::initial_velocity;
}

void VariableTableBuilder::add_parameter(Parameter const& parameter) {
  add({.name = parameter.name,
       .description = parameter.description,
       .causality = parameter.calculated ? Causality::calculated_parameter : Causality::parameter,
       .variability = parameter.tunable ? Variability::tunable : Variability::fixed,
       .initial = parameter.calculated ? Initial::calculated : Initial::exact,
       .unit = parameter.unit,
       .range = parameter.range,
       .start = parameter.calculated ? std::vector<double>{} : parameter.values,
       .size = parameter.size(),
       .array = parameter.vector,
       .storage = Storage::parameter,
       .index = parameter.first});
}

bool VariableTableBuilder::has_impact_laws() const {
  auto const has_law = [](auto const& element) { return element.law.restitution >= 0; };
  return std::any_of(scene_.contacts.begin(), scene_.contacts.end(), has_law) ||
         std::any_of(scene_.groups.begin(), scene_.groups.end(), has_law);
}

void VariableTableBuilder::add_settings() {
  Element const& element = *find_element("scene", "solver");
  SettingValues const values = settings_of(scene_.solver);
  for (std::size_t i = 0; i < setting_names.size(); ++i) {
    // The order of impacts matters only where something bounces.
    if (setting_names[i] == "impacts" && !has_impact_laws()) continue;
    Attribute const& attribute = *find_attribute(element, setting_names[i]);
    Enumeration const* const enumeration = attribute.enumeration ? attribute.enumeration() : nullptr;
    bool const shown = add(
        {.name = "solver." + std::string(attribute.name),
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
    if (enumeration && shown) add_integer_twin();
  }
}

void VariableTableBuilder::add_integer_twin() {
  if (!scene_.interface.integers && !scene_.interface.analysis) return;
  Variable const& of = table_.variables_.back();
  Variable twin = of;
  twin.name = of.name + "_number";
  twin.aliases.clear();
  twin.description = of.description + ", as an integer: ";
  for (std::size_t i = 0; i < of.enumeration->items.size(); ++i)
    twin.description +=
        (i == 0 ? "" : ", ") + std::to_string(i + 1) + " " + std::string(of.enumeration->items[i].name);
  twin.type = VariableType::integer;
  twin.enumeration = nullptr;
  twin.range = not_negative;
  if (of.causality == Causality::parameter) {
    twin.causality = Causality::calculated_parameter;
    twin.initial = Initial::calculated;
    twin.start.clear();
    twin.initial_dependencies = {of.value_reference};
  }
  add(std::move(twin));
}

void VariableTableBuilder::finish(Draft draft, Variable& variable) {
  draft.initial.append(draft.input);
  draft.initial.append(draft.parameter);
  variable.input_dependencies = share(std::move(draft.input));
  variable.parameter_dependencies = share(std::move(draft.parameter));
  variable.state_dependencies = share(std::move(draft.state));
  variable.initial_dependencies = share(std::move(draft.initial));
}

void VariableTableBuilder::add_input(std::string const& name, std::string const& description, UnitId unit,
                                     int first, std::vector<double> const& start,
                                     std::vector<int> const& bodies) {
  bool const added = add({.name = name,
                          .description = description,
                          .causality = Causality::input,
                          .unit = unit,
                          .start = start,
                          .size = static_cast<int>(start.size()),
                          .array = start.size() > 1,
                          .storage = Storage::input,
                          .index = first});
  if (!added) return;
  std::uint32_t const reference = table_.variables_.back().value_reference;
  for (int const body_index : bodies) {
    inputs_of_body_[body_index].push_back(reference);
    if (unit == UnitId::metre_per_second || unit == UnitId::radian_per_second)
      motions_of_body_[body_index].push_back(reference);
  }
}

void VariableTableBuilder::add_output(OutputDefinition const& output, int index) {
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
  Draft draft;
  append_all(Meaning::parameter, output.parameters, draft.parameter);
  append_all(Meaning::parameter, output.initial_parameters, draft.initial);
  if (scene_.interface.feedthrough) {
    append_all(Meaning::inputs, output.feedthrough, draft.input);
    append_all(Meaning::inputs, output.feedthrough_motions, draft.input);
  }
  append_all(Meaning::positions, output.position_of, draft.state);
  append_all(Meaning::velocities, output.velocity_of, draft.state);
  append_all(Meaning::start_motions, output.velocity_of, draft.initial);
  if (!output.feedthrough.empty()) {
    append_all(Meaning::deflections, output.feedthrough, draft.state);
    append_settings(draft.parameter);
  }
  finish(std::move(draft), variable);
  bool const enumeration = variable.enumeration != nullptr;
  if (add(std::move(variable)) && enumeration) add_integer_twin();
}

Variable* VariableTableBuilder::variable_of_parameter(int index) const {
  auto const found = variable_of_parameter_.find(index);
  return found == variable_of_parameter_.end() ? nullptr : &table_.variables_[found->second];
}

void VariableTableBuilder::add_dependencies_of_calculated_parameters() {
  auto const follows = [&](int calculated, Dependencies::Indices const& sources) {
    Variable* const variable = variable_of_parameter(calculated);
    if (!variable) return;
    Parts initial;
    append_all(Meaning::parameter, sources, initial);
    variable->initial_dependencies = share(std::move(initial));
    for (int const source : sources.own()) {
      Variable const* const known = variable_of_parameter(source);
      if (known && known->variability == Variability::tunable) variable->variability = Variability::tunable;
    }
  };
  for (Body const& b : scene_.bodies) {
    if (b.half_length >= 0) follows(b.inertia, {b.mass, b.half_length});
    if (!b.from_shapes) continue;
    Dependencies::Indices const sources = dependencies_.inertia(b);
    if (b.density >= 0) follows(b.mass, sources);
    if (b.center_of_mass >= 0) follows(b.center_of_mass, sources);
    if (b.inertia >= 0) follows(b.inertia, sources);
  }
}

}  // namespace delassus
