// Inner header of scene_check.hpp: what its two sources share.
#pragma once

#include <string>
#include <vector>

#include "fmu/content/parameter_check.hpp"
#include "model/scene/scene.hpp"

namespace delassus {

class SceneChecker {
 public:
  explicit SceneChecker(Scene const& scene);
  void run();

 private:
  // scene_check.cpp
  void check_settings();
  void check_body(std::size_t index);
  void check_body_parameters(Body const& body, int index);
  void check_point(BodyPoint const& point);
  void check_shape(Shape const& shape);
  void check_inputs();
  void check_sizes();

  // scene_check_constraints.cpp
  void check_contact(Contact const& contact);
  void check_group(ContactGroup const& group, std::size_t index);
  void check_law(ContactParameters const& law, bool bilateral_or_compliant);
  void check_friction_parameters(FrictionParameters const& law);
  void check_friction(Friction const& friction);
  void check_joint(Joint const& joint);
  void check_rolling(Rolling const& rolling);
  void check_spring(Spring const& spring);

  // The element that the next findings are about.
  void about(char const* kind, std::string const& name) {
    check_name(name, kind);
    kind_ = kind;
    name_ = &name;
  }
  void demand(bool holds, char const* what) const {
    if (!holds) refuse(what);
  }
  [[noreturn]] void refuse(std::string const& what) const;

  // A parameter with so many values; the same or none, which is -1; none.
  void parameter(char const* what, int index, int size = 1) const;
  void parameter_if_any(char const* what, int index, int size = 1) const {
    if (index != -1) parameter(what, index, size);
  }
  void parameter_if(bool needed, char const* what, int index, int size = 1) const;
  // So many inputs from there on, which nothing else has.
  void take_inputs(char const* what, int first, std::size_t size);

  template <class List>
  static bool has(List const& list, int index) {
    return index >= 0 && static_cast<std::size_t>(index) < list.size();
  }
  Body const& body(int index) const { return scene_.bodies[static_cast<std::size_t>(index)]; }
  bool moves(int index) const { return index != ground_body && body(index).moves_freely(); }
  void check_place(PointReference const& place) const;
  void check_side(ContactSide const& side) const;
  void check_pair(int body_a, int body_b) const;
  // Of a side that was checked.
  ShapeKind kind_of(ContactSide const& side) const;

  Scene const& scene_;
  ParameterCheck parameters_;
  std::vector<char> input_taken_;
  int configuration_ = 0, velocities_ = 0, masses_ = 0, shapes_ = 0;  // so far
  char const* kind_ = "";
  std::string const* name_ = nullptr;
};

}  // namespace delassus
