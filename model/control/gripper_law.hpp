// A force controller for a gripper with two fingers.
//
// The wanted force F follows the setpoint no faster than `force_rate`. To it comes a reserve R that slip builds up: `slip_force`
// at once where one begins, and `slip_gain` for each metre that goes on; it decays in `release_time` once nothing slips. With the
// mean f of both measured normal forces and e = F + R - f,
//
//   u_k = F_k + R_k + K_p e_k + I_k,  I_{k+1} = I_k + h K_i e_k   while the squeeze is not limited,
//
// for both fingers alike: a difference would only push the box aside. The reserve grows no further than the largest squeeze leaves
// room for. Slip counts only where both fingers touch: a finger that hits the box first has a tangential speed as well.
#pragma once

#include "model/control/control_law.hpp"

namespace delassus {

class GripperLaw final : public SetpointLaw {
 public:
  explicit GripperLaw(Controller const& controller);
  std::size_t state_size() const override { return states; }
  void sample(ControlInstant const& at, std::span<double> state, std::span<double> output) const override;

 private:
  enum State : std::size_t { wanted, reserve, integral, slipping, states };
  enum Input : std::size_t { setpoint_input, left_force, right_force, left_slip, right_slip };

  int force_rate_, proportional_, integral_, slip_threshold_, slip_gain_, slip_force_, release_time_,
      maximum_;
};

}  // namespace delassus
