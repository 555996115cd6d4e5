#include "fmu/variable_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "fmu/dependencies.hpp"
#include "fmu/outputs.hpp"
#include "fmu/settings.hpp"
#include "fmu/state_variables.hpp"
#include "model/joint_rows.hpp"
#include "model/pattern.hpp"
#include "model/vocabulary.hpp"

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

// Fills a table in the order: time, parameters, solver settings, inputs, states and their derivatives, outputs,
// event indicators, events.
class VariableTableBuilder {
 public:
  VariableTableBuilder(VariableTable& table, Scene const& scene, std::vector<ModeSource> const& sources)
      : table_(table), scene_(scene), sources_(sources), dependencies_(scene) {}

  void build() {
    table_.model_name_ = scene_.name;
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
                "force on " + name_of(force.point) + (force.in_body_frame ? ", along the body's axes" : ""),
                UnitId::newton, force.first, force.start, {force.point.body});
    }
    for (TorqueInput const& torque : scene_.torques) {
      add_input(torque.name, "torque on " + body(torque.body).name, UnitId::newton_metre, torque.first,
                torque.start, {torque.body});
    }
    for (MotionInput const& motion : scene_.motions) {
      add_input(
          motion.name,
          std::string(motion.angular ? "angular velocity of " : "velocity of ") + body(motion.body).name,
          motion.angular ? UnitId::radian_per_second : UnitId::metre_per_second, motion.first, motion.start,
          {motion.body});
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

 private:
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }

  std::string name_of(PointReference const& point) const {
    return point.point < 0 ? body(point.body).name
                           : scene_.points[static_cast<std::size_t>(point.point)].name;
  }

  // Gives the variable its place, unless the scene hides it: then false.
  bool add(Variable variable) {
    known_names_.insert(variable.name);
    if (!apply_exposures(variable)) return false;
    claim(variable.name);
    for (std::string const& alias : variable.aliases) claim(alias);
    variable.value_reference = static_cast<std::uint32_t>(next_reference_);
    next_reference_ += variable.size;
    table_.variables_.push_back(std::move(variable));
    Variable const& added = table_.variables_.back();
    if (added.storage == Storage::parameter)
      variable_of_parameter_[added.index] = table_.variables_.size() - 1;
    return true;
  }

  void claim(std::string const& name) {
    if (names_.insert(name).second) return;
    throw std::runtime_error("two variables of the FMU have the name '" + name + "'; choose another in <expose>");
  }

  [[noreturn]] static void refuse(ExposureRule const& rule, std::string const& reason) {
    throw SceneError(rule.file, rule.line, "<expose variable=\"" + rule.variable + "\">: " + reason);
  }

  std::string near_miss(ExposureRule const& rule) const {
    std::vector<std::string_view> const known(known_names_.begin(), known_names_.end());
    auto const meant = did_you_mean(rule.variable, known);
    return meant ? "; did you mean '" + std::string(*meant) + "'?"
                 : "; see `delassus describe` for the names";
  }

  // False where the variable is hidden.
  bool apply_exposures(Variable& variable) {
    std::string const own_name = variable.name;
    bool shown = true;
    for (ExposureRule const& rule : scene_.exposures) {
      if (!matches_pattern(rule.variable, own_name)) continue;
      used_rules_.insert(&rule);
      if (!rule.name.empty()) variable.name = rule.name;
      if (!rule.alias.empty()) {
        if (variable.causality != Causality::output)
          refuse(rule, "'" + own_name + "' is no output: only these can have a second name");
        variable.aliases.push_back(rule.alias);
      }
      if (rule.as == ExposedAs::unchanged) continue;
      if (variable.storage == Storage::time) refuse(rule, "time is always there");
      if (rule.as == ExposedAs::hidden) {
        bool const state = variable.storage == Storage::state || variable.storage == Storage::derivative ||
                           variable.storage == Storage::indicator;
        if (state && rule.variable == own_name)
          refuse(rule, "a state belongs to Model Exchange; to do without, write <interface states=\"no\"/>");
        if (state) continue;  // a pattern that also matches others
        shown = false;
        continue;
      }
      if (variable.causality != Causality::parameter)
        refuse(rule, "'" + own_name + "' is not a parameter; it can be hidden or get another name");
      if (rule.as == ExposedAs::constant) {
        variable.causality = Causality::local;
        variable.variability = Variability::constant;
        continue;
      }
      bool const tunable = rule.as == ExposedAs::tunable;
      if (tunable && !can_be_tunable(variable))
        refuse(rule, "'" + own_name + "' describes the start or the stepper and cannot change later");
      variable.variability = tunable ? Variability::tunable : Variability::fixed;
    }
    return shown;
  }

  bool can_be_tunable(Variable const& variable) const {
    if (variable.variability == Variability::tunable) return true;
    if (variable.storage != Storage::parameter) return false;
    for (Parameter const& parameter : scene_.parameters) {
      if (parameter.first != variable.index) continue;
      return parameter.role != ParameterRole::initial_position &&
             parameter.role != ParameterRole::initial_velocity;
    }
    return false;
  }

  void add_parameter(Parameter const& parameter) {
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

  void add_settings() {
    Element const& element = *find_element("scene", "solver");
    SettingValues const values = settings_of(scene_.solver);
    for (std::size_t i = 0; i < setting_names.size(); ++i) {
      Attribute const& attribute = *find_attribute(element, setting_names[i]);
      Enumeration const* const enumeration = attribute.enumeration ? attribute.enumeration() : nullptr;
      bool const shown =
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
      if (enumeration && shown) add_integer_twin();
    }
  }

  // For importers that have no enumerations: the same value as an integer, to be read.
  void add_integer_twin() {
    Variable const& of = table_.variables_.back();
    Variable twin = of;
    twin.name = of.name + "_number";
    twin.aliases.clear();
    twin.description = of.description + ", as a number: ";
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

  // Each with its derivative behind it.
  void add_states() {
    std::vector<StateVariable> const states = state_variables_of(scene_);
    std::vector<std::size_t> added;
    for (StateVariable const& state : states) {
      Variable variable{.name = state.name,
                        .description = state.description,
                        .causality = Causality::local,
                        .variability = Variability::continuous,
                        .initial = Initial::calculated,
                        .unit = state.unit,
                        .size = state.size,
                        .array = state.size > 1,
                        .storage = Storage::state,
                        .index = state.index};
      append_parameters(initial_parameters_of(state), variable.initial_dependencies);
      sort_unique(variable.initial_dependencies);
      add(variable);
      auto& list = state.body >= 0 ? (state.velocity ? velocities_of_body_ : positions_of_body_)[state.body]
                                   : deflections_of_contact_[state.contact];
      list.push_back(table_.variables_.back().value_reference);
      added.push_back(table_.variables_.size() - 1);
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
      Variable const& of = table_.variables_[added[i]];
      add_derivative(states[i], of.name, of.value_reference);
    }
  }

  // What a state follows at the start. Where the centre of mass is not the origin, whose motion is given, it
  // follows the arm between them as well.
  Dependencies::Indices initial_parameters_of(StateVariable const& state) const {
    if (state.body < 0) return {};
    Body const& b = body(state.body);
    Dependencies::Indices indices;
    bool const turn = state.unit == UnitId::radian || state.unit == UnitId::one,
               spin = state.unit == UnitId::radian_per_second;
    if (turn) {
      append(indices, {b.initial_angle});
    } else if (spin) {
      append(indices, {b.initial_angular_velocity});
    } else {
      append(indices, state.velocity ? dependencies_.initial_velocity(b) : dependencies_.initial_position(b));
      if (b.center_of_mass >= 0) {
        append(indices, dependencies_.inertia(b));
        append(indices, {b.initial_angle, state.velocity ? b.initial_angular_velocity : -1});
      }
    }
    return indices;
  }

  // The same of the rate of a coordinate.
  Dependencies::Indices initial_parameters_of_rate(StateVariable const& state) const {
    Body const& b = body(state.body);
    if (!b.moves_freely()) return dependencies_.initial_state(state.body);
    StateVariable rate = state;
    rate.unit = state.unit == UnitId::metre ? UnitId::metre_per_second : UnitId::radian_per_second;
    rate.velocity = true;
    Dependencies::Indices indices = initial_parameters_of(rate);
    if (state.unit == UnitId::one) append(indices, {b.initial_angle});
    return indices;
  }

  // q' = N(q) v follows the body's own motion; v' and deflections follow the forces of the cluster.
  void add_derivative(StateVariable const& state, std::string const& name, std::uint32_t of) {
    Variable variable{.name = "der(" + name + ")",
                      .description = "rate of the " + state.description,
                      .causality = Causality::local,
                      .variability = Variability::continuous,
                      .initial = Initial::calculated,
                      .unit = state.rate_unit,
                      .size = state.size,
                      .array = state.size > 1,
                      .storage = Storage::derivative,
                      .index = state.index,
                      .derivative_of = of};
    if (state.body >= 0 && !state.velocity) {
      append_of(velocities_of_body_, state.body, variable.state_dependencies);
      if (state.unit == UnitId::one)  // a quaternion
        append_of(positions_of_body_, state.body, variable.state_dependencies);
      append_inputs_of(state.body, variable.input_dependencies, true);
      append_parameters(initial_parameters_of_rate(state), variable.initial_dependencies);
      Body const& own = body(state.body);
      if (!own.motion_is_input)
        append_parameters({own.motion_velocity, own.motion_angular_velocity}, variable.parameter_dependencies);
    } else {
      int const member = state.body >= 0 ? state.body
                                         : scene_.contacts[static_cast<std::size_t>(state.contact)].b.point.body;
      append_forces_of(member, variable);
    }
    finish(variable);
    add(std::move(variable));
  }

  // All that the forces in the cluster of a body follow.
  void append_forces_of(int member, Variable& variable) {
    for (int const other : dependencies_.cluster(member)) {
      append_of(positions_of_body_, other, variable.state_dependencies);
      append_of(velocities_of_body_, other, variable.state_dependencies);
      append_inputs_of(other, variable.input_dependencies);
    }
    append_deflections(dependencies_.cluster(member), variable.state_dependencies);
    append_parameters(dependencies_.forces(member), variable.parameter_dependencies);
    append_parameters(dependencies_.initial_state_of_forces(member), variable.initial_dependencies);
    append_settings(variable.parameter_dependencies);
  }

  // What it follows at once it also follows at the start.
  static void finish(Variable& variable) {
    for (auto const* direct : {&variable.input_dependencies, &variable.parameter_dependencies}) {
      variable.initial_dependencies.insert(variable.initial_dependencies.end(), direct->begin(),
                                           direct->end());
    }
    sort_unique(variable.parameter_dependencies);
    sort_unique(variable.input_dependencies);
    sort_unique(variable.state_dependencies);
    sort_unique(variable.initial_dependencies);
  }

  using ReferencesOf = std::map<int, std::vector<std::uint32_t>>;
  static void append_of(ReferencesOf const& references_of, int key, std::vector<std::uint32_t>& references) {
    if (auto const found = references_of.find(key); found != references_of.end())
      references.insert(references.end(), found->second.begin(), found->second.end());
  }
  void append_deflections(std::vector<int> const& bodies, std::vector<std::uint32_t>& references) const {
    for (auto const& [contact, deflections] : deflections_of_contact_) {
      int const touching = scene_.contacts[static_cast<std::size_t>(contact)].b.point.body;
      if (std::find(bodies.begin(), bodies.end(), touching) != bodies.end())
        references.insert(references.end(), deflections.begin(), deflections.end());
    }
  }

  // One of the bodies that each source acts on: what it follows lies in the cluster of that.
  std::vector<int> bodies_of_sources() const {
    std::map<std::string, int> of_name;
    for (Contact const& contact : scene_.contacts) of_name[contact.name] = contact.b.point.body;
    for (Friction const& friction : scene_.frictions) of_name[friction.name] = friction.point.body;
    for (Joint const& joint : scene_.joints) {
      int const end = joint.a.body != ground_body ? joint.a.body : joint.b.body;
      for (char const* part : {"", ".lower", ".upper"}) of_name[joint.name + part] = end;
    }
    std::vector<int> bodies;
    for (ModeSource const& source : sources_) bodies.push_back(of_name.at(source.name));
    return bodies;
  }

  // What importers see of changes of mode: the functions that show them, where states are variables, and what
  // has happened last.
  void add_events() {
    if (sources_.empty()) return;
    int index = 0;
    if (scene_.interface.states) {
      std::vector<int> const bodies = bodies_of_sources();
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        ModeSource const& source = sources_[i];
        auto const add_indicator = [&](char const* what, std::string const& meaning) {
          Variable indicator{.name = source.name + "." + what + "_indicator",
                             .description = "event indicator: " + meaning,
                             .causality = Causality::local,
                             .variability = Variability::continuous,
                             .initial = Initial::calculated,
                             .storage = Storage::indicator,
                             .index = index++};
          append_forces_of(bodies[i], indicator);
          finish(indicator);
          add(std::move(indicator));
        };
        if (source.unilateral)
          add_indicator("contact", "positive where the contact carries force, negative where it is detached");
        if (source.frictional)
          add_indicator("stick", "positive where it sticks, negative where it slips");
      }
    }
    table_.event_indicators_ = index;
    Variable event{.causality = Causality::output,
                   .variability = Variability::discrete,
                   .initial = Initial::calculated,
                   .storage = Storage::event};
    auto const add_event = [&](EventValue value, std::string const& name, std::string const& description,
                               VariableType type) {
      event.index = static_cast<int>(value);
      event.name = "events." + name;
      event.description = description;
      event.type = type;
      event.enumeration = type == VariableType::enumeration ? &contact_event_enumeration() : nullptr;
      event.unit = value == EventValue::time ? UnitId::second : UnitId::one;
      event.range = type == VariableType::integer ? not_negative : any_number;
      return add(event);
    };
    add_event(EventValue::count, "count", "number of changes of contact mode since the start",
              VariableType::integer);
    add_event(EventValue::time, "time", "when the last of them was", VariableType::real);
    std::string names;
    for (std::size_t i = 0; i < sources_.size() && i < 20; ++i)
      names += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " " + sources_[i].name;
    add_event(EventValue::source, "source",
              "of what it was; 0: of nothing yet; " + names + (sources_.size() > 20 ? ", ..." : ""),
              VariableType::integer);
    if (add_event(EventValue::kind, "kind", "what it was", VariableType::enumeration)) add_integer_twin();
    if (!scene_.interface.event_clock) return;
    add({.name = "events.clock",
         .description = "ticks at each change of contact mode",
         .type = VariableType::clock,
         .causality = Causality::output,
         .variability = Variability::discrete,
         .storage = Storage::clock});
  }

  void add_input(std::string const& name, std::string const& description, UnitId unit, int first,
                 std::vector<double> const& start, std::vector<int> const& bodies) {
    bodies_of_input_[first] = bodies;
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
    if (scene_.interface.feedthrough) {
      for (int const body_index : output.feedthrough)
        append_inputs_of(body_index, variable.input_dependencies);
      for (int const body_index : output.feedthrough_motions)
        append_inputs_of(body_index, variable.input_dependencies);
    }
    for (int const body_index : output.position_of)
      append_of(positions_of_body_, body_index, variable.state_dependencies);
    for (int const body_index : output.velocity_of)
      append_of(velocities_of_body_, body_index, variable.state_dependencies);
    if (!output.feedthrough.empty()) {
      append_deflections(output.feedthrough, variable.state_dependencies);
      append_settings(variable.parameter_dependencies);
    }
    finish(variable);
    bool const enumeration = variable.enumeration != nullptr;
    if (add(std::move(variable)) && enumeration) add_integer_twin();
  }

  // `motions`: only those that prescribe its velocity.
  void append_inputs_of(int body_index, std::vector<std::uint32_t>& references, bool motions = false) const {
    for (Variable const& variable : table_.variables_) {
      if (variable.storage != Storage::input) continue;
      if (motions && variable.unit != UnitId::metre_per_second && variable.unit != UnitId::radian_per_second)
        continue;
      std::vector<int> const& bodies = bodies_of_input_.at(variable.index);
      if (std::find(bodies.begin(), bodies.end(), body_index) != bodies.end())
        references.push_back(variable.value_reference);
    }
  }

  void append_parameters(std::vector<int> const& indices, std::vector<std::uint32_t>& references) const {
    for (int const index : indices) {
      // Hidden and constant ones are no knowns.
      Variable const* const variable = variable_of_parameter(index);
      if (variable && variable->causality != Causality::local)
        references.push_back(variable->value_reference);
    }
  }

  // The tolerance changes how a motion is computed, not the forces at a state.
  void append_settings(std::vector<std::uint32_t>& references) const {
    for (Variable const& variable : table_.variables_) {
      if (variable.storage == Storage::setting && variable.causality == Causality::parameter &&
          variable.index != static_cast<int>(tolerance_setting)) {
        references.push_back(variable.value_reference);
      }
    }
  }

  Variable* variable_of_parameter(int index) const {
    auto const found = variable_of_parameter_.find(index);
    return found == variable_of_parameter_.end() ? nullptr : &table_.variables_[found->second];
  }

  static void sort_unique(std::vector<std::uint32_t>& references) {
    std::sort(references.begin(), references.end());
    references.erase(std::unique(references.begin(), references.end()), references.end());
  }

  void add_dependencies_of_calculated_parameters() {
    auto const follows = [&](int calculated, std::vector<int> const& sources) {
      Variable* const variable = variable_of_parameter(calculated);
      if (!variable) return;
      append_parameters(sources, variable->initial_dependencies);
      for (int const source : sources) {
        Variable const* const known = variable_of_parameter(source);
        if (known && known->variability == Variability::tunable) variable->variability = Variability::tunable;
      }
    };
    for (Body const& b : scene_.bodies) {
      if (b.half_length >= 0) follows(b.inertia, {b.mass, b.half_length});
      if (!b.from_shapes) continue;
      std::vector<int> const sources = dependencies_.inertia(b);
      if (b.density >= 0) follows(b.mass, sources);
      if (b.center_of_mass >= 0) follows(b.center_of_mass, sources);
      if (b.inertia >= 0) follows(b.inertia, sources);
    }
    auto const zeta_follows = [&](ContactParameters const& law) {
      if (law.restitution >= 0) follows(law.zeta, {law.restitution});
    };
    for (Contact const& contact : scene_.contacts) zeta_follows(contact.law);
    for (ContactGroup const& group : scene_.groups) zeta_follows(group.law);
  }

  VariableTable& table_;
  Scene const& scene_;
  std::vector<ModeSource> const& sources_;
  Dependencies dependencies_;
  ReferencesOf positions_of_body_, velocities_of_body_, deflections_of_contact_;  // of the state variables
  int next_reference_ = 0;
  std::set<std::string> names_, known_names_;  // in the FMU, and before <expose>
  std::set<ExposureRule const*> used_rules_;
  std::map<int, std::vector<int>> bodies_of_input_;
  std::map<int, std::size_t> variable_of_parameter_;
};

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
