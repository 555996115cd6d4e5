// The relaxed ODE (39)(64)(65) of Kikuuwe and Brogliato 2017 by Dormand and Prince's method of order 5(4)
// with adaptive steps and dense output (Boost.Odeint). Internal steps do not end at communication points:
// they reach beyond, and the state at a communication point is interpolated. So the motion does not depend on
// how often somebody looks at it, as long as inputs and parameters stay; where they change, the stepper
// starts afresh from the interpolated state.
//
// Within one internal step every stage follows the force at the step's start (rule `continuous`): the
// right-hand side is a function of time and state alone, as the method demands.
#pragma once

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include "solver/stepper.hpp"

namespace delassus {

class RelaxedStepper final : public Stepper {
 public:
  RelaxedStepper(System const& system, StepperSettings const& settings);
  void restore(StepperState const& state) override;
  void invalidate() override;
  StepReport advance(double end, std::span<const double> input, std::span<const double> parameter) override;

 protected:
  Relaxation relaxation() const override { return {}; }

 private:
  using Vector = std::vector<double>;
  using Method = boost::numeric::odeint::runge_kutta_dopri5<Vector>;
  using Controlled = boost::numeric::odeint::controlled_runge_kutta<Method>;

  void derivative(double t, Vector const& x, Vector& dxdt, std::span<const double> input,
                  std::span<const double> parameter, std::vector<BlockForce> const& previous_lambda);
  void begin_interval(std::span<const double> input, std::span<const double> parameter, StepReport& report);
  void step_interval(std::span<const double> input, std::span<const double> parameter, StepReport& report);
  void recompute_stages(std::span<const double> input, std::span<const double> parameter);

  Controlled controlled_;
  StepperState trial_;
  Vector error_;
  bool stages_current_ =
      false;  // whether the method holds the stages of the interval, which dense output needs
};

}  // namespace delassus
