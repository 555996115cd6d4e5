// Compiles a scene: checks every word against the vocabulary, every number against its range, and every
// reference against the elements that exist. Inner header of compile_scene; each source has one part.
#pragma once

#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "model/language/element_reader.hpp"
#include "model/language/start_problem.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

class SceneCompiler {
 public:
  explicit SceneCompiler(SceneSource const& source) : source_(source) {}
  Scene compile();

 private:
  // scene_compiler.cpp: the scene as a whole
  void note_parents(SourceElement const& element);
  void add_experiment(ElementReader const& element);
  void add_solver(ElementReader const& element);
  void add_interface(ElementReader const& element);
  void add_exposure(ElementReader const& element);
  StepperKind usual_stepper() const;

  // scene_compiler_bodies.cpp
  void add_bodies(SourceElement const& source);
  void add_body(SourceElement const& source, std::string const& name, std::vector<double> const& offset);
  void add_inertia(SourceElement const& source, ElementReader const& element, Body& body, bool has_shapes);
  void add_point(ElementReader const& element, int body_index);
  void add_shape(SourceElement const& source, int body_index);
  void add_initial(ElementReader const& element, int body_index, std::vector<double> const& offset);
  void add_motion(ElementReader const& element, int body_index);

  // scene_compiler_constraints.cpp
  void add_contact(ElementReader const& element);
  void add_group(ElementReader const& element);
  ContactParameters add_law(ElementReader const& element, std::string const& name, int body);
  void add_friction(ElementReader const& element);
  void add_joint(ElementReader const& element);
  void add_rolling(ElementReader const& element);
  void add_knife_edge(ElementReader const& element);

  // scene_compiler_pairs.cpp
  void check_is_new(ElementReader const& element, Contact const& contact);
  bool draws_ground(int shape, double height);
  void share_pairs();

  // scene_compiler_forces.cpp
  void add_spring(ElementReader const& element);
  void add_torsion_spring(ElementReader const& element);
  void add_force(ElementReader const& element);
  void add_torque(ElementReader const& element);

  void check_start() const;

  // Functions that the parts share
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }
  ElementReader reader(SourceElement const& element) const;
  static SourceElement const* child_of(SourceElement const& element, std::string_view name);
  std::string unique_name(ElementReader const& element);
  void claim_name(ElementReader const& element, std::string const& name);
  bool is_reserved(std::string const& name) const;

  int add_parameter(Parameter parameter);
  Parameter& parameter_at(int index);  // by the index of its first value
  double value_at(int index) const;    // a default value, not a calculated one
  struct Owner {
    ParameterRole role = ParameterRole::law;
    int body = -1;
  };
  // Turns an exposed attribute into the parameter `name` and returns its index.
  int expose(std::string name, ElementReader const& element, std::string_view attribute, Owner owner,
             int size = 1);
  int expose_values(std::string name, Attribute const& attribute, Owner owner, std::vector<double> values);
  int expose_calculated(std::string name, Attribute const& attribute, Owner owner, std::string const& rule,
                        bool tunable, int size = 1);
  int expose_if_given(std::string name, ElementReader const& element, std::string_view attribute, Owner owner,
                      int size = 1) {
    return element.has(attribute) ? expose(std::move(name), element, attribute, owner, size) : -1;
  }
  static bool is_yes(ElementReader const& element, std::string_view attribute) {
    return element.choice(attribute) == 2;
  }
  int add_input(std::size_t size);
  // The same for a direction, which must not be zero. The default is a unit vector.
  int expose_direction(std::string name, ElementReader const& element, std::string_view attribute,
                       Owner owner, int default_axis);

  [[noreturn]] static void fail_unknown(ElementReader const& element, std::string_view attribute,
                                        std::vector<std::string_view> const& known);
  PointReference resolve_point(ElementReader const& element, std::string_view attribute,
                               std::string const& prefix = "") const;
  int resolve_body(ElementReader const& element, std::string_view attribute) const;
  ContactSide resolve_side(ElementReader const& element, std::string_view attribute) const;
  ShapeKind kind_of(ContactSide const& side) const;
  std::string name_of(ContactSide const& side) const { return name_of_side(scene_, side); }
  bool moves(int body_index) const { return body_index != ground_body && body(body_index).moves_freely(); }
  // The two bodies must differ, and at least one must be able to move.
  void check_pair(ElementReader const& element, std::string const& what, int body_a, int body_b) const;
  std::vector<int> bodies_matching(ElementReader const& element, std::string const& pattern) const;

  SceneSource const& source_;
  Scene scene_;
  std::unordered_map<SourceElement const*, SourceElement const*> parents_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int> lines_;  // of the elements, by name
  // Places in the scene, by name: scenes have thousands of bodies, and every element refers to some.
  std::unordered_map<std::string, int> body_of_name_, point_of_name_, shape_of_name_;
  std::map<std::array<int, 6>, std::vector<std::size_t>> contacts_of_sides_;  // both sides, in a fixed order
  int parameter_count_ = 0, mass_blocks_ = 0;
  std::vector<double> defaults_, default_inputs_;  // for draws_ground
};

}  // namespace delassus
