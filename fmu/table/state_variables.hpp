// The continuous states of a scene as variables: coordinates q and velocities v of each body, and the deflections of
// compliant friction. Together, in this order, they are x = (q, v) of the steppers.
#pragma once

#include <string>
#include <vector>

#include "model/scene/scene.hpp"
#include "model/scene/unit.hpp"

namespace delassus {

struct StateVariable {
  std::string name;  // rod.state.position
  std::string description;
  UnitId unit = UnitId::one, rate_unit = UnitId::one;
  int size = 1;
  int index = 0;          // of its first element in x
  bool velocity = false;  // a component of v; else of q
  int body = -1;          // the body whose motion it is
  int contact = -1;       // the contact whose deflection it is
};

std::vector<StateVariable> state_variables_of(Scene const& scene);

}  // namespace delassus
