#include "solver/time/stepper.hpp"

#include <algorithm>
#include <limits>

#include "solver/time/implicit_stepper.hpp"
#include "solver/time/nonsmooth_stepper.hpp"
#include "solver/time/relaxed_stepper.hpp"
#include "solver/time/run_check.hpp"

namespace delassus {

Stepper::Stepper(System const& system, StepperSettings const& settings)
    : dynamics_(system), functions_(system), settings_(settings) {
  state_.x.resize(static_cast<std::size_t>(system.configuration_size()) +
                  static_cast<std::size_t>(system.velocity_size()));
}

std::span<const double> Stepper::q() const {
  return std::span(state_.x).first(static_cast<std::size_t>(dynamics_.system().configuration_size()));
}

std::span<const double> Stepper::v() const {
  return std::span(state_.x).last(static_cast<std::size_t>(dynamics_.system().velocity_size()));
}

void Stepper::start(double t, std::span<const double> q, std::span<const double> v) {
  StepperState fresh;
  fresh.t = t;
  fresh.x.assign(q.begin(), q.end());
  fresh.x.insert(fresh.x.end(), v.begin(), v.end());
  restore(fresh);
}

Dynamics const& Stepper::observe(InputSignal const& input, std::span<const double> parameter) {
  find_closed(input, parameter);
  closed_now_ = state_.closed;
  dynamics_.assemble(instant(state_.t, state_.x, input, parameter), relaxation());
  dynamics_.solve(observed_settings(dynamics_.terms()), state_.lambda);
  return dynamics_;
}

void Stepper::place(double t, std::span<const double> x) {
  invalidate();
  state_.t = t;
  state_.x.assign(x.begin(), x.end());
}

void Stepper::rates(InputSignal const& input, std::span<const double> parameter, std::span<double> xdot) {
  std::size_t const n = xdot.size() - dynamics_.vdot().size();
  dynamics_.system().configuration_rate(instant(state_.t, state_.x, input, parameter), xdot.first(n));
  std::copy(dynamics_.vdot().begin(), dynamics_.vdot().end(), xdot.begin() + static_cast<std::ptrdiff_t>(n));
}

bool Stepper::drifts_to(double end, InputSignal const& input, std::span<const double> parameter) {
  constexpr double shortest_share = 1e-9;  // of solver.step
  double const h = end - state_.t;
  if (h > shortest_share * settings_.step) return false;
  std::span<double> const x = state_.x;
  auto const n = static_cast<std::size_t>(dynamics_.system().configuration_size());
  std::vector<double> rate(n);
  dynamics_.system().configuration_rate(instant(state_.t, x, input, parameter), rate);
  dynamics_.system().advance_configuration(x.first(n), x.subspan(n), rate, h);
  state_.t = end;
  return true;
}

std::vector<ModeEvent> Stepper::accept() {
  dynamics_.copy_forces(state_.lambda);
  std::vector<double> values;
  functions_.evaluate(dynamics_, values, ModeFunctions::Open::nothing);  // open is detached
  ModeFunctions::Sides sides = state_.sides;
  std::vector<double> bands;
  functions_.bands(dynamics_, bands);
  ModeFunctions::update_sides(values, bands, sides);
  std::vector<ModeEvent> events;
  if (!state_.sides.empty()) functions_.append_events(state_.t, state_.sides, sides, events);
  state_.sides = sides;
  return events;
}

bool Stepper::contact_closes() const {
  auto const& open = dynamics_.terms().open;
  return std::any_of(open.begin(), open.end(), is_closing);
}

void Stepper::evaluate(double t, std::span<const double> x, InputSignal const& input,
                       std::span<const double> parameter, std::span<const BlockForce> previous_lambda) {
  dynamics_.evaluate(instant(t, x, input, parameter), relaxation(), solve_settings(), previous_lambda);
}

Instant Stepper::instant(double t, std::span<const double> x, InputSignal const& input,
                         std::span<const double> parameter) {
  auto const configuration = static_cast<std::size_t>(dynamics_.system().configuration_size());
  Relaxation const relaxed = relaxation();
  double const step = relaxed.source == Relaxation::Source::blocks ? 0 : relaxed.step;
  Instant at{t, x.first(configuration), x.subspan(configuration), input.at(t, input_now_), parameter, step};
  at.impacts = impacts_;
  at.closed = closed_now_;
  return at;
}

SolveSettings Stepper::solve_settings() const {
  SolveSettings settings;
  settings.law = settings_.law;
  settings.rule = settings_.rule;
  settings.least_norm = true;
  // What sticks may disagree by more before it slips than what slips before it sticks: between two thresholds nothing
  // changes, where one would be crossed again and again.
  constexpr double remainder_of_stick = 1e-3, remainder_of_slip = 1e-5;
  if (settings_.integrated_by_host)
    settings.coarse_remainder = functions_.all_stick(state_.sides) ? remainder_of_stick : remainder_of_slip;
  // A step of first order needs no force to the last bit.
  if (relaxation().source != Relaxation::Source::blocks) settings.tolerance = 1e-12;
  return settings;
}

void Stepper::note(StepReport& report) const {
  Solution const& solution = dynamics_.solution();
  SolveStatus const status = judged_status(dynamics_);
  if (status > report.worst) {
    int const block = worst_block(dynamics_);
    if (block >= 0) report.worst_block = dynamics_.terms().blocks[static_cast<std::size_t>(block)].identity;
  }
  report.worst = std::max(report.worst, status);
  if (status == solution.status) report.worst_residual = std::max(report.worst_residual, solution.residual);
  for (int const count : solution.solutions) report.most_solutions = std::max(report.most_solutions, count);
}

void Stepper::note_paradoxes(double t, std::vector<BlockParadox>& known, StepReport& report) {
  found_.clear();
  auto before = known.begin();
  // Both lists rise. What is known of blocks below `identity` and was not found again has ended.
  auto const end_those_below = [&](BlockIdentity identity) {
    for (; before != known.end() && before->identity < identity; ++before)
      report.paradoxes.push_back({t, before->identity, before->paradox, Paradox::regular, {}});
  };
  std::span<const ConstraintBlock> const blocks = dynamics_.terms().blocks;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    SlidingState const contact = sliding_state(dynamics_, k);
    if (contact.paradox() == Paradox::regular) continue;
    end_those_below(blocks[k].identity);
    bool const was_known = before != known.end() && before->identity == blocks[k].identity;
    Paradox const last = was_known ? before->paradox : Paradox::regular;
    if (was_known) ++before;
    found_.push_back({blocks[k].identity, contact.paradox()});
    if (last != contact.paradox())
      report.paradoxes.push_back({t, blocks[k].identity, last, contact.paradox(), contact});
  }
  end_those_below(std::numeric_limits<BlockIdentity>::max());
  known = found_;
}

bool Stepper::note_modes(double t, std::vector<ContactMode>& known, StepReport& report) {
  functions_.modes(dynamics_, modes_);
  bool changed = false;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] == modes_[i]) continue;
    report.events.push_back({t, static_cast<int>(i), known[i], modes_[i]});
    changed = true;
  }
  known = modes_;
  return changed;
}

Relaxation observed_relaxation(StepperSettings const& settings) {
  if (settings.kind == StepperKind::relaxed) return {};
  Relaxation observed{Relaxation::Source::step, settings.step};
  observed.observes = is_nonsmooth(settings.kind);
  return observed;
}

std::unique_ptr<Stepper> make_stepper(System const& system, StepperSettings const& settings) {
  switch (settings.kind) {
    case StepperKind::relaxed:
      return std::make_unique<RelaxedStepper>(system, settings);
    case StepperKind::nonsmooth:
    case StepperKind::nonsmooth_adaptive:
      return std::make_unique<NonsmoothStepper>(system, settings);
    case StepperKind::implicit:
      break;
  }
  return std::make_unique<ImplicitStepper>(system, settings);
}

}  // namespace delassus
