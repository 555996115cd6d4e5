// A scene at an instant, for looking at it: values by name, the state at its start or after a run, or any other
// configuration, and there the terms, the contact problem, the solution that the rule takes, and the outputs.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fmu/instance/scene_slave.hpp"
#include "solver/time/dynamics.hpp"

namespace delassus {

class SceneInstant {
 public:
  explicit SceneInstant(std::shared_ptr<const SceneModel> const& model);

  SceneModel const& model() const { return slave_.model(); }
  Scene const& scene() const { return slave_.model().scene(); }

  // A parameter, an input or a setting, by its FMI 2 name. Throws UnknownSignal and SlaveError. The state is then
  // again the one at the start.
  void set(std::string const& name, double value);
  void set(std::map<std::string, double> const& values);
  bool has(std::string const& name) const { return by_name_.contains(name); }
  bool can_be_set(std::string const& name) const;
  bool is_output(std::string const& name) const;
  UnitId unit_of(std::string const& name) const;

  // The state that the parameters ask for, and that after a run from it.
  void start();
  void run_to(double time);
  // Another configuration, at the same time and with the same inputs.
  void place(std::span<const double> q, std::span<const double> v);

  double time() const { return state_.stepper.t; }
  std::vector<double> const& q() const { return q_; }
  std::vector<double> const& v() const { return v_; }
  std::vector<double> const& parameters() const { return state_.parameters; }
  Instant instant() const { return {state_.stepper.t, q_, v_, state_.inputs, state_.parameters}; }
  StepperSettings settings() const { return stepper_settings(state_.settings); }

  // At the present state, once for each.
  Dynamics const& dynamics();
  double output(std::string const& name);

 private:
  VariableTable::Element element(std::string const& name) const;
  void take_state();

  std::map<std::string, VariableTable::Element, std::less<>> by_name_;
  SceneSlave slave_;
  Snapshot state_;
  std::vector<double> q_, v_;
  Dynamics dynamics_;
  bool evaluated_ = false;
};

}  // namespace delassus
