// A sampled controller: its law, parameters, inputs and outputs. It is checked and immutable, like a scene.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/control/profile.hpp"
#include "model/scene/parameter.hpp"
#include "model/scene/scene.hpp"
#include "model/scene/source.hpp"

namespace delassus {

enum class ControlLawKind { pid = 1, friction_compensation = 2, gripper = 3, state_feedback = 4, signal = 5 };

std::string_view text(ControlLawKind kind);  // the word of the language

// An input or output of the FMU.
struct ControllerPort {
  std::string name, description;
  UnitId unit = UnitId::one;
};

struct Controller {
  std::string name, description;
  ControlLawKind law = ControlLawKind::pid;
  Experiment experiment;
  bool rate_is_measured = false;
  ProfileShape shape = ProfileShape::linear;
  int points = 0;  // of the setpoint's profile
  int states = 0;  // that are fed back
  std::vector<Parameter> parameters;
  std::vector<ControllerPort> inputs, outputs;
  int actuators = 0;  // number of outputs, the first ones, that are initial_output before the first sample

  // The index of a parameter's first value; -1 if there is no parameter of that name.
  int parameter(std::string_view parameter_name) const;
  std::vector<double> default_parameters() const;
};

// Throws SceneError with file, line and rule.
Controller compile_controller(SceneSource const& source);

// What is wrong with a combination of values that are each in range. Empty: nothing.
std::string problem_with_parameters(Controller const& controller, std::span<const double> parameters);

}  // namespace delassus
