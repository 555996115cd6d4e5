#include "solver/time/implicit_stepper.hpp"

#include <algorithm>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "solver/time/impact.hpp"
#include "solver/time/run_check.hpp"
#include "solver/time/step_division.hpp"

namespace delassus {
namespace {

// Parts of a step that would pass something. Each ends where shapes meet, or halves what turns into each other.
constexpr int most_parts = 1000;
// From part to part. What turns fast where it touches is stopped by a short one; a long one would see the curvature of
// its way, and not the contact.
constexpr double growth = 8;
// Of solver.step: a host that makes shorter steps, as for what its clock has left, moves bodies apart in solver.step, not in
// its own, with the velocity of a shot.
constexpr double short_share = 0.1;
// Of a step: a rest that is shorter comes from rounding.
constexpr double no_rest = 1e-12;

// An observation between two steps does not depend on the last division, nor on a step that failed.
struct DivisionEnds {
  double &size, &recovery;
  double usual;
  ~DivisionEnds() {
    size = usual;
    recovery = 0;
  }
};

}  // namespace

ImplicitStepper::ImplicitStepper(System const& system, StepperSettings const& settings)
    : Stepper(system, settings),
      scale_(system),
      guard_(system, {.turns_by_velocity = true}),
      size_(settings.step),
      qdot_(static_cast<std::size_t>(system.configuration_size())) {}

void ImplicitStepper::move(InputSignal const& input, std::span<const double> parameter) {
  std::size_t const n = qdot_.size();
  std::span<double> const q = std::span(trial_.x).first(n), v = std::span(trial_.x).subspan(n);
  std::span<const double> const vdot = dynamics_.vdot();
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += size_ * vdot[i];
  dynamics_.system().configuration_rate(instant(trial_.t, trial_.x, input, parameter), qdot_);
  dynamics_.system().advance_configuration(q, v, qdot_, size_);
}

// The body with the most of the energy has it from the steps.
void ImplicitStepper::fail_by_energy() const {
  std::vector<MassBlock> const& masses = dynamics_.terms().M;
  std::span<const double> const v = std::span(trial_.x).subspan(qdot_.size());
  std::size_t most = 0;
  double largest = -1;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    Eigen::Map<const Eigen::VectorXd> const own(v.data() + masses[i].first, masses[i].M.rows());
    double const twice = own.dot(masses[i].M * own);
    if (!(twice > largest)) continue;
    largest = twice;
    most = i;
  }
  throw StepFailure("the motion of " + dynamics_.system().mass_name(static_cast<int>(most)) +
                        " diverges: the stepper implicit has created many times the energy that was there, "
                        "until t = " +
                        format_time(trial_.t) +
                        " s, without an input; use a shorter solver.step, or the stepper nonsmooth",
                    StepFailure::Retry::no_use);
}

StepReport ImplicitStepper::advance(double end, InputSignal const& input, std::span<const double> parameter,
                                    StopAt stop) {
  StepReport report;
  if (drifts_to(end, input, parameter)) return report;
  StepDivision const division(state_.t, end, settings_.step);
  double const usual = division.size();
  recovery_ = usual < short_share * settings_.step ? settings_.step : 0;
  size_ = usual;
  DivisionEnds const ends{size_, recovery_, settings_.step};
  scale_.measure(parameter);
  guard_.meet_at(touching_share / 2 * scale_.length());
  trial_ = state_;
  std::size_t const n = qdot_.size();
  for (long k = 1; k <= division.count(); ++k) {
    evaluate(trial_.t, trial_.x, input, parameter, trial_.lambda);
    bool const changed = note_modes(trial_.t, trial_.modes, report);
    if (k > 1 && (stop == StopAt::internal_step || (stop == StopAt::event && changed))) break;
    EnergyGain const gain =
        look_at_energy(dynamics_.system(), dynamics_.terms(), instant(trial_.t, trial_.x, input, parameter),
                       usual, told_share_of_implicit, trial_.energy);
    if (gain.gained > 0) report.energy = gain;
    if (gain.diverged) fail_by_energy();
    double left = usual;
    bool again = false;  // from the same start
    for (int parts = 0;;) {
      start_ = trial_.x;
      move(input, parameter);
      Instant at = instant(trial_.t, trial_.x, input, parameter);
      at.q_end = at.q;
      at.q = std::span<const double>(start_).first(n);
      at.step = size_;
      if (auto const passage = guard_.find(at)) {
        if (++parts > most_parts) {
          guard_.fail(trial_.t, *passage,
                      "a step of " + format_number(usual) + " s takes more than " +
                          std::to_string(most_parts) +
                          " parts; use a shorter solver.step, or the stepper nonsmooth");
        }
        trial_.x = start_;
        // Contacts that a shorter step sees differently may lead it elsewhere. Halving ends where none is in reach.
        size_ = again ? std::min(passage->time, size_ / 2) : passage->time;
        again = true;
        evaluate(trial_.t, trial_.x, input, parameter, trial_.lambda);
        continue;
      }
      note(report);
      note_recovery(dynamics_, trial_.energy);
      check_solved(trial_.t, dynamics_, trial_.unsolved);
      note_paradoxes(trial_.t, trial_.paradoxes, report);
      dynamics_.copy_forces(trial_.lambda);
      again = false;
      left -= size_;
      if (left <= no_rest * usual) break;
      trial_.t += size_;
      size_ = std::min(left, growth * size_);
      evaluate(trial_.t, trial_.x, input, parameter, trial_.lambda);
    }
    size_ = usual;
    trial_.t = division.time_after(k);
    ++report.internal_steps;
    check_motion(trial_.t, dynamics_, trial_.x, "use a shorter solver.step, or another stepper");
  }
  if (stop != StopAt::end && trial_.t == end) {
    // A host that waits for changes of mode is told of one at the end now, not at the next step.
    evaluate(trial_.t, trial_.x, input, parameter, trial_.lambda);
    note_modes(trial_.t, trial_.modes, report);
  }
  std::swap(state_, trial_);
  return report;
}

}  // namespace delassus
