#include "model/control/gripper_law.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {

GripperLaw::GripperLaw(Controller const& controller)
    : SetpointLaw(controller),
      force_rate_(controller.parameter("force_rate")),
      proportional_(controller.parameter("proportional_gain")),
      integral_(controller.parameter("integral_gain")),
      slip_threshold_(controller.parameter("slip_threshold")),
      slip_gain_(controller.parameter("slip_gain")),
      slip_force_(controller.parameter("slip_force")),
      release_time_(controller.parameter("release_time")),
      maximum_(controller.parameter("output_maximum")) {}

void GripperLaw::sample(ControlInstant const& at, std::span<double> state, std::span<double> output) const {
  double const h = sample_time(at), maximum = value(at, maximum_);
  double const reference = std::clamp(setpoint(at).value, 0.0, maximum);
  double const most = h * value(at, force_rate_);
  state[wanted] += std::clamp(reference - state[wanted], -most, most);

  double const left = at.input[left_force], right = at.input[right_force];
  double const slip = std::max(std::abs(at.input[left_slip]), std::abs(at.input[right_slip]));
  bool const slips = left > 0 && right > 0 && slip > value(at, slip_threshold_);
  double const release_time = value(at, release_time_);
  if (slips) {
    if (state[slipping] == 0) state[reserve] += value(at, slip_force_);
    state[reserve] += h * value(at, slip_gain_) * slip;
  } else if (release_time > 0) {
    state[reserve] *= release_time / (release_time + h);
  }
  state[slipping] = slips ? 1 : 0;
  state[reserve] = std::min(state[reserve], maximum - std::min(state[wanted], maximum));

  double const target = state[wanted] + state[reserve], error = target - (left + right) / 2;
  double const unlimited = target + value(at, proportional_) * error + state[integral];
  double const u = std::clamp(unlimited, 0.0, maximum);
  output[0] = output[1] = u;
  output[2] = target;
  output[3] = error;
  output[4] = state[reserve];
  if (u == unlimited || (unlimited > u) == (error < 0)) state[integral] += h * value(at, integral_) * error;
}

}  // namespace delassus
