// The relaxed ODE (39)(64)(65) of Kikuuwe and Brogliato 2017 by Dormand and Prince's method of order 5(4)
// with adaptive steps and dense output (Boost.Odeint). Internal steps do not end at communication points:
// they reach beyond, and the state at a communication point is interpolated. So the motion does not depend on
// how often it is observed, as long as inputs and parameters stay; where they change, the stepper
// starts afresh from the interpolated state.
//
// Within one internal step every stage follows the force at the step's start (rule `continuous`): the
// right-hand side is a function of time and state only, as the method demands.
//
// Where a source changes its mode the right-hand side has a kink. An internal step that has passed one is made
// again so that it ends there, right behind the zero of the mode function: the time of the change is then as
// exact as the motion, and no step has a kink inside. This is done whether the importer asks for events or not,
// so that the motion is the same.
//
// Contacts with an impact law (a coefficient of restitution) are open or closed. Open ones carry no force. Where one
// touches and closes, the interval ends, and an impact (impact.hpp) changes the velocity; contacts that do not come
// apart after it are closed, and held by the relaxed law until it lets them go. A bounce whose flight would end before
// the contact has come apart is none: bounces have an end.
//
// Step control sees a contact only where a stage of the method is near it. A step that leads shapes through each other
// (passage_guard.hpp) is made again so that it ends in the contact, whose force its error then tells of. A contact that
// gives way so far that the shapes come through each other in spite of its force ends the run.
#pragma once

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include "model/numbers/step_adjuster.hpp"
#include "solver/time/impact.hpp"
#include "solver/time/mode_change_search.hpp"
#include "solver/time/passage_guard.hpp"
#include "solver/time/stepper.hpp"

namespace delassus {

class RelaxedStepper final : public Stepper {
 public:
  RelaxedStepper(System const& system, StepperSettings const& settings);
  void restore(StepperState const& state) override;
  void invalidate() override;
  using Stepper::advance;
  StepReport advance(double end, InputSignal const& input, std::span<const double> parameter,
                     StopAt stop) override;
  std::vector<ModeEvent> accept() override;
  bool collide(InputSignal const& input, std::span<const double> parameter) override;

 protected:
  Relaxation relaxation() const override { return {}; }
  void find_closed(InputSignal const& input, std::span<const double> parameter) override;

 private:
  using Vector = std::vector<double>;
  using Method = boost::numeric::odeint::runge_kutta_dopri5<Vector>;
  using ErrorChecker =
      boost::numeric::odeint::default_error_checker<double, boost::numeric::odeint::range_algebra,
                                                    boost::numeric::odeint::default_operations>;
  using Controlled = boost::numeric::odeint::controlled_runge_kutta<Method, ErrorChecker, StepAdjuster>;

  // What a step moves under.
  struct Drive {
    InputSignal const& input;
    std::span<const double> parameter;
  };

  [[noreturn]] void fail_to_progress(double t) const;
  void look_at_progress(double t, long internal_steps);
  void derivative(double t, Vector const& x, Vector& dxdt, Drive const& drive,
                  std::vector<BlockForce> const& previous_lambda);
  void begin_interval(Drive const& drive, StepReport& report);
  void step_interval(Drive const& drive, StepReport& report);
  // The size of a step that was tried with `attempted` and would pass something; `attempted`: it does not.
  double size_before_passage(double attempted, Drive const& drive);
  // Makes the interval's step with this size, whatever its error.
  void make_step(double size, Drive const& drive);
  void recompute_stages(Drive const& drive);
  void interpolate(double t, Vector& x);
  // At t, which a step of h begins or ends with.
  void watch_energy(double t, double h, Drive const& drive, StepReport& report);

  // Ends the interval, which was accepted with this size, at the first change of mode in it; answers its size.
  double end_at_change(double size, Drive const& drive);
  // The same at the first impact.
  double end_at_impact(double size, Drive const& drive);
  // Whether an open contact touches and closes at x; terms_ has all that may come near within `ahead` seconds.
  double touching() const;  // m: a contact that is nearer touches
  bool closes(double t, Vector const& x, Drive const& drive, std::span<const BlockIdentity> closed,
              double ahead = 0);
  // After closes().
  bool overlaps_anew() const;
  bool closes_after(double tau, Drive const& drive);
  std::optional<double> close_between(double before, double after, Drive const& drive);
  // The impact at x, whose velocities change, and the contacts that are closed after it.
  void collide_at(double t, Vector& x, Drive const& drive, std::vector<BlockIdentity>& closed,
                  StepReport& report);
  bool find_closed_after_impact(double t, Vector const& x, Drive const& drive,
                                std::span<const BlockIdentity> touched, std::vector<BlockIdentity>& closed);
  void open_those_that_leave();

  // s. Changes of mode that are nearer to one another are told at one time: each costs an internal step, and
  // two that are this near cannot be told apart by rounding of what they follow from.
  static constexpr double nearest_changes = 1e-11;

  Controlled controlled_;
  StepperState trial_;
  Vector error_;
  Vector values_;  // of the mode functions
  Vector x_between_, dxdt_between_;
  ModeChangeSearch search_;
  int short_steps_ = 0;                    // in a row, of one call of advance
  double work_ = 0;                        // since progress_, in iterations times blocks
  double work_since_look_ = 0, look_ = 0;  // the same since the last look at the progress, and its time, s
  double length_ = 0;                      // s, of the call of advance
  double progress_ = 0;                    // s: when the run was last well ahead
  double shortest_ = 0;                    // s: below, a step is short beside the communication step
  PassageGuard guard_;
  ImpactLaw impact_;
  Terms terms_;  // without forces
  // At the start of the interval, and at two looks in a row.
  std::vector<OpenContact> open_at_start_, open_before_, open_after_;
  std::vector<ImpactLaw::Part> parts_;
  std::vector<std::size_t>
      touched_part_;       // of parts_: of each contact that takes part in an impact with its law
  Vector before_;          // velocities before an impact
  bool has_laws_ = false;  // contacts with an impact law
  bool stages_current_ =
      false;  // whether the method holds the stages of the interval, which dense output needs
};

}  // namespace delassus
