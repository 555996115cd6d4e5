#include "tools/cosim/component_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "tools/cosim/fixed_point.hpp"
#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

constexpr int most_sweeps = 60;

std::vector<CosimComponentGroup> make_groups(CosimSystem const& system, CosimPlan const& plan) {
  auto groups = order_components(system, plan.order);
  if (plan.algorithm != CosimAlgorithm::implicit) return groups;
  CosimComponentGroup all{{}, true, "all components (--algorithm implicit)"};
  for (auto const& group : groups)
    all.components.insert(all.components.end(), group.components.begin(), group.components.end());
  return {all};
}

}  // namespace

CosimStepper::CosimStepper(CosimSystem const& system, CosimPlan const& plan, CosimWiring const& wiring,
                           CosimParticipants& participants)
    : system_(system),
      plan_(plan),
      wiring_(wiring),
      participants_(participants),
      groups_(make_groups(system, plan)),
      history_(wiring.outputs.size()),
      next_(wiring.outputs.size()),
      inputs_(wiring.wires.size()),
      slopes_(wiring.wires.size()),
      curvatures_(wiring.wires.size()),
      stepped_(system.components.size()),
      known_(system.components.size()) {
  // Jacobi does not depend on the order: components that may end early go first, so that the others can follow.
  if (plan.algorithm == CosimAlgorithm::jacobi) {
    std::stable_partition(groups_.begin(), groups_.end(), [&](CosimComponentGroup const& group) {
      return participants_[group.components.front()]->handles_events();
    });
  }
  for (auto& group : groups_) {
    if (!group.is_loop) continue;
    if (plan.algorithm != CosimAlgorithm::implicit && plan.loops == LoopTreatment::delay) {
      group.is_loop = false;
    } else {
      prepare_loop(group);
    }
  }
}

void CosimStepper::prepare_loop(CosimComponentGroup const& group) const {
  if (plan_.loops == LoopTreatment::refuse && plan_.algorithm != CosimAlgorithm::implicit) {
    throw CommandError(ExitCode::usage,
                       fmt::format("algebraic loop: {}; --loops solve repeats steps until it agrees, --loops "
                                   "delay lets an input be one step old",
                                   group.path));
  }
  for (auto const component : group.components) {
    if (participants_[component]->saves_states()) continue;
    throw CommandError(
        ExitCode::usage,
        fmt::format(
            "{}: {} cannot save its state (canGetAndSetFMUstate), so its steps cannot be repeated{}",
            plan_.algorithm == CosimAlgorithm::implicit ? group.path : "algebraic loop: " + group.path,
            participants_[component]->name(),
            plan_.algorithm == CosimAlgorithm::implicit ? "; choose another --algorithm"
                                                        : "; --loops delay lets an input be one step old"));
  }
}

void CosimStepper::save(CosimParticipant::Checkpoint which) {
  for (auto const& participant : participants_) {
    if (participant->saves_states()) participant->save(which);
  }
}

void CosimStepper::restore(CosimParticipant::Checkpoint which) {
  for (auto const& participant : participants_) participant->restore(which);
}

void CosimStepper::write_present_inputs(std::vector<double>& inputs) const {
  for (auto const& wire : wiring_.wires) inputs[wire.input] = wire.convert(history_.now()[wire.output]);
}

// Inputs over a step of length h. An FMU that interpolates gets the polynomial; another one its mean, so that the
// impulse over the step is right, or its end where an output has direct feedthrough from it.
void CosimStepper::set_inputs(std::size_t component, double h, std::vector<bool> const& known_at_end) {
  CosimParticipant& participant = *participants_[component];
  int const degree = plan_.extrapolation;
  bool const interpolates = degree > 0 && participant.interpolates();
  for (auto const& wire : participant.wires()) {
    bool const known = known_at_end[wire.from];
    if (degree == 0 || !wire.continuous) {
      inputs_[wire.input] = wire.convert(known ? next_[wire.output] : history_.now()[wire.output]);
      continue;
    }
    StepPolynomial const p = known ? history_.interpolate(wire.output, next_[wire.output], h, degree)
                                   : history_.extrapolate(wire.output, degree);
    if (interpolates) {
      inputs_[wire.input] = wire.convert(p.a);
      slopes_[wire.input] = wire.factor * p.b;
      curvatures_[wire.input] = wire.factor * 2 * p.c;
    } else {
      inputs_[wire.input] = wire.convert(wire.feedthrough ? p.at(h) : p.mean(h));
    }
  }
  participant.write_inputs(inputs_, !participant.handles_events());
  if (!interpolates) return;
  participant.write_input_derivatives(1, slopes_);
  if (degree > 1) participant.write_input_derivatives(2, curvatures_);
}

void CosimStepper::step_one(std::size_t component, double size, double& end, CosimAttempt& attempt) {
  CosimParticipant& participant = *participants_[component];
  bool const first = std::ranges::find(stepped_, true) == stepped_.end();
  stepped_[component] = true;
  StepOutcome const outcome = participant.do_step(history_.time(), size);
  attempt.event |= outcome.event;
  if (outcome.terminated) attempt.terminated = participant.name();
  // Times within rounding of the end are the end.
  bool const early = (outcome.early || outcome.terminated) && outcome.time < end - 1e-12 * std::abs(end);
  if (early) {
    end = outcome.time;
    // No other component has moved yet: they step to here.
    if (!first || end <= history_.time()) attempt.outcome = CosimAttempt::Outcome::early;
  }
  if (attempt.outcome == CosimAttempt::Outcome::done) participant.read_outputs(next_);
}

void CosimStepper::step_group(CosimComponentGroup const& group, double size, double& end,
                              CosimAttempt& attempt) {
  double const full = end;
  for (auto const component : group.components) {
    double const h = end - history_.time();
    set_inputs(component, h, known_);
    step_one(component, end == full ? size : h, end, attempt);
    if (attempt.outcome != CosimAttempt::Outcome::done) return;
    if (plan_.algorithm == CosimAlgorithm::gauss_seidel) known_[component] = true;
  }
}

// The outputs at the end of the step are a fixed point of: take them for known, set inputs by them, step, read them.
// Components that have stepped in a sweep pass their new outputs on immediately.
void CosimStepper::iterate_group(CosimComponentGroup const& group, double size, double end,
                                 CosimAttempt& attempt, CosimCounts& counts) {
  double const h = end - history_.time();
  std::vector<std::size_t> unknowns, others;
  for (auto const component : group.components) {
    auto const range = wiring_.outputs_of[component];
    for (std::size_t place = range.first; place < range.first + range.count; ++place) {
      (wiring_.output_is_continuous[place] ? unknowns : others).push_back(place);
      next_[place] = wiring_.output_is_continuous[place]
                         ? history_.extrapolate(place, std::max(1, plan_.extrapolation)).at(h)
                         : history_.now()[place];
    }
  }
  auto const count = static_cast<Eigen::Index>(unknowns.size());
  Eigen::VectorXd x(count), g(count), scale(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    std::size_t const place = unknowns[static_cast<std::size_t>(i)];
    x[i] = next_[place];
    scale[i] = std::abs(history_.now()[place]) + wiring_.nominals[place];
  }
  FixedPoint solver(scale, plan_.loop_tolerance);
  std::vector<bool> known = known_;
  for (auto const component : group.components) known[component] = true;
  // What components before the loop asked for stays, whatever its sweeps come to.
  CosimAttempt const before_loop = attempt;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    ++counts.loop_sweeps;
    std::vector<double> const before = next_;
    attempt.event = before_loop.event;
    attempt.terminated = before_loop.terminated;
    for (auto const component : group.components) {
      if (sweep > 0) participants_[component]->restore(CosimParticipant::Checkpoint::attempt);
      set_inputs(component, h, known);
      double reached = end;
      step_one(component, size, reached, attempt);
      if (reached < end || attempt.outcome != CosimAttempt::Outcome::done) {
        attempt.outcome = CosimAttempt::Outcome::early;
        attempt.end = reached;
        return;
      }
    }
    for (Eigen::Index i = 0; i < count; ++i) g[i] = next_[unknowns[static_cast<std::size_t>(i)]];
    bool const same =
        std::ranges::all_of(others, [&](std::size_t place) { return next_[place] == before[place]; });
    if (solver.improve(x, g) && same) {
      if (plan_.algorithm != CosimAlgorithm::jacobi) known_ = known;
      return;
    }
    for (Eigen::Index i = 0; i < count; ++i) next_[unknowns[static_cast<std::size_t>(i)]] = x[i];
  }
  attempt.outcome = CosimAttempt::Outcome::discarded;
  attempt.reason = fmt::format(
      "the loop {} did not agree in {} repetitions of a step of {} s: its values still differ by {:.3g} of "
      "their "
      "magnitude, allowed is {:.3g}",
      group.path, most_sweeps, format_number(size), solver.residual(), plan_.loop_tolerance);
}

CosimAttempt CosimStepper::attempt(double size, double end, CosimCounts& counts) {
  CosimAttempt attempt;
  double const full = end;
  stepped_.assign(stepped_.size(), false);
  known_.assign(known_.size(), false);
  if (plan_.keeps_checkpoints) {
    save(CosimParticipant::Checkpoint::attempt);
  } else {
    for (auto const& group : groups_) {
      if (!group.is_loop) continue;
      for (auto const component : group.components)
        participants_[component]->save(CosimParticipant::Checkpoint::attempt);
    }
  }
  try {
    for (auto const& group : groups_) {
      double const part = end == full ? size : end - history_.time();
      if (group.is_loop) {
        attempt.end = end;
        iterate_group(group, part, end, attempt, counts);
        if (attempt.outcome != CosimAttempt::Outcome::done) end = attempt.end;
      } else {
        step_group(group, part, end, attempt);
      }
      if (attempt.outcome != CosimAttempt::Outcome::done) break;
    }
  } catch (CosimFailure const& failure) {
    if (failure.status() != Status::discard) throw;
    attempt.outcome = CosimAttempt::Outcome::discarded;
    attempt.reason = failure.what();
  }
  attempt.end = end;
  if (attempt.outcome == CosimAttempt::Outcome::early && end <= history_.time() &&
      !attempt.terminated.empty()) {
    // The run ends at the beginning of the step. Those that went ahead come back where they can: the last values are
    // of one time.
    for (std::size_t i = 0; i < stepped_.size(); ++i) {
      auto& participant = *participants_[i];
      if (stepped_[i] && plan_.keeps_checkpoints && participant.saves_states() &&
          participant.name() != attempt.terminated)
        participant.restore(CosimParticipant::Checkpoint::attempt);
    }
    return attempt;
  }
  if (attempt.outcome != CosimAttempt::Outcome::done)
    take_back(attempt.outcome == CosimAttempt::Outcome::early
                  ? fmt::format("a component ended its step early, at {} s", format_time(end))
                  : attempt.reason);
  return attempt;
}

void CosimStepper::take_back(std::string const& why) {
  for (std::size_t i = 0; i < stepped_.size(); ++i) {
    if (!stepped_[i]) continue;
    if (!plan_.keeps_checkpoints || !participants_[i]->saves_states()) {
      throw CosimFailure(Status::discard,
                         fmt::format("{}; the step cannot be tried again, shorter, because {} {}", why,
                                     participants_[i]->name(),
                                     plan_.keeps_checkpoints ? "cannot save its state" : "saves no states"));
    }
    participants_[i]->restore(CosimParticipant::Checkpoint::attempt);
  }
}

void CosimStepper::read_slopes() {
  if (plan_.extrapolation == 0) return;
  for (auto const& participant : participants_) participant->read_output_slopes(history_.slopes());
}

void CosimStepper::keep(double end) {
  history_.push(end, next_);
}

}  // namespace delassus
