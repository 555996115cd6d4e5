#include "model/control/pid_law.hpp"

#include <algorithm>
#include <cmath>

#include "model/numbers/elementary.hpp"

namespace delassus {

PidLaw::PidLaw(Controller const& controller)
    : SetpointLaw(controller),
      rate_is_measured_(controller.rate_is_measured),
      compensates_(controller.law == ControlLawKind::friction_compensation),
      proportional_(controller.parameter("proportional_gain")),
      integral_(controller.parameter("integral_gain")),
      derivative_(controller.parameter("derivative_gain")),
      filter_(controller.parameter("derivative_filter")),
      setpoint_weight_(controller.parameter("setpoint_weight")),
      rate_weight_(controller.parameter("rate_weight")),
      tracking_time_(controller.parameter("tracking_time")),
      minimum_(controller.parameter("output_minimum")),
      maximum_(controller.parameter("output_maximum")),
      bias_(controller.parameter("bias")),
      friction_{controller.parameter("friction"),          controller.parameter("friction_static"),
                controller.parameter("stribeck_velocity"), controller.parameter("compensation"),
                controller.parameter("dead_zone"),         controller.parameter("standstill")} {}

double PidLaw::friction_force(ControlInstant const& at, double direction, double speed) const {
  double const ratio = speed / value(at, friction_.stribeck_velocity);
  double const kinetic = value(at, friction_.kinetic);
  double const bound = kinetic + (value(at, friction_.static_) - kinetic) * elementary::exp(-ratio * ratio);
  return std::copysign(value(at, friction_.compensation) * bound, direction);
}

void PidLaw::sample(ControlInstant const& at, std::span<double> state, std::span<double> output) const {
  double const h = sample_time(at);
  ProfileValue r = setpoint(at);
  if (state[started] != 0) r.rate += (at.input[0] - state[wish]) / h;
  state[wish] = at.input[0];
  double const y = at.input[1], feedforward = at.input.back();
  double const error = r.value - y;

  double const c = value(at, rate_weight_), now = c * r.value - y;
  if (rate_is_measured_) {
    state[rate] = c * r.rate - at.input[2];
  } else if (state[started] != 0) {
    double const filter = value(at, filter_);
    state[rate] = (filter * state[rate] + (now - state[weighted])) / (filter + h);
  }
  state[weighted] = now;
  state[started] = 1;

  double const speed = rate_is_measured_ ? at.input[2] : c * r.rate - state[rate];
  bool const moves = compensates_ && std::abs(r.rate) > value(at, friction_.standstill);
  bool const rests = compensates_ && !moves && std::abs(error) <= value(at, friction_.dead_zone);
  double const friction = compensates_ && !rests ? friction_force(at, moves ? r.rate : error, speed) : 0;
  double const wanted = value(at, proportional_) * (value(at, setpoint_weight_) * r.value - y) +
                        state[integral] + value(at, derivative_) * state[rate] + friction + feedforward +
                        value(at, bias_);
  double const u = std::clamp(wanted, value(at, minimum_), value(at, maximum_));

  output[0] = u;
  output[1] = r.value;
  output[2] = error;
  output[3] = state[integral];
  if (compensates_) output[4] = friction;

  double const growth = value(at, integral_) * error;
  if (rests) return;
  double const tracking_time = value(at, tracking_time_);
  if (tracking_time > 0) {
    state[integral] += h * growth + h / tracking_time * (u - wanted);
  } else if (u == wanted || (wanted > u) == (growth < 0)) {
    state[integral] += h * growth;
  }
}

}  // namespace delassus
