#include "model/control/state_feedback_law.hpp"

#include <algorithm>

namespace delassus {

StateFeedbackLaw::StateFeedbackLaw(Controller const& controller)
    : SetpointLaw(controller),
      minimum_(controller.parameter("output_minimum")),
      maximum_(controller.parameter("output_maximum")),
      bias_(controller.parameter("bias")) {
  for (int i = 0; i < controller.states; ++i) {
    std::string const& name = controller.inputs[static_cast<std::size_t>(i) + 1].name;
    gains_.push_back(controller.parameter(name + ".gain"));
    references_.push_back(controller.parameter(name + ".reference"));
  }
}

void StateFeedbackLaw::sample(ControlInstant const& at, std::span<double>, std::span<double> output) const {
  double const reference = setpoint(at).value;
  double u = value(at, bias_), error = 0;
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    double const wanted = value(at, references_[i]) + (i == 0 ? reference : 0);
    double const off = wanted - at.input[i + 1];
    if (i == 0) error = off;
    u += value(at, gains_[i]) * off;
  }
  output[0] = std::clamp(u, value(at, minimum_), value(at, maximum_));
  output[1] = reference;
  output[2] = error;
}

}  // namespace delassus
