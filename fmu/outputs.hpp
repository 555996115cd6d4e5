// The outputs of a scene: each is declared and evaluated in one place.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmu/variable_table.hpp"
#include "model/scene_system.hpp"
#include "solver/dynamics.hpp"

namespace delassus {

struct Observation {
  SceneSystem const& system;
  Instant const& at;
  Dynamics const& dynamics;  // evaluated at this instant
};

struct OutputDefinition {
  std::string name;
  std::string description;
  VariableType type = VariableType::real;
  UnitId unit = UnitId::one;
  int size = 1;
  bool array = false;
  Enumeration const* enumeration = nullptr;
  Range range = any_number;
  // What it depends on. Motion follows an input only after time has passed, forces follow it at once.
  std::vector<int> initial_parameters = {};  // indices of those that it follows through the initial state
  std::vector<int> parameters = {};          // indices of those that it follows at once
  std::vector<int> feedthrough = {};  // bodies whose inputs it follows at once; the solver settings then too
  // Bodies whose positions and orientations, and whose velocities, it follows.
  std::vector<int> position_of = {}, velocity_of = {};
  std::vector<int> feedthrough_motions = {};  // prescribed bodies whose velocity it follows at once
  bool on_request = false;                    // evaluated when it is read, not whenever another output is
  std::function<void(Observation const&, std::span<double>)> evaluate = {};
};

std::vector<OutputDefinition> outputs_of(Scene const& scene);

}  // namespace delassus
