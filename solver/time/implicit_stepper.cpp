#include "solver/time/implicit_stepper.hpp"

#include "solver/time/run_check.hpp"
#include "solver/time/step_division.hpp"

namespace delassus {
namespace {

// An observation between two steps does not depend on the last division, nor on a step that failed.
struct DivisionEnds {
  double& size;
  double usual;
  ~DivisionEnds() { size = usual; }
};

}  // namespace

ImplicitStepper::ImplicitStepper(System const& system, StepperSettings const& settings)
    : Stepper(system, settings),
      size_(settings.step),
      qdot_(static_cast<std::size_t>(system.configuration_size())) {}

StepReport ImplicitStepper::advance(double end, InputSignal const& input, std::span<const double> parameter,
                                    StopAt stop) {
  StepReport report;
  StepDivision const division(state_.t, end, settings_.step);
  size_ = division.size();
  DivisionEnds const ends{size_, settings_.step};
  trial_ = state_;
  std::size_t const n = qdot_.size();
  for (long k = 1; k <= division.count(); ++k) {
    evaluate(trial_.t, trial_.x, input, parameter, trial_.lambda);
    bool const changed = note_modes(trial_.t, trial_.modes, report);
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
