// A method that integrates rates: one accepted step after another, with the states in between. OdeIntegrator has the
// events around it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tools/simulate/ode_jacobian.hpp"

namespace delassus {

enum class OdeMethod { dopri5, cvode, euler };
inline constexpr std::string_view ode_method_name(OdeMethod method) {
  return method == OdeMethod::dopri5 ? "dopri5" : method == OdeMethod::cvode ? "cvode" : "euler";
}

// Of a name; throws CommandError where the program has no such method.
OdeMethod ode_method(std::string_view name);

// Of states divided by their nominals.
class OdeSystem {
 public:
  virtual std::size_t size() const = 0;
  // Throws InstanceError; one of Status::discard asks for a shorter step.
  virtual void rates(double time, std::vector<double> const& states, std::vector<double>& rates) = 0;
  // What is known about the Jacobian. A product throws InstanceError where the model cannot.
  virtual std::optional<OdeJacobian::Rows> pattern() const { return std::nullopt; }
  virtual bool has_products() const { return false; }
  virtual void product(double /*time*/, std::vector<double> const& /*states*/,
                       std::span<const double> /*direction*/, std::span<double> /*change*/) {}

 protected:
  ~OdeSystem() = default;
};

struct OdeCounts {
  long steps = 0, evaluations = 0, jacobians = 0, stiff_steps = 0;
};

class OdeStepper {
 public:
  virtual ~OdeStepper() = default;
  // From states at a time; what was before is forgotten. Of the step size that is tried first, 0 where the method may
  // choose, not more than a hint.
  virtual void start(double time, std::vector<double> const& states, double step_size) = 0;
  // One accepted step, not beyond `end`; its end. A step that comes as near as rounding ends at `end`. Throws
  // InstanceError.
  virtual double step(double end) = 0;
  // States within the last step.
  virtual void states_at(double time, std::vector<double>& states) = 0;
  virtual double step_size() const = 0;  // to try next
  OdeCounts const& counts() const { return counts_; }

 protected:
  OdeCounts counts_;
};

struct OdeTolerances {
  double relative = 1e-6, absolute = 1e-6;  // the latter in units of each state's nominal
};

// Dormand and Prince's pair of orders 5 and 4 with step control and dense output (Hairer, Norsett, Wanner, Solving
// Ordinary Differential Equations I, II.5 and II.6).
std::unique_ptr<OdeStepper> make_dopri_stepper(OdeSystem& system, OdeTolerances const& tolerances);

// Backward differentiation formulas of variable order and step, with Newton's method: CVODE of SUNDIALS. Throws
// CommandError where the program was built without it.
std::unique_ptr<OdeStepper> make_cvode_stepper(OdeSystem& system, OdeTolerances const& tolerances);
bool has_cvode();
void require_cvode();  // throws CommandError

// Euler's forward method in steps of one size; 0: as long as it is asked for.
std::unique_ptr<OdeStepper> make_euler_stepper(OdeSystem& system, double step);

// Instants closer than this are one instant: some units in the last place.
double time_resolution(double time, double step);

}  // namespace delassus
