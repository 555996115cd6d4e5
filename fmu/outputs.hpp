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
  std::optional<double> minimum = {};
  // The bodies whose inputs act on this output at once, and whose parameters it depends on at the start.
  // Motion follows an input only after time has passed; forces follow it at once.
  std::vector<int> bodies = {};
  bool feedthrough = false;
  std::string element = {};  // contact or friction whose own parameters count too
  std::function<void(Observation const&, std::span<double>)> evaluate = {};
};

std::vector<OutputDefinition> outputs_of(Scene const& scene);

}  // namespace delassus
