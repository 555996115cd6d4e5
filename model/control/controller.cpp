#include "model/control/controller.hpp"

#include "model/scene/number.hpp"

namespace delassus {

std::string_view text(ControlLawKind kind) {
  switch (kind) {
    case ControlLawKind::pid:
      return "pid";
    case ControlLawKind::friction_compensation:
      return "friction_compensation";
    case ControlLawKind::gripper:
      return "gripper";
    case ControlLawKind::state_feedback:
      return "state_feedback";
    case ControlLawKind::signal:
      return "signal";
  }
  return "?";
}

int Controller::parameter(std::string_view parameter_name) const {
  for (Parameter const& each : parameters) {
    if (each.name == parameter_name) return each.first;
  }
  return -1;
}

std::vector<double> Controller::default_parameters() const {
  std::vector<double> values;
  for (Parameter const& each : parameters)
    values.insert(values.end(), each.values.begin(), each.values.end());
  return values;
}

std::string problem_with_parameters(Controller const& controller, std::span<const double> parameters) {
  auto const value = [&](std::string_view name) {
    return parameters[static_cast<std::size_t>(controller.parameter(name))];
  };
  if (controller.parameter("output_minimum") >= 0 && value("output_minimum") > value("output_maximum")) {
    return "output_minimum is " + format_number(value("output_minimum")) + " and output_maximum " +
           format_number(value("output_maximum")) + "; the minimum must not be above the maximum";
  }
  if (controller.points == 0) return "";
  auto const times = parameters.subspan(static_cast<std::size_t>(controller.parameter("profile.times")),
                                        static_cast<std::size_t>(controller.points));
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!(times[i] > times[i - 1])) {
      return "point " + std::to_string(i + 1) + " of the setpoint is at " + format_number(times[i]) +
             " s and must be later than the one before it, at " + format_number(times[i - 1]) + " s";
    }
  }
  double const period = value("profile.period"), length = times.back() - times.front();
  if (period > 0 && period < length) {
    return "the setpoint repeats after " + format_number(period) + " s, but its points take " +
           format_number(length) + " s; the period must not be shorter";
  }
  return "";
}

}  // namespace delassus
