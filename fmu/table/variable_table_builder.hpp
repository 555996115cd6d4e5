// Fills a variable table in the order: time, parameters, solver settings, inputs, states and their derivatives,
// outputs, event indicators, events. Inner header of variable_table.cpp.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
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
  // Dependencies while they are collected. Lists of indices become lists of references; a part that many lists have in
  // common is translated once.
  using Parts = PartedList<std::uint32_t>;
  struct Draft {
    Parts input, parameter, state, initial;
  };
  // What an index stands for: a parameter, or a body whose inputs, prescribed motions, states or deflections are meant, or the
  // prescribed motions from which joints derive its velocity at the start.
  enum class Meaning { parameter, inputs, motions, positions, velocities, deflections, start_motions };
  static constexpr std::size_t meanings = 7;
  void append_all(Meaning meaning, Dependencies::Indices const& indices, Parts& to);
  void append_one(Meaning meaning, int index, Parts& to);
  int body_of_deflection(StateVariable const& state) const;
  // Adds everything that the forces in the cluster of a body depend on.
  void append_forces_of(int member, Draft& draft);
  // Direct dependencies are initial dependencies, too.
  void finish(Draft draft, Variable& variable);
  References share(Parts parts);
  using ReferencesOf = std::unordered_map<int, std::vector<std::uint32_t>>;
  static void append_of(ReferencesOf const& references_of, int key, Parts& to);
  // One of the bodies that each source acts on. Its dependencies lie in the cluster of that body.
  std::vector<int> bodies_of_sources() const;
  // The variables for contact events: event indicators, if states are variables, and the last event.
  void add_events();
  void add_input(std::string const& name, std::string const& description, UnitId unit, int first,
                 std::vector<double> const& start, std::vector<int> const& bodies);
  void add_output(OutputDefinition const& output, int index);
  // All settings except the tolerance, which has no effect on the forces at a state.
  void append_settings(Parts& to);
  // The rules of <expose> for a name, in the order of the scene.
  std::vector<ExposureRule const*> rules_for(std::string const& name) const;
  Variable* variable_of_parameter(int index) const;
  void add_dependencies_of_calculated_parameters();

  VariableTable& table_;
  Scene const& scene_;
  std::vector<ModeSource> const& sources_;
  Dependencies dependencies_;
  ReferencesOf positions_of_body_, velocities_of_body_;  // of the state variables
  ReferencesOf deflections_of_body_;                     // the same, by the body that touches
  int next_reference_ = 0;
  std::unordered_set<std::string> names_, known_names_;  // in the FMU, and before <expose>
  std::set<ExposureRule const*> used_rules_;
  std::unordered_map<std::string, std::vector<std::size_t>> rules_of_name_;  // of <expose>, without a star
  std::vector<std::size_t> rules_with_star_;
  ReferencesOf inputs_of_body_, motions_of_body_;  // all inputs, and those that prescribe its velocity
  std::vector<std::uint32_t> settings_;            // all except the tolerance
  Parts shared_settings_;
  std::unordered_map<int, std::size_t> variable_of_parameter_;
  // Parts that were translated, by their addresses, and unions by the parts that they are of. Each keeps what its address
  // belongs to.
  struct Translated {
    Dependencies::Indices::Part from;
    Parts to;
  };
  std::array<std::unordered_map<void const*, Translated>, meanings> translated_;
  struct Union {
    Parts of;
    References references;
  };
  std::map<std::pair<std::vector<void const*>, std::vector<std::uint32_t>>, Union> unions_;
};

}  // namespace delassus
