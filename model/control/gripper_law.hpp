// A force controller for a gripper with two fingers.
//
// The wanted force F follows the setpoint with a limited rate, `force_rate`. A reserve R is added when
// something slips: `slip_force` at once, then `slip_gain` for each metre of slip. It decays with the time
// constant `release_time` after slip has ended. With the mean f of both measured normal forces and e = F + R
// - f,
//
//   u_k = F_k + R_k + K_p e_k + I_k,  I_{k+1} = I_k + h K_i e_k   while the squeeze is not limited,
//
// the same for both fingers: a difference would only push the box aside. The reserve is limited by the
// largest squeeze. Slip counts only while both fingers touch: a finger that hits the box first has a
// tangential speed, too.
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
