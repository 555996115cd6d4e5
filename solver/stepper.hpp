// What advances time. A stepper owns the motion (time, configuration, velocity, contact force) and everything
// else that its next step depends on, as plain data that can be taken out and put back: that is what makes
// rollback exact.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "model/enumeration.hpp"
#include "solver/dynamics.hpp"
#include "solver/sliding_contact.hpp"

namespace delassus {

struct StepperSettings {
  StepperKind kind = StepperKind::relaxed;
  ContactLaw law = ContactLaw::coulomb;
  SolutionRule rule = SolutionRule::continuous;
  double step = 1e-3;       // s, longest internal step of the fixed-step steppers
  double tolerance = 1e-8;  // relative and absolute, of the adaptive stepper

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

  // The adaptive stepper's last accepted internal step, which may reach beyond t: dense output lies in it.
  struct Interval {
    double t = 0, size = 0;          // s, from t to t + size
    std::vector<double> x, dxdt;     // at its start
    std::vector<BlockForce> lambda;  // at its start
    std::vector<double> x_end, dxdt_end;
    bool operator==(Interval const&) const = default;
  };
  bool has_interval = false;
  Interval interval;
  double next_size = 0;  // s, what the step control proposes; 0: nothing yet

  bool operator==(StepperState const&) const = default;
};

struct StepReport {
  long internal_steps = 0;
  long rejected_steps = 0;
  SolveStatus worst = SolveStatus::converged;  // of all accepted internal steps
  double worst_residual = 0;
  int most_solutions = 1;               // of one block
  std::vector<ParadoxEvent> paradoxes;  // in the order of time
};

// The step could not be made; the state is as before.
class StepFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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
  // Inputs or parameters have changed at the present time: nothing that was computed ahead holds.
  virtual void invalidate() {}

  // Advances to `end` with constant inputs and parameters. Throws StepFailure and leaves the state as it was.
  virtual StepReport advance(double end, std::span<const double> input,
                             std::span<const double> parameter) = 0;

  // The contact problem at the present state, as this stepper would solve it next.
  Dynamics const& observe(std::span<const double> input, std::span<const double> parameter);

 protected:
  virtual Relaxation relaxation() const = 0;
  void evaluate(double t, std::span<const double> x, std::span<const double> input,
                std::span<const double> parameter, std::span<const BlockForce> previous_lambda);
  Instant instant(double t, std::span<const double> x, std::span<const double> input,
                  std::span<const double> parameter) const;
  SolveSettings solve_settings() const;
  void note(StepReport& report) const;  // the last evaluation, of an accepted step
  // Compares the contacts of the last evaluation, at t, with those that were in a paradox before.
  void note_paradoxes(double t, std::vector<BlockParadox>& known, StepReport& report);

  Dynamics dynamics_;
  StepperSettings settings_;
  StepperState state_;

 private:
  std::vector<BlockParadox> found_;  // at the present instant
};

std::unique_ptr<Stepper> make_stepper(System const& system, StepperSettings const& settings);

}  // namespace delassus
