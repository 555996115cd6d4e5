#include "model/control/control_law.hpp"

#include "model/control/gripper_law.hpp"
#include "model/control/pid_law.hpp"
#include "model/control/state_feedback_law.hpp"

namespace delassus {
namespace {

// The setpoint itself.
class SignalLaw final : public SetpointLaw {
 public:
  explicit SignalLaw(Controller const& controller) : SetpointLaw(controller) {}
  void sample(ControlInstant const& at, std::span<double>, std::span<double> output) const override {
    output[0] = setpoint(at).value;
  }
};

}  // namespace

SetpointLaw::SetpointLaw(Controller const& controller)
    : shape_(controller.shape),
      points_(static_cast<std::size_t>(controller.points)),
      sample_time_(controller.parameter("sample_time")),
      period_(controller.parameter("profile.period")),
      times_(controller.parameter("profile.times")),
      values_(controller.parameter("profile.values")),
      has_input_(!controller.inputs.empty() && controller.inputs.front().name == "setpoint") {}

ProfileValue SetpointLaw::setpoint(ControlInstant const& at) const {
  ProfileValue profile;
  if (points_ > 0) {
    // A step of the setpoint at the instant of a sample counts in that sample, even if rounding puts the
    // sample before it.
    double const t = shape_ == ProfileShape::step ? at.t + sample_slack * sample_time(at) : at.t;
    profile = profile_at(t, shape_, value(at, period_),
                         at.parameter.subspan(static_cast<std::size_t>(times_), points_),
                         at.parameter.subspan(static_cast<std::size_t>(values_), points_));
  }
  if (has_input_) profile.value += at.input[0];
  return profile;
}

std::unique_ptr<const ControlLaw> make_control_law(Controller const& controller) {
  switch (controller.law) {
    case ControlLawKind::pid:
    case ControlLawKind::friction_compensation:
      return std::make_unique<const PidLaw>(controller);
    case ControlLawKind::gripper:
      return std::make_unique<const GripperLaw>(controller);
    case ControlLawKind::state_feedback:
      return std::make_unique<const StateFeedbackLaw>(controller);
    case ControlLawKind::signal:
      return std::make_unique<const SignalLaw>(controller);
  }
  return nullptr;
}

}  // namespace delassus
