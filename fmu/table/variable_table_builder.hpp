// Fills a variable table in the order: time, parameters, solver settings, inputs, states and their derivatives,
// outputs, event indicators, events. Inner header of variable_table.cpp.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fmu/table/dependencies.hpp"
#include "fmu/table/outputs.hpp"
#include "fmu/table/state_variables.hpp"
#include "fmu/table/variable_table.hpp"

namespace delassus {

class VariableTableBuilder {
 public:
  VariableTableBuilder(VariableTable& table, Scene const& scene, std::vector<ModeSource> const& sources)
      : table_(table), scene_(scene), sources_(sources), dependencies_(scene) {}
  void build();

 private:
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }
  std::string name_of(PointReference const& point) const;
  // Adds the variable, unless the scene hides it. Returns whether it was added.
  bool add(Variable variable);
  void claim(std::string const& name);
  [[noreturn]] static void refuse(ExposureRule const& rule, std::string const& reason);
  std::string near_miss(ExposureRule const& rule) const;
  // Returns false if the variable is hidden.
  bool apply_exposures(Variable& variable);
  bool can_be_tunable(Variable const& variable) const;
  void add_parameter(Parameter const& parameter);
  bool has_impact_laws() const;
  void add_settings();
  // For importers without enumerations: the same value as an integer, read-only.
  void add_integer_twin();
  // Adds the states, then their derivatives.
  void add_states();
  // What the initial value of a state depends on. If the centre of mass is not the origin, whose motion is
  // given, it also depends on the arm between them.
  Dependencies::Indices initial_parameters_of(StateVariable const& state) const;
  // The same for the rate of a coordinate.
  Dependencies::Indices initial_parameters_of_rate(StateVariable const& state) const;
  // q' = N(q) v depends on the motion of the body; v' and deflections depend on the forces of the cluster.
  void add_derivative(StateVariable const& state, std::string const& name, std::uint32_t of);
  // Adds everything that the forces in the cluster of a body depend on.
  void append_forces_of(int member, Variable& variable);
  // Direct dependencies are initial dependencies, too.
  static void finish(Variable& variable);
  using ReferencesOf = std::map<int, std::vector<std::uint32_t>>;
  static void append_of(ReferencesOf const& references_of, int key, std::vector<std::uint32_t>& references);
  void append_deflections(std::vector<int> const& bodies, std::vector<std::uint32_t>& references) const;
  // One of the bodies that each source acts on. Its dependencies lie in the cluster of that body.
  std::vector<int> bodies_of_sources() const;
  // The variables for contact events: event indicators, if states are variables, and the last event.
  void add_events();
  void add_input(std::string const& name, std::string const& description, UnitId unit, int first,
                 std::vector<double> const& start, std::vector<int> const& bodies);
  void add_output(OutputDefinition const& output, int index);
  // `motions`: only inputs that prescribe its velocity.
  void append_inputs_of(int body_index, std::vector<std::uint32_t>& references, bool motions = false) const;
  // Inputs that prescribe velocities from which joints derive that of this body at the start.
  void append_start_motions_of(int body_index, std::vector<std::uint32_t>& references) const;
  void append_parameters(std::vector<int> const& indices, std::vector<std::uint32_t>& references) const;
  // All settings except the tolerance, which has no effect on the forces at a state.
  void append_settings(std::vector<std::uint32_t>& references) const;
  Variable* variable_of_parameter(int index) const;
  static void sort_unique(std::vector<std::uint32_t>& references);
  void add_dependencies_of_calculated_parameters();

  VariableTable& table_;
  Scene const& scene_;
  std::vector<ModeSource> const& sources_;
  Dependencies dependencies_;
  ReferencesOf positions_of_body_, velocities_of_body_, deflections_of_contact_;  // of the state variables
  int next_reference_ = 0;
  std::set<std::string> names_, known_names_;  // in the FMU, and before <expose>
  std::set<ExposureRule const*> used_rules_;
  std::map<int, std::vector<std::size_t>> inputs_of_body_;  // places in the table
  std::vector<std::uint32_t> settings_;                     // all except the tolerance
  std::map<int, std::size_t> variable_of_parameter_;
};

}  // namespace delassus
