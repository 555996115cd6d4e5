// The integrator of a Model Exchange instance between two instants: Dormand and Prince's pair of orders 5 and 4
// with step control and dense output (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I,
// II.5 and II.6), on states divided by their nominals, so that one tolerance serves all of them. Events are
// where an event indicator changes between z > 0 and z <= 0 (FMI 3.0, 3.1.1); each is found by bisection on the
// dense output.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tools/import/instance_interfaces.hpp"

namespace delassus {

class OdeIntegrator {
 public:
  enum class Stop { end, state_event, step_event, terminated };

  OdeIntegrator(ModelExchangeFace& face, double tolerance, bool completes_steps, bool goes_back = false);
  ~OdeIntegrator();
  OdeIntegrator(OdeIntegrator const&) = delete;
  OdeIntegrator& operator=(OdeIntegrator const&) = delete;

  // To be called in continuous-time mode, at the start and after everything that changes states, inputs or
  // nominals.
  void restart(double time, bool nominals_changed);

  // Integrates until `end` or an event before it; leaves the instance there, in continuous-time mode. A state
  // event's instant is the first one known to be behind the change. Throws InstanceError.
  Stop advance(double end);

  double time() const { return time_; }
  long evaluations() const { return evaluations_; }  // of the derivatives, since it was made
  void limit_evaluations(long most) { most_evaluations_ = most; }
  double step_size() const { return step_size_; }  // to try next
  void set_step_size(double size) { step_size_ = size; }

 private:
  struct Stepper;

  void evaluate(std::vector<double> const& scaled, std::vector<double>& rate, double time);
  double try_step(double end);  // time after one accepted step
  void move_to(double time);    // the instance, within the last step
  std::vector<bool> signs();
  double locate(double before, double after);

  ModelExchangeFace& face_;
  double tolerance_;
  bool completes_steps_, goes_back_;
  double time_ = 0, step_size_ = 0;
  std::vector<double> nominals_, states_, rates_, scaled_, indicators_;
  std::vector<bool> signs_;
  std::unique_ptr<Stepper> stepper_;
  bool started_ = false;
  long evaluations_ = 0, most_evaluations_ = 0;
};

}  // namespace delassus
