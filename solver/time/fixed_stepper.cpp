#include "solver/time/fixed_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "solver/time/run_check.hpp"

namespace delassus {
namespace {

// An observation between two steps does not depend on the last division, nor on a step that failed.
struct DivisionEnds {
  double& size;
  double usual;
  ~DivisionEnds() { size = usual; }
};

}  // namespace

FixedStepper::FixedStepper(System const& system, StepperSettings const& settings)
    : Stepper(system, settings),
      size_(settings.step),
      qdot_(static_cast<std::size_t>(system.configuration_size())) {}

Relaxation FixedStepper::relaxation() const {
  auto const source = settings_.kind == StepperKind::implicit ? Relaxation::Source::step
                                                              : Relaxation::Source::blocks_within_step;
  return {source, size_};
}

bool FixedStepper::note_modes(StepReport& report) {
  functions_.modes(dynamics_, modes_);
  bool changed = false;
  for (std::size_t i = 0; i < trial_.modes.size(); ++i) {
    if (trial_.modes[i] == modes_[i]) continue;
    report.events.push_back({trial_.t, static_cast<int>(i), trial_.modes[i], modes_[i]});
    changed = true;
  }
  trial_.modes = modes_;
  return changed;
}

StepReport FixedStepper::advance(double end, InputSignal const& input, std::span<const double> parameter,
                                 StopAt stop) {
  StepReport report;
  double const begin = state_.t;
  // A communication step of 3 h that rounding made 3.0000000001 h is three internal steps, not four.
  double const wanted = std::max(1.0, std::ceil((end - begin) / settings_.step * (1 - 1e-9)));
  // More is no communication step but a mistake of the host: it would take hours.
  if (wanted > 1e9) {
    throw StepFailure("the communication step needs " + std::to_string(wanted) +
                      " internal steps; raise solver.step");
  }
  long const count = static_cast<long>(wanted);
  size_ = (end - begin) / wanted;
  DivisionEnds const ends{size_, settings_.step};
  trial_ = state_;
  std::size_t const n = qdot_.size();
  for (long k = 1; k <= count; ++k) {
    evaluate(trial_.t, trial_.x, input, parameter, trial_.lambda);
    bool const changed = note_modes(report);
    if (k > 1 && (stop == StopAt::internal_step || (stop == StopAt::event && changed))) break;
    note(report);
    check_solved(trial_.t, dynamics_, trial_.unsolved);
    note_paradoxes(trial_.t, trial_.paradoxes, report);
    std::span<double> const q = std::span(trial_.x).first(n), v = std::span(trial_.x).subspan(n);
    std::span<const double> const vdot = dynamics_.vdot();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += size_ * vdot[i];
    dynamics_.system().configuration_rate(instant(trial_.t, trial_.x, input, parameter), qdot_);
    dynamics_.system().advance_configuration(q, v, qdot_, size_);
    dynamics_.copy_forces(trial_.lambda);
    trial_.t = k < count ? begin + static_cast<double>(k) * size_ : end;  // a counter, not a sum: no drift
    ++report.internal_steps;
    check_motion(trial_.t, dynamics_, trial_.x, "use a shorter solver.step, or another stepper");
  }
  if (stop != StopAt::end && trial_.t == end) {
    // A host that waits for changes of mode is told of one at the end now, not at the next step.
    evaluate(trial_.t, trial_.x, input, parameter, trial_.lambda);
    note_modes(report);
  }
  std::swap(state_, trial_);
  return report;
}

}  // namespace delassus
