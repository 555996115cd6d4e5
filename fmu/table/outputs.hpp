// The outputs of a scene: each is declared and evaluated in one place.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fmu/table/parted_list.hpp"
#include "fmu/table/variable_table.hpp"
#include "model/equations/scene_system.hpp"
#include "solver/sensitivity/sensitivity.hpp"
#include "solver/time/dynamics.hpp"

namespace delassus {

struct Observation {
  using Scalar = double;
  SceneSystem const& system;
  Instant const& at;
  Dynamics const& dynamics;  // evaluated at this instant

  Terms const& terms() const { return dynamics.terms(); }
  double lambda(Eigen::Index row) const { return dynamics.solution().lambda[row]; }
};

// The same with derivatives along a direction.
struct DualObservation {
  using Scalar = Dual;
  SceneSystem const& system;
  InstantOf<Dual> const& at;
  Dynamics const& dynamics;
  TermsOf<Dual> const& with_derivatives;
  Sensitivity const& sensitivity;  // of the contact solution, along this direction

  TermsOf<Dual> const& terms() const { return with_derivatives; }
  Dual lambda(Eigen::Index row) const {
    return {dynamics.solution().lambda[row], sensitivity.lambda_rate()[row]};
  }
};

// How to evaluate an output from an observation, written once for both scalars. Discrete outputs take only an
// Observation and have no derivative.
class OutputEvaluation {
 public:
  OutputEvaluation() = default;
  template <class Function>
  requires std::is_invocable_v<Function, Observation const&, std::span<double>> OutputEvaluation(
      Function function) {  // NOLINT: a function evaluates an output
    evaluate_ = function;
    if constexpr (std::is_invocable_v<Function, DualObservation const&, std::span<Dual>>)
      differentiate_ = std::move(function);
  }

  bool differentiable() const { return static_cast<bool>(differentiate_); }
  void operator()(Observation const& observation, std::span<double> out) const {
    evaluate_(observation, out);
  }
  void operator()(DualObservation const& observation, std::span<Dual> out) const {
    differentiate_(observation, out);
  }

 private:
  std::function<void(Observation const&, std::span<double>)> evaluate_;
  std::function<void(DualObservation const&, std::span<Dual>)> differentiate_;
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
  // Dependencies. Positions and velocities depend on an input only after time has passed, forces depend on it
  // at once.
  PartedList<int> initial_parameters =
      {};                           // indices of parameters that it depends on through the initial state
  PartedList<int> parameters = {};  // indices of parameters that it depends on directly
  PartedList<int> feedthrough =
      {};  // bodies with direct feedthrough of their inputs, and of the solver settings
  // Bodies whose positions and orientations, and whose velocities, it depends on.
  PartedList<int> position_of = {}, velocity_of = {};
  PartedList<int> feedthrough_motions = {};  // prescribed bodies with direct feedthrough of their velocity
  bool on_request = false;                   // evaluated only when it is read
  OutputEvaluation evaluate = {};
};

std::vector<OutputDefinition> outputs_of(Scene const& scene);

}  // namespace delassus
