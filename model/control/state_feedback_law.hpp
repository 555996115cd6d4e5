// Linear state feedback, u = bias - sum K_i (x_i - r_i), within limits. The setpoint is added to the reference of the first
// state. The designer provides the gains, for instance those of an LQR.
#pragma once

#include <vector>

#include "model/control/control_law.hpp"

namespace delassus {

class StateFeedbackLaw final : public SetpointLaw {
 public:
  explicit StateFeedbackLaw(Controller const& controller);
  void sample(ControlInstant const& at, std::span<double> state, std::span<double> output) const override;

 private:
  std::vector<int> gains_, references_;
  int minimum_, maximum_, bias_;
};

}  // namespace delassus
