// What importers with an integrator of their own need: states, derivatives and event indicators; and the outputs that
// report contact events.
#include <algorithm>

#include "fmu/table/variable_table_builder.hpp"

namespace delassus {

void VariableTableBuilder::add_states() {
  std::vector<StateVariable> const states = state_variables_of(scene_);
  std::vector<std::size_t> added;
  for (StateVariable const& state : states) {
    Variable variable{.name = state.name,
                      .description = "state: " + state.description,
                      .causality = Causality::local,
                      .variability = Variability::continuous,
                      .initial = Initial::calculated,
                      .unit = state.unit,
                      .size = state.size,
                      .array = state.size > 1,
                      .storage = Storage::state,
                      .index = state.index};
    Parts initial;
    append_all(Meaning::parameter, initial_parameters_of(state), initial);
    if (state.velocity && state.body >= 0) append_one(Meaning::start_motions, state.body, initial);
    variable.initial_dependencies = share(std::move(initial));
    add(variable);
    auto& list = state.body >= 0 ? (state.velocity ? velocities_of_body_ : positions_of_body_)[state.body]
                                 : deflections_of_body_[body_of_deflection(state)];
    list.push_back(table_.variables_.back().value_reference);
    added.push_back(table_.variables_.size() - 1);
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    Variable const& of = table_.variables_[added[i]];
    add_derivative(states[i], of.name, of.value_reference);
  }
}

Dependencies::Indices VariableTableBuilder::initial_parameters_of(StateVariable const& state) const {
  if (state.body < 0) return {};
  Body const& b = body(state.body);
  Dependencies::Indices indices;
  bool const turn = state.unit == UnitId::radian || state.unit == UnitId::one,
             spin = state.unit == UnitId::radian_per_second;
  if (turn) {
    append(indices, {b.initial_angle});
  } else if (spin) {
    append(indices, dependencies_.initial_spin(b));
  } else {
    append(indices, state.velocity ? dependencies_.initial_velocity(b) : dependencies_.initial_position(b));
    if (b.center_of_mass >= 0) {
      append(indices, dependencies_.inertia(b));
      append(indices, {b.initial_angle, state.velocity ? b.initial_angular_velocity : -1});
    }
  }
  return indices;
}

Dependencies::Indices VariableTableBuilder::initial_parameters_of_rate(StateVariable const& state) const {
  Body const& b = body(state.body);
  if (!b.moves_freely()) return dependencies_.initial_state(state.body);
  StateVariable rate = state;
  rate.unit = state.unit == UnitId::metre ? UnitId::metre_per_second : UnitId::radian_per_second;
  rate.velocity = true;
  Dependencies::Indices indices = initial_parameters_of(rate);
  if (state.unit == UnitId::one) append(indices, {b.initial_angle});
  return indices;
}

void VariableTableBuilder::add_derivative(StateVariable const& state, std::string const& name,
                                          std::uint32_t of) {
  Variable variable{.name = "der(" + name + ")",
                    .description = "derivative of the " + state.description,
                    .causality = Causality::local,
                    .variability = Variability::continuous,
                    .initial = Initial::calculated,
                    .unit = state.rate_unit,
                    .size = state.size,
                    .array = state.size > 1,
                    .storage = Storage::derivative,
                    .index = state.index,
                    .derivative_of = of};
  Draft draft;
  if (state.body >= 0 && !state.velocity) {
    append_one(Meaning::velocities, state.body, draft.state);
    if (state.unit == UnitId::one)  // a quaternion
      append_one(Meaning::positions, state.body, draft.state);
    append_one(Meaning::motions, state.body, draft.input);
    append_all(Meaning::parameter, initial_parameters_of_rate(state), draft.initial);
    append_one(Meaning::start_motions, state.body, draft.initial);
    Body const& own = body(state.body);
    if (!own.motion_is_input)
      append_all(Meaning::parameter, {own.motion_velocity, own.motion_angular_velocity}, draft.parameter);
  } else {
    append_forces_of(state.body >= 0 ? state.body : body_of_deflection(state), draft);
  }
  finish(std::move(draft), variable);
  add(std::move(variable));
}

int VariableTableBuilder::body_of_deflection(StateVariable const& state) const {
  return scene_.contacts[static_cast<std::size_t>(state.contact)].b.point.body;
}

void VariableTableBuilder::append_forces_of(int member, Draft& draft) {
  Dependencies::Indices const& cluster = dependencies_.cluster(member);
  append_all(Meaning::positions, cluster, draft.state);
  append_all(Meaning::velocities, cluster, draft.state);
  append_all(Meaning::deflections, cluster, draft.state);
  append_all(Meaning::inputs, cluster, draft.input);
  append_all(Meaning::parameter, dependencies_.forces(member), draft.parameter);
  append_all(Meaning::parameter, dependencies_.initial_state_of_forces(member), draft.initial);
  append_settings(draft.parameter);
}

std::vector<int> VariableTableBuilder::bodies_of_sources() const {
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

void VariableTableBuilder::add_events() {
  int index = 0;
  if (scene_.interface.states) {
    auto const add_indicator = [&](std::string const& name, std::string const& meaning,
                                   std::vector<int> const& forces_of) {
      Variable indicator{.name = name + "_indicator",
                         .description = "event indicator: " + meaning,
                         .causality = Causality::local,
                         .variability = Variability::continuous,
                         .initial = Initial::calculated,
                         .storage = Storage::indicator,
                         .index = index++};
      Draft draft;
      for (int const body : forces_of) append_forces_of(body, draft);
      finish(std::move(draft), indicator);
      add(std::move(indicator));
    };
    std::vector<int> const bodies = bodies_of_sources();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      ModeSource const& source = sources_[i];
      if (source.unilateral)
        add_indicator(source.name + ".contact",
                      "positive while the contact carries force, negative while it is detached", {bodies[i]});
      if (source.frictional)
        add_indicator(source.name + ".stick", "positive while it sticks, negative while it slips",
                      {bodies[i]});
    }
    // All groups have one: ModeFunctions::indicators.
    bool const impacts = std::any_of(scene_.groups.begin(), scene_.groups.end(),
                                     [](ContactGroup const& group) { return group.law.restitution >= 0; });
    if (impacts) {
      std::vector<int> moving;
      std::set<int> clusters;  // by their first body
      for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        int const index = static_cast<int>(i);
        if (scene_.bodies[i].degrees_of_freedom > 0 &&
            clusters.insert(dependencies_.members(index).front()).second)
          moving.push_back(index);
      }
      add_indicator(
          "contacts.closing",
          "positive while all open contacts of groups with a restitution are apart, negative as soon as "
          "one closes",
          moving);
    }
  }
  table_.event_indicators_ = index;
  if (sources_.empty()) return;
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
  add_event(EventValue::count, "count", "number of contact events (changes of mode) since the start",
            VariableType::integer);
  add_event(EventValue::time, "time", "time of the last contact event", VariableType::real);
  std::string names;
  for (std::size_t i = 0; i < sources_.size() && i < 20; ++i)
    names += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " " + sources_[i].name;
  add_event(EventValue::source, "source",
            "contact, friction or joint of the last event, as a number: 0 none yet, " + names +
                (sources_.size() > 20 ? ", ..." : ""),
            VariableType::integer);
  if (add_event(EventValue::kind, "kind", "kind of the last contact event", VariableType::enumeration))
    add_integer_twin();
  if (!scene_.interface.event_clock) return;
  add({.name = "events.clock",
       .description = "clock that ticks at each contact event",
       .type = VariableType::clock,
       .causality = Causality::output,
       .variability = Variability::discrete,
       .storage = Storage::clock});
}

}  // namespace delassus
