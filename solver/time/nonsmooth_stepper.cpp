#include "solver/time/nonsmooth_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/numbers/elementary.hpp"
#include "model/scene/decimal_times.hpp"
#include "model/scene/number.hpp"
#include "solver/time/run_check.hpp"
#include "solver/time/step_division.hpp"

namespace delassus {

using namespace nonsmooth;

namespace {

// rad. A motion turns a body by at most this, unless it spins as a free one: the equations of longer ones, as after an
// impact at a corner, are mostly not found. Parts of a step for that; what turns further is beyond what it can follow.
// (Adaptive steps would compare parts with the same parts.)
constexpr double most_turn = 1, most_parts_by_turn = 4096;
// Velocities that differ by less than this share of the largest one are equal: a contact that separates so slowly is
// closed.
constexpr double closed_share = 1e-10;
// The same of a contact that was closed: the next motion holds it, without an impact of rounding.
constexpr double still_closed_share = 1e-9;
// The same: rounding. A body that is wedged at rest would be asked to leave by it, which has no solution.
constexpr double rounding_share = 1e-13;
// Impacts at their own time in a step: the fewer, the more contacts there are.
int most_timed_impacts(std::size_t contacts) {
  return contacts <= 8 ? 16 : static_cast<int>(128 / contacts);
}
// rad: from here on it is told that an angle falls behind its spin.
constexpr double told_lateness = 0.1;
// Estimates of the time at which a contact closes, each from the one before.
constexpr int most_closings = 8;
// Of the step.
constexpr double shortest_closing = 1e-9;
// Of half the size: what is pressed in deeper would be passed.
constexpr double pressed_in_share = 0.2;
// Rounds of contacts that are met early in one step: each may push others together.
constexpr int most_rounds = 4;
// Of the largest demand: accelerations by rounding that are the reason why no motion is found.
constexpr double noticed_rounding = 1e-7;

// Steps with impacts within one step. States before and after an impact are not near each other, however short the step
// is, and a body that rattles in a wedge has an impact in each half: then the finest that was found is taken. Impacts come
// at their time in any case.
constexpr int most_divisible_impacts = 12;

// Which smooth motions end with the velocities of joints at zero. A motion that begins so has J v_mid = 0 and ends with
// J v_end = d, a smooth function of the order h^2, and the next one of the same length with d' - d, which is of the order
// h^3. Taking J v away takes energy, its square: after every motion h^3 in a second, after every second one h^5.
// Counted from time zero by the length of a step, so that nothing has to be kept between steps.
class MotionPairs {
 public:
  MotionPairs(double t, double h)
      : first_in_pair_(std::fmod(std::round(t / h), 2) == 0), complete_(first_in_pair_), length_(h) {}
  // After a motion of this length, the last one of its step or not.
  void add(double length, bool last) {
    bool const same = std::abs(length - length_) <= 1e-9 * length;
    complete_ = !same || open_ == 1 || (last && !first_in_pair_);
    open_ = complete_ ? 0 : 1;
    length_ = length;
  }
  bool complete() const { return complete_; }

 private:
  bool first_in_pair_;  // this step
  bool complete_;
  int open_ = first_in_pair_ ? 0 : 1;
  double length_;
};

// The first time in (0, h] at which a gap that begins with `gap` and its rate `rate` and ends with `end` < 0 closes,
// on the parabola through these.
double time_to_close(double gap, double rate, double end, double h) {
  gap = std::max(gap, 0.0);
  double const half_acceleration = (end - gap - rate * h) / (h * h);
  double const root = std::sqrt(std::max(0.0, rate * rate - 4 * half_acceleration * gap));
  // Of gap + rate t + half_acceleration t^2; the form that does not cancel.
  double const t = rate < 0 ? 2 * gap / (root - rate) : (rate + root) / (-2 * half_acceleration);
  return t > 0 && t <= h ? t : h;
}

}  // namespace

NonsmoothStepper::NonsmoothStepper(System const& system, StepperSettings const& settings)
    : Stepper(system, settings),
      scale_(system),
      guard_(system, {}),
      sunk_(system, {.touching = -1}),
      impact_(system),
      islands_(system),
      acceleration_(static_cast<std::size_t>(system.velocity_size())),
      terms_(system.make_terms()),
      mass_factor_(terms_.M),
      free_acceleration_(static_cast<std::size_t>(system.velocity_size())),
      q_end_(static_cast<std::size_t>(system.configuration_size())),
      v_mid_(static_cast<std::size_t>(system.velocity_size())),
      v_last_(v_mid_.size()),
      v_end_(v_mid_.size()),
      qdot_(q_end_.size()),
      q_mean_(q_end_.size()),
      share_(v_mid_.size(), 0.5),
      late_(terms_.M.size(), 0.0) {}

StepReport NonsmoothStepper::advance(double end, InputSignal const& input, std::span<const double> parameter,
                                     StopAt stop) {
  StepReport report;
  if (drifts_to(end, input, parameter)) return report;
  StepDivision const division(state_.t, end, settings_.step);
  Drive const drive{input, parameter};
  scale_.measure(parameter);
  guard_.meet_at(touching_share / 2 * scale_.length());
  trial_ = state_;
  for (long k = 1; k <= division.count(); ++k) {
    work_ = 0;
    if (settings_.kind == StepperKind::nonsmooth_adaptive) {
      divisible_impacts_ = most_divisible_impacts;
      step_adaptively(division.size(), {}, drive, report);
    } else {
      step(division.size(), drive, report);
    }
    trial_.t = division.time_after(k);
    bool const changed = note_modes(trial_.t, trial_.modes, report);
    ++report.internal_steps;
    if (k < division.count() && (stop == StopAt::internal_step || (stop == StopAt::event && changed))) break;
  }
  std::swap(state_, trial_);
  if (coarse_told_) report.coarse_steps = 0;
  coarse_told_ |= report.coarse_steps > 0;
  late_angle_told_ |= report.late_angle.mass >= 0;
  return report;
}

void NonsmoothStepper::step(double h, Drive const& drive, StepReport& report) {
  step_ = h;
  double left = h;
  int timed = 0, halvings = 0;
  spare_.clear();
  met_early_.clear();
  // What was closed at the end of the last step is so now, however little it opens by what the scheme left.
  held_ = trial_.closed;
  trial_.closed.clear();
  left_ = 0;
  MotionPairs pairs(trial_.t, h);
  joints_due_ = pairs.complete();
  look(drive);
  move_apart(drive);
  EnergyGain const gain =
      look_at_energy(dynamics_.system(), terms_, instant(trial_.t, trial_.x, drive.input, drive.parameter), h,
                     told_share_of_nonsmooth, trial_.energy);
  if (gain.gained > 0) report.energy = gain;
  theta_ = 0.5;
  crowd_ = false;
  if (is_crowd(terms_)) return step_of_crowd(h, drive, report);
  collide(0, drive, report, true);
  int const most_timed = most_timed_impacts(terms_.blocks.size());
  for (int round = 0; left > 0;) {
    double part = std::min(left, h / static_cast<double>(1L << halvings));
    if (settings_.kind == StepperKind::nonsmooth) {
      double const parts = std::ceil(fastest_turn(part) / most_turn);
      if (parts > 1) part /= std::min(parts, most_parts_by_turn);
    }
    theta_ = 0.5;
    if (!move(part, drive)) {
      ++report.rejected_steps;
      if (++halvings > most_halvings) fail_to_move(drive);
      continue;
    }
    // First of all: after a reversal that is none, what closes would meet what does not move so.
    if (timed < most_timed && end_at_reversal(part, drive)) ++timed;
    double const smooth = part;
    bool passes = false;
    double closing = first_closing(part, passes);
    auto passage = first_passage(part, drive);
    bool const worth_a_time = passage || (passes && closing > shortest_share * h);
    if (passage && passage->time < closing) closing = passage->time;
    if (closing < part && closing > shortest_closing * h &&
        ((round == 0 && timed < most_timed) || (worth_a_time && timed < most_timed_passages))) {
      ++timed;
      if (!move(closing, drive)) continue;
      part = closing;
      // The gap is not quite a parabola: the motion ends where it touches, not beyond.
      for (int k = 0; k < most_closings; ++k) {
        bool beyond = false;
        closing = first_closing(part, beyond);
        if (!(closing < part) || closing < shortest_closing * h || !move(closing, drive)) break;
        part = closing;
      }
      // A shorter motion is another one, and may meet something earlier.
      for (passage = {}; (passage = first_passage(part, drive)) && timed < most_timed_passages; ++timed) {
        part = passage->time;
        if (!move(part, drive)) break;
      }
      if (passage) {
        // Not found, or too many: in shorter parts.
        if (++halvings > most_halvings) guard_.fail(trial_.t, *passage, too_fast);
        continue;
      }
    } else if (closing < part && round < most_rounds) {
      ++round;
      look(drive);
      if (passage) meet_early(*passage);
      collide(part, drive, report);
      continue;
    } else if (passage) {
      round = 0;
      if (++halvings > most_halvings) guard_.fail(trial_.t, *passage, too_fast);
      continue;
    }
    if (part < smooth && theta_ < 1 && timed < most_timed && end_at_reversal(part, drive)) ++timed;
    accept(part, drive, report);
    left -= part;
    if (left < 1e-12 * h) left = 0;
    trial_.t += part;
    halvings = std::max(0, halvings - 1);
    round = 0;
    met_early_.clear();
    pairs.add(part, left == 0);
    joints_due_ = pairs.complete();
    look(drive);
    collide(0, drive, report);
    spare_.clear();
    held_.clear();
  }
  trial_.closed = closed_;
}

void NonsmoothStepper::look(Drive const& drive) {
  Instant at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
  at.step = settings_.step;
  dynamics_.system().evaluate(at, terms_);
}

void NonsmoothStepper::collide(double ahead, Drive const& drive, StepReport& report, bool starts) {
  parts_.assign(terms_.blocks.size(), {});
  touched_.clear();
  // At rest, what is left of velocities is small beside what forces would do to them in the step.
  double const most = std::max({scale_.largest_in_rows(terms_, terms_.velocity),
                                scale_.largest_of(terms_, v()), step_ * largest_demand()});
  double const negligible_length =
      std::max(closed_share * most, step_ * rounding_of_forces(terms_, trial_.lambda));
  bool needed = false, closing = false, stops_slip = false;
  closing_.clear();
  auto spare = spare_.begin();
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    ConstraintBlock const& block = terms_.blocks[k];
    auto const first = static_cast<std::size_t>(block.first_row),
               rows = static_cast<std::size_t>(block.rows());
    double const negligible = negligible_length / scale_.arm(block.identity);
    while (spare != spare_.end() && spare->identity < block.identity) ++spare;
    if (spare != spare_.end() && spare->identity == block.identity && (joints_due_ || !spare->held)) {
      std::size_t const tangential = rows - (has_normal(block.set.kind) ? 1 : 0);
      double const slip = largest(std::span(terms_.velocity).subspan(first, tangential));
      if (slip > negligible) parts_[k].spare_friction = spare->impulse;
    }
    if (is_unilateral(block.set.kind)) {
      double const gap = terms_.Psi[first + rows - 1], rate = terms_.velocity[first + rows - 1];
      bool const early = std::binary_search(met_early_.begin(), met_early_.end(), block.identity);
      parts_[k].takes_part = early || gap <= touching_share * scale_.of(block.identity);
      // What held all the time does not bounce by what the scheme leaves.
      bool const was_closed = std::binary_search(held_.begin(), held_.end(), block.identity);
      bool const held = was_closed && rate * scale_.arm(block.identity) >= -left_;
      parts_[k].restitution = held ? 0 : std::max(block.restitution, 0.0);
      parts_[k].law = block.restitution_law;
      if (early && gap > 0) parts_[k].rest = -gap / ahead;
      if (parts_[k].takes_part) touched_.push_back(block.identity);
      double const unnoticed = was_closed ? still_closed_share * most / scale_.arm(block.identity) : 0;
      bool const closes = parts_[k].takes_part && rate < parts_[k].rest - std::max(negligible, unnoticed);
      needed |= closes;
      closing |= closes;
      if (closes) closing_.push_back(k);
      auto const own = std::span(terms_.velocity).subspan(first, rows);
      if (largest(own) * scale_.arm(block.identity) <= rounding_share * most)
        std::fill(own.begin(), own.end(), 0.0);
      if (closes || !parts_[k].takes_part) parts_[k].spare_friction = 0;
    } else if (is_free(block.set.kind)) {
      parts_[k].takes_part = true;
      for (std::size_t row = 0; row < rows; ++row)
        needed |= joints_due_ && std::abs(terms_.velocity[first + row]) > negligible;
    } else if (has_normal(block.set.kind)) {
      parts_[k].takes_part = true;
      needed |= std::abs(terms_.velocity[first + rows - 1]) > negligible;
    }
    stops_slip |= parts_[k].spare_friction > 0;
  }
  needed |= stops_slip;
  // What friction had to spare acts within the motion, before an impact: in the impact it would stand for the friction
  // that the impulse of a contact allows.
  bool const before_impact = closing && stops_slip;
  if (before_impact) {
    for (std::size_t const k : closing_) parts_[k].takes_part = false;
    spare_.clear();
  } else if (closing) {
    ++impacts_;
  }
  if (needed) {
    SolveSettings settings = solve_settings();
    ImpactReport const done = impact_.apply(terms_, parts_, settings_.impacts, settings, v(), most);
    note_impact(done, report);
    if (done.residual > run_limits.unsolved_residual) {
      evaluate(trial_.t, trial_.x, drive.input, drive.parameter, trial_.lambda);
      check_not_squeezed(trial_.t, dynamics_);
    }
    Instant at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
    at.step = settings_.step;
    dynamics_.system().evaluate(at, terms_);
    if (before_impact) return collide(ahead, drive, report, starts);
  }
  closed_.clear();
  // Which blocks there are depends on the velocities, too.
  auto touched = touched_.begin();
  for (ConstraintBlock const& block : terms_.blocks) {
    while (touched != touched_.end() && *touched < block.identity) ++touched;
    if (touched == touched_.end() || *touched != block.identity) continue;
    auto const last = static_cast<std::size_t>(block.first_row + block.rows() - 1);
    double const opening = terms_.velocity[last] * scale_.arm(block.identity);
    bool const stays = std::binary_search(held_.begin(), held_.end(), block.identity) &&
                       (opening <= left_ || (starts && !closing));
    bool const bounced = block.restitution > 0 && opening > negligible_length && !stays;
    if (!bounced || ahead > 0) closed_.push_back(block.identity);
  }
}

void NonsmoothStepper::note_impact(ImpactReport const& done, StepReport& report) {
  report.worst = std::max(report.worst, done.status);
  report.worst_residual = std::max(report.worst_residual, done.residual);
  report.least_share_of_restitution = std::min(report.least_share_of_restitution, done.share_of_restitution);
}

// Of steps of fixed size: others keep angles as their tolerance asks.
void NonsmoothStepper::note_late_angles(double h, StepReport& report) {
  if (late_angle_told_ || settings_.kind == StepperKind::nonsmooth_adaptive) return;
  for (std::size_t i = 0; i < spins_.size(); ++i) {
    if (spins_[i] != 0) continue;
    double const spin = dynamics_.system().spin(static_cast<int>(i), v_mid_);
    late_[i] += h * spin - 2 * elementary::atan(h * spin / 2);
    if (late_[i] > std::max(told_lateness, report.late_angle.angle))
      report.late_angle = {static_cast<int>(i), trial_.t + h, h * spin, late_[i]};
  }
}

// Where there is no motion, the contact problem at its start says why.
void NonsmoothStepper::fail_to_move(Drive const& drive) {
  evaluate(trial_.t, trial_.x, drive.input, drive.parameter, trial_.lambda);
  check_not_squeezed(trial_.t, dynamics_);
  std::string why = "the motion over a step could not be found at t = " + format_time(trial_.t) + " s";
  auto const& blocks = dynamics_.terms().blocks;
  bool const rubs = std::any_of(blocks.begin(), blocks.end(), [](ConstraintBlock const& block) {
    return !is_free(block.set.kind) && block.set.kind != ForceSetKind::half_line;
  });
  System const& system = dynamics_.system();
  if (int const worst = worst_block(dynamics_); worst >= 0 && rubs && system.is_driven()) {
    BlockIdentity const identity = blocks[static_cast<std::size_t>(worst)].identity;
    std::string sides;
    for (std::string const& name : system.block_sides(identity))
      sides += (sides.empty() ? "" : " and ") + name;
    throw StepFailure(
        why + ": it jams, most of all at " + system.block_description(identity) +
            (sides.empty() ? "" : " between " + sides) +
            ", where friction holds what a prescribed motion presses, and no force solves this; drive "
            "one side by a force instead of a motion, or use a compliant contact law or less friction",
        StepFailure::Retry::no_use);
  }
  double const lost = rounding_of_forces(dynamics_.terms(), trial_.lambda);
  if (lost > noticed_rounding * dynamics_.largest_demand()) {
    why += ": forces are so large beside the lightest bodies that their rounding moves these by " +
           format_number(lost) + " m/s2; use masses that differ less";
  } else {
    why += "; use a shorter solver.step, or the stepper relaxed";
    if (rubs) why += ", or friction that does not change fast with the slip";
  }
  throw StepFailure(why);
}

void NonsmoothStepper::check_not_sunk(double h, Drive const& drive) {
  Instant at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
  at.step = h;
  at.q_end = q_end_;
  at.impacts = ImpactScope::all;  // only those that are compliant may sink in
  auto const passage = sunk_.find(at, std::numeric_limits<double>::infinity());
  if (!passage) return;
  sunk_.fail(trial_.t, *passage,
             "their contact is pressed in by " + format_number(-passage->gap) +
                 " m, as far as they are thick; use a stiffer law, or drive one side by a force instead of a "
                 "motion");
}

double NonsmoothStepper::rounding_of_forces(Terms const& terms, std::span<const BlockForce> forces) {
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  double largest = 0;
  auto force = forces.begin();
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    BlockIdentity const identity = terms.blocks[static_cast<std::size_t>(term.block)].identity;
    while (force != forces.end() && force->identity < identity) ++force;
    if (force == forces.end()) break;
    if (force->identity != identity) continue;
    double response = 0, size = 0;
    Eigen::MatrixXd const& M = terms.M[static_cast<std::size_t>(term.mass)].M;
    auto const J = terms.J[i];
    for (int column = 0; column < term.columns; ++column)
      response += J.col(column).squaredNorm() / M(column, column);
    for (double const component : force->lambda) size = std::max(size, std::abs(component));
    largest = std::max(largest, response * size);
  }
  return rounding * largest;
}

double NonsmoothStepper::first_closing(double h, bool& passes) {
  double first = h;
  for (OpenContact const& contact : dynamics_.terms().open) {
    // One that is not there at the end, because shapes that overlap have others, goes on as it began.
    bool const found = contact.gap_at_end == contact.gap_at_end;
    double const at_end = found ? contact.gap_at_end : contact.gap + h * contact.velocity;
    double const scale = scale_.of(contact.identity);
    if (!(at_end < -touching_share / 2 * scale)) continue;
    if (found) met_early_.push_back(contact.identity);
    if (contact.half_size > 0) {
      // In a crowd, only what would be passed is worth a time of its own.
      bool const passed = -at_end >= pressed_in_share * contact.half_size;
      if (!passed && (crowd_ || at_end > -unnoticed_share * scale)) continue;
      passes |= passed;
    }
    double const closes = time_to_close(contact.gap, contact.velocity, at_end, h);
    // A feature that is not there at the start of the motion, and would overlap at once, appears within it.
    bool const appears = contact.half_size > 0 && (contact.gap <= 0 || closes <= shortest_closing * h);
    first = std::min(first, appears ? h / 2 : closes);
  }
  std::sort(met_early_.begin(), met_early_.end());
  return first;
}

std::optional<Passage> NonsmoothStepper::first_passage(double h, Drive const& drive) {
  Instant at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
  at.step = h;
  at.q_end = q_end_;
  return guard_.find(at);
}

void NonsmoothStepper::meet_early(Passage const& passage) {
  constexpr BlockIdentity features = 0xff;
  for (ConstraintBlock const& block : terms_.blocks) {
    if ((block.identity & ~features) == passage.identity) met_early_.push_back(block.identity);
  }
  std::sort(met_early_.begin(), met_early_.end());
}

void NonsmoothStepper::accept(double h, Drive const& drive, StepReport& report) {
  left_ = left_slip(h);
  Instant at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
  at.step = h;
  at.q_end = q_end_;
  dynamics_.system().velocity_at_end(at, v_mid_, v_end_);
  for (std::size_t i = 0; i < v_end_.size(); ++i) {
    if (share_[i] == 1) v_end_[i] = v_mid_[i];
  }
  check_not_sunk(h, drive);
  note(report);
  note_late_angles(h, report);
  check_solved(trial_.t, dynamics_, trial_.unsolved);
  note_paradoxes(trial_.t, trial_.paradoxes, report);
  // What friction had to spare where it held.
  Terms const& terms = dynamics_.terms();
  Solution const& solution = dynamics_.solution();
  spare_.clear();
  held_.clear();
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    ForceSetKind const kind = block.set.kind;
    if (is_unilateral(kind) && solution.lambda[block.first_row + block.rows() - 1] > 0 &&
        std::abs(start_velocity(block).normal) <= left_)
      held_.push_back(block.identity);
    if (is_free(kind) || kind == ForceSetKind::half_line || kind == ForceSetKind::directed2 ||
        kind == ForceSetKind::directed3 || solution.modes[k] != ContactMode::stick)
      continue;
    int const tangential = block.rows() - (has_normal(kind) ? 1 : 0);
    if (block.slip_compliance > 0) {
      // Smooth friction: a slip that has turned round within the motion was too short for it, and would ring.
      Eigen::Map<const Eigen::VectorXd> const start(
          terms.velocity.data() + static_cast<std::size_t>(block.first_row), tangential);
      auto const mid =
          -block.slip_compliance * theta_ * h * solution.lambda.segment(block.first_row, tangential);
      if (!((2 * mid - start).dot(start) < 0)) continue;
    }
    double const bound =
        block.set.limit * (has_normal(kind) ? std::abs(solution.lambda[block.first_row + tangential]) : 1.0);
    double const impulse = h * (bound - solution.lambda.segment(block.first_row, tangential).norm());
    bool const held = start_velocity(block).slip <= left_;
    if (impulse > 0) spare_.push_back({block.identity, impulse, held});
  }
  dynamics_.copy_forces(trial_.lambda);
  std::copy(q_end_.begin(), q_end_.end(), trial_.x.begin());
  std::copy(v_end_.begin(), v_end_.end(), trial_.x.begin() + static_cast<std::ptrdiff_t>(q_end_.size()));
  check_motion(trial_.t + h, dynamics_, trial_.x, "use a shorter solver.step, or another stepper");
}

}  // namespace delassus
