// The laws of controllers: the outputs of one sample. A law is a pure function of its parameters, the inputs,
// the time and its own state. SampledSlave (fmu/instance/sampled_slave.hpp) does the sampling, holding and
// saving.
#pragma once

#include <memory>
#include <span>

#include "model/control/controller.hpp"

namespace delassus {

// Relative to the sample time: instants nearer than this are the same. Importers add up steps, and start + k
// sample_time is rounded.
inline constexpr double sample_slack = 1e-6;

struct ControlInstant {
  double t = 0;  // s, the instant of the sample
  std::span<const double> parameter, input;
};

class ControlLaw {
 public:
  virtual ~ControlLaw() = default;
  // The initial state is zero.
  virtual std::size_t state_size() const { return 0; }
  virtual void sample(ControlInstant const& at, std::span<double> state, std::span<double> output) const = 0;
};

std::unique_ptr<const ControlLaw> make_control_law(Controller const& controller);

// The part that all laws share: the setpoint, which is the input plus the profile.
class SetpointLaw : public ControlLaw {
 protected:
  explicit SetpointLaw(Controller const& controller);
  ProfileValue setpoint(ControlInstant const& at) const;
  double sample_time(ControlInstant const& at) const { return value(at, sample_time_); }
  static double value(ControlInstant const& at, int parameter) {
    return at.parameter[static_cast<std::size_t>(parameter)];
  }

 private:
  ProfileShape shape_;
  std::size_t points_;
  int sample_time_, period_, times_, values_;
  bool has_input_;  // the first one
};

}  // namespace delassus
