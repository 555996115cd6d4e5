// The integrator of a Model Exchange instance between two instants: a method of ode_stepper.hpp on states divided by their
// nominals, so that one tolerance serves all of them. Events are where an event indicator changes between z > 0 and
// z <= 0 (FMI 3.0, 3.1.1); each is found by bisection on the states within a step, whatever the method: roots that
// methods find themselves end runs where an indicator is zero after an event, as those of many FMUs are.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "tools/import/instance_interfaces.hpp"
#include "tools/simulate/ode_stepper.hpp"

namespace delassus {

struct OdeSettings {
  OdeMethod method = OdeMethod::dopri5;
  OdeTolerances tolerances;
  double fixed_step = 0;  // s, of euler
  bool completes_steps = true, goes_back = false;
};

// What an integrator may know of a model beyond its rates.
struct OdeKnowledge {
  std::optional<OdeJacobian::Rows> pattern;
  // Change of the derivatives along a direction of the states, at the states and time that are set; may be empty.
  OdeJacobian::Change product;
  // Called after each change of the time: inputs that are functions of it. May be empty.
  std::function<void(double time)> at_time;
  std::function<void()> after_step;  // may be empty
};

class OdeIntegrator final : private OdeSystem {
 public:
  enum class Stop { end, state_event, step_event, terminated };

  OdeIntegrator(ModelExchangeFace& face, OdeSettings const& settings, OdeKnowledge knowledge = {});
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
  OdeCounts counts() const { return stepper_ ? stepper_->counts() : OdeCounts(); }
  long evaluations() const { return evaluations_; }  // of the derivatives, since it was made
  void limit_evaluations(long most) { most_evaluations_ = most; }
  double step_size() const { return step_size_; }  // to try next
  void set_step_size(double size);

 private:
  std::size_t size() const override { return states_.size(); }
  void rates(double time, std::vector<double> const& scaled, std::vector<double>& rates) override;
  std::optional<OdeJacobian::Rows> pattern() const override { return knowledge_.pattern; }
  bool has_products() const override { return static_cast<bool>(knowledge_.product); }
  void product(double time, std::vector<double> const& scaled, std::span<const double> direction,
               std::span<double> change) override;

  void put(double time, std::vector<double> const& scaled);
  double try_step(double end);  // time after one accepted step
  void move_to(double time);    // the instance, within the last step
  std::vector<bool> signs();
  double first_change(double before, double after);
  double locate(double before, double after);

  ModelExchangeFace& face_;
  OdeSettings settings_;
  OdeKnowledge knowledge_;
  double time_ = 0, step_size_ = 0;
  std::vector<double> nominals_, states_, rates_, scaled_, indicators_, direction_;
  std::vector<bool> signs_;
  std::unique_ptr<OdeStepper> stepper_;
  bool started_ = false, starts_at_zero_ = false;
  long evaluations_ = 0, most_evaluations_ = 0;
};

}  // namespace delassus
