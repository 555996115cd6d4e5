// What advances time. A stepper owns the motion (time, configuration, velocity, contact force) and everything
// else that its next step depends on, as plain data that can be taken out and put back: that is what makes
// rollback exact.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "model/scene/enumeration.hpp"
#include "solver/time/dynamics.hpp"
#include "solver/time/energy_watch.hpp"
#include "solver/time/input_signal.hpp"
#include "solver/time/mode_functions.hpp"
#include "solver/time/sliding_state.hpp"

namespace delassus {

struct StepperSettings {
  StepperKind kind = StepperKind::relaxed;
  ContactLaw law = ContactLaw::coulomb;
  SolutionRule rule = SolutionRule::continuous;
  double step = 1e-3;       // s, longest internal step of the fixed-step steppers
  double tolerance = 1e-8;  // relative and absolute, of the adaptive stepper
  ImpactOrder impacts = ImpactOrder::simultaneous;
  bool integrated_by_host = false;  // only `place` moves the state, as exactly as a host's integrator does

  bool operator==(StepperSettings const&) const = default;
};

// A contact in a paradox, to be found again at the next instant.
struct BlockParadox {
  BlockIdentity identity = 0;
  Paradox paradox = Paradox::regular;

  bool operator==(BlockParadox const&) const = default;
};

// A contact enters a paradox, passes from one to another, or leaves it.
struct ParadoxEvent {
  double t = 0;  // s: of the internal step at which it is first seen
  BlockIdentity identity = 0;
  Paradox before = Paradox::regular, after = Paradox::regular;
  SlidingState contact;  // afterwards
};

// Everything that the future depends on, besides inputs and parameters.
struct StepperState {
  double t = 0;           // s
  std::vector<double> x;  // q, then v, at t
  // Forces of the last accepted internal step, by rising identity: warm start, and what `continuous` follows.
  std::vector<BlockForce> lambda;
  // Contacts in a paradox at the last accepted internal step, by rising identity: what events are told from.
  std::vector<BlockParadox> paradoxes;
  // What changes of mode are told from: the sides of the mode functions (relaxed stepper), the modes at the
  // beginning of the last internal step (fixed steps). Empty: nothing known yet.
  ModeFunctions::Sides sides;
  std::vector<ContactMode> modes;
  int unsolved = 0;  // accepted internal steps in a row whose contact problem was not solved
  // Contacts with an impact law that are closed, by rising identity; whether these are known yet.
  std::vector<BlockIdentity> closed;
  bool closed_known = false;
  EnergyWatch energy;  // of the stepper that may create some

  // The adaptive stepper's last accepted internal step, which may reach beyond t: dense output lies in it.
  struct Interval {
    double t = 0, size = 0;          // s, from t to t + size
    std::vector<double> x, dxdt;     // at its start
    std::vector<BlockForce> lambda;  // at its start
    std::vector<double> x_end, dxdt_end;
    std::vector<ModeEvent> events;  // at its end, not told yet
    ModeFunctions::Sides sides_end;
    std::vector<BlockIdentity> closed;  // in it
    // It ends with an impact: state and closed contacts after it.
    bool impact = false;
    std::vector<double> x_after;
    std::vector<BlockIdentity> closed_after;
    bool operator==(Interval const&) const = default;
  };
  bool has_interval = false;
  Interval interval;
  double next_size = 0;  // s, what the step control proposes; 0: nothing yet

  bool operator==(StepperState const&) const = default;
};

// A body whose angle has fallen behind its spin by `angle`, rad, where a step is a turn by `turn`.
struct LateAngle {
  int mass = -1;
  double t = 0, turn = 0, angle = 0;
};

struct StepReport {
  long internal_steps = 0;
  long rejected_steps = 0;
  SolveStatus worst = SolveStatus::converged;  // of all accepted internal steps
  double worst_residual = 0;
  BlockIdentity worst_block = 0;          // of the worst solution, where it was not converged
  int most_solutions = 1;                 // of one block
  std::vector<ParadoxEvent> paradoxes;    // in the order of time
  std::vector<ModeEvent> events;          // the same
  double least_share_of_restitution = 1;  // see impact.hpp; below 1 where the law would have created energy
  EnergyGain energy;                      // the first that is to be told in a run
  // Parts of the internal steps that differ from their halves by more than the tolerance. Told once in a run.
  long coarse_steps = 0;
  LateAngle late_angle;  // told once in a run; no mass: none
};

// Where a step is to end, if not at its end.
enum class StopAt {
  end,
  event,          // right after the first change of mode
  internal_step,  // after each internal step, and hence after each change of mode
};

// The step could not be made; the state is as before.
class StepFailure : public std::runtime_error {
 public:
  enum class Retry {
    shorter_step,  // may succeed
    no_use,        // the run has come to its end
  };
  explicit StepFailure(std::string const& message, Retry retry = Retry::shorter_step)
      : std::runtime_error(message), retry_(retry) {}
  Retry retry() const { return retry_; }

 private:
  Retry retry_;
};

class Stepper {
 public:
  Stepper(System const& system, StepperSettings const& settings);
  virtual ~Stepper() = default;

  StepperSettings const& settings() const { return settings_; }
  StepperState const& state() const { return state_; }
  double time() const { return state_.t; }
  std::span<const double> q() const;
  std::span<const double> v() const;

  void start(double t, std::span<const double> q, std::span<const double> v);
  virtual void restore(StepperState const& state) { state_ = state; }
  // Inputs, parameters or the state have changed at the present time: nothing that was computed ahead holds, and a change
  // of energy is no gain.
  virtual void invalidate() { state_.energy.comparable = false; }

  // Advances to `end`, or less far where `stop` says so; parameters are constant. Throws StepFailure and leaves
  // the state as it was. A change of mode at the very beginning, by an input or parameter that has changed, is
  // told but ends no step.
  virtual StepReport advance(double end, InputSignal const& input, std::span<const double> parameter,
                             StopAt stop) = 0;
  StepReport advance(double end, InputSignal const& input, std::span<const double> parameter) {
    return advance(end, input, parameter, StopAt::end);
  }

  // The contact problem at the present state, as this stepper would solve it next.
  Dynamics const& observe(InputSignal const& input, std::span<const double> parameter);
  Dynamics const& dynamics() const { return dynamics_; }  // of the last evaluation

  // For a host that integrates by itself. The present state, which nothing computed ahead belongs to; its rates,
  // after observe; and that it was accepted: its forces are what `continuous` follows from now on. `accept`
  // answers with the changes of mode since the last time, after observe as well.
  void place(double t, std::span<const double> x);
  void rates(InputSignal const& input, std::span<const double> parameter, std::span<double> xdot);
  virtual std::vector<ModeEvent> accept();
  // Whether contacts with an impact law close at the present state, and what that does to it: in event mode of such a
  // host. False: none does.
  virtual bool collide(InputSignal const&, std::span<const double>) { return false; }
  // Event indicators of such a host, and whether an open contact closes, so that the host has to come to event mode even
  // if it has seen none of them change its sign: both after observe.
  void indicators(std::vector<double>& values) const {
    functions_.indicators(dynamics_, state_.sides, values);
  }
  bool contact_closes() const;
  // Adds what the instant has to know of closed contacts.
  void add_closed(Instant& at) const {
    at.impacts = impacts_;
    at.closed = state_.closed;
  }

  ModeFunctions const& mode_functions() const { return functions_; }

 protected:
  virtual Relaxation relaxation() const = 0;
  void evaluate(double t, std::span<const double> x, InputSignal const& input,
                std::span<const double> parameter, std::span<const BlockForce> previous_lambda);
  // Holds until the next call.
  Instant instant(double t, std::span<const double> x, InputSignal const& input,
                  std::span<const double> parameter);
  SolveSettings solve_settings() const;
  // How exact the forces of these terms have to be that are observed between two steps.
  virtual SolveSettings observed_settings(Terms const&) const { return solve_settings(); }
  void note(StepReport& report) const;  // the last evaluation, of an accepted step
  // Compares the contacts of the last evaluation, at t, with those that were in a paradox before.
  void note_paradoxes(double t, std::vector<BlockParadox>& known, StepReport& report);
  // The same for the modes: whether one has changed at t. What nothing is known of has not changed.
  bool note_modes(double t, std::vector<ContactMode>& known, StepReport& report);

  // A step so short that velocities over it are rounding of positions: a host's clock makes such. Moves on with the present
  // velocities; the forces are those of the next step.
  bool drifts_to(double end, InputSignal const& input, std::span<const double> parameter);

  // Finds the closed contacts of a state that nothing is known of yet.
  virtual void find_closed(InputSignal const&, std::span<const double>) {}

  Dynamics dynamics_;
  ModeFunctions functions_;
  StepperSettings settings_;
  StepperState state_;
  ImpactScope impacts_ = ImpactScope::none;
  std::span<const BlockIdentity> closed_now_;  // of the next evaluation

 private:
  std::vector<BlockParadox> found_;  // at the present instant
  std::vector<ContactMode> modes_;   // the same
  std::vector<double> input_now_;
};

// Of the contact problem that a stepper with these settings observes between two steps.
Relaxation observed_relaxation(StepperSettings const& settings);

std::unique_ptr<Stepper> make_stepper(System const& system, StepperSettings const& settings);

}  // namespace delassus
