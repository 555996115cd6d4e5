// The derivatives of all quantities at an instant, along a direction in states, inputs and parameters. They
// are exact, through the contact solution in its present modes (solver/sensitivity/sensitivity.hpp). The
// instance turns value references into directions.
#pragma once

#include <span>
#include <vector>

#include "fmu/content/scene_model.hpp"
#include "fmu/table/outputs.hpp"
#include "solver/sensitivity/sensitivity.hpp"
#include "solver/time/velocity_projection.hpp"

namespace delassus {

struct Direction {
  std::vector<double> q, v, input, parameter;  // calculated parameters follow from the others
  double time = 0;
  double step = 0;  // of the fixed-step schemes, which replaces delta

  explicit Direction(Scene const& scene, std::size_t parameters)
      : q(static_cast<std::size_t>(scene.configuration_size)),
        v(static_cast<std::size_t>(scene.velocity_size)),
        input(static_cast<std::size_t>(scene.input_size)),
        parameter(parameters) {}
};

class Derivatives {
 public:
  // Refers to the instant at which `dynamics` was last evaluated; it must not change while directions are
  // used. `at_start`: the state is the initial one and depends on parameters and inputs; its velocities went through
  // this projection. Null: the state does not depend on them.
  Derivatives(SceneModel const& model, Dynamics const& dynamics, ContactLaw law, Instant const& at,
              VelocityProjection const* at_start);

  void take(Direction const& direction);

  // Rates along the last direction. Of a continuous output:
  void output(OutputDefinition const& definition, std::span<double> rates);
  std::span<const double> parameter_rate() const { return parameter_rate_; }
  double state_rate(std::size_t index) const {  // of an element of (q, v)
    return index < q_.size() ? q_[index].derivative : v_[index - q_.size()].derivative;
  }
  std::span<const double> qdot_rate() const { return qdot_rate_; }
  std::span<const double> vdot_rate() const { return {vdot_rate_.data(), vdot_rate_.size()}; }

  // Blocks on the boundary between two modes. Their derivatives hold on the side of the direction.
  std::vector<BlockIdentity> const& edges() const { return sensitivity_.edges(); }

  // Whether redundant constraints contradict each other along a direction that was used. There is then no
  // derivative, only a least-squares one.
  bool contradicts() const { return contradicts_; }

 private:
  SceneModel const& model_;
  Dynamics const& dynamics_;
  Instant at_;
  VelocityProjection const* at_start_;
  Sensitivity sensitivity_;
  bool contradicts_ = false;
  TermsOf<Dual> terms_;
  std::vector<Dual> q_, v_, input_, parameter_, qdot_, out_;
  InstantOf<Dual> dual_at_;
  std::vector<double> parameter_rate_, qdot_rate_, vdot_rate_;
};

}  // namespace delassus
