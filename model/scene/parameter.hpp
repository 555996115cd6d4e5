// A value that a user can set: its unit, range, default and meaning, declared once.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "model/scene/unit.hpp"

namespace delassus {

struct Range {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool open_minimum = false;  // the minimum itself is not allowed

  bool contains(double value) const {
    return value <= maximum && (open_minimum ? value > minimum : value >= minimum);
  }
  std::string text() const;  // "> 0", ">= 0 and <= 1", "any finite number"
};

inline constexpr Range any_number{};
inline constexpr Range positive{0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range not_negative{0, std::numeric_limits<double>::infinity(), false};

// What a parameter describes. Outputs depend on parameters by role: a force depends on all of them, except on the initial state
// of other clusters.
enum class ParameterRole {
  gravity,
  inertia,
  geometry,  // shapes and points
  law,       // of contacts, frictions, joints, springs
  motion,    // of prescribed bodies
  initial_position,
  initial_velocity,
};

struct Parameter {
  std::string name;  // structured: rod.mass
  std::string description;
  UnitId unit = UnitId::one;
  Range range;
  bool tunable = false;     // may change between two steps
  bool calculated = false;  // follows from other parameters; never set
  bool vector = false;      // an array, even with one element
  ParameterRole role = ParameterRole::law;
  int body = -1;  // the body that it belongs to; for an element between bodies one of them; -1: all
  int first = 0;  // index of its first value in the array of all parameter values
  std::vector<double> values;  // defaults

  int size() const { return static_cast<int>(values.size()); }
};

}  // namespace delassus
