// PID control, and PID control with friction compensation.
//
// With the setpoint r and its rate r', the measurement y, its rate v, the sample time h and e = r - y (Astrom and Hagglund, PID
// Controllers, 2nd ed. 1995, sections 3.4 to 3.6):
//
//   P_k = K_p (b r_k - y_k)
//   D_k = K_d (c r'_k - v_k)                                           rate measured
//   D_k = K_d d_k, (T_f + h) d_k = T_f d_{k-1} + (c r - y)_k - (c r - y)_{k-1}   rate from differences, filtered
//   w_k = P_k + I_k + D_k + F_k + feedforward + bias,   u_k = min(max(w_k, u_min), u_max)
//   I_{k+1} = I_k + h K_i e_k + (h/T_t) (u_k - w_k)                    tracking_time T_t > 0
//   I_{k+1} = I_k + h K_i e_k unless w_k is limited and would be more so   T_t = 0
//
// r is the sum of the profile and the input `setpoint`. r' is the sum of the profile's rate and the last
// difference of the input over h. The first sample has no difference: d_0 = 0.
//
// Friction compensation adds, with the Stribeck curve of model/equations/contact_law.hpp,
//
//   F_k = gamma s_k (F_C + (F_S - F_C) exp(-(v_k/v_s)^2))
//
// The direction s_k is that of the setpoint's motion while it moves (|r'| > standstill). While the setpoint
// is constant, s_k points towards it, and is zero once it is reached (|e| <= dead_zone); the integral then
// rests, too. A block at rest outside the dead zone moves without waiting for the integral, and no force acts
// on one inside it. This prevents hunting, a cycle in which the integral grows until static friction gives
// way and the block overshoots (Armstrong-Helouvry, Dupont and Canudas de Wit 1994, section 4).
#pragma once

#include "model/control/control_law.hpp"

namespace delassus {

class PidLaw final : public SetpointLaw {
 public:
  explicit PidLaw(Controller const& controller);
  std::size_t state_size() const override { return states; }
  void sample(ControlInstant const& at, std::span<double> state, std::span<double> output) const override;

 private:
  enum State : std::size_t { started, integral, rate, weighted, wish, states };
  struct Friction {
    int kinetic, static_, stribeck_velocity, compensation, dead_zone, standstill;
  };
  double friction_force(ControlInstant const& at, double direction, double speed) const;

  bool rate_is_measured_, compensates_;
  int proportional_, integral_, derivative_, filter_, setpoint_weight_, rate_weight_, tracking_time_,
      minimum_, maximum_, bias_;
  Friction friction_;
};

}  // namespace delassus
