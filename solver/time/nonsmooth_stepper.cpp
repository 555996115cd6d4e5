#include "solver/time/nonsmooth_stepper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solver/time/run_check.hpp"
#include "solver/time/step_division.hpp"

namespace delassus {
namespace {

// Contacts near enough to matter in a step, beyond which they are a crowd; unless they are of so few bodies, as those of
// a plank on many pedestals: however many points a body has, it has six velocities to lose in impacts.
constexpr std::ptrdiff_t crowd_size = 64;
constexpr std::size_t few_bodies = 4;
// Velocities that differ by less than this share of the largest one are equal: the equations of a smooth motion are
// solved, a contact that separates so slowly is closed.
constexpr double equal_share = 1e-13;
constexpr double at_rounding = 1e-7;
// The same: from here on, estimates come nearer by about the same factor each.
constexpr double near_share = 1e-3;
constexpr double closed_share = 1e-10;
// In a crowd: the residual of forces and impulses that is good enough, and the share of velocities that are equal. A
// wall has many forces for one motion, and the digits beyond these are most of the work. Sweeps that go on from there
// let the forces of a pile that comes to rest converge over the steps.
constexpr double crowd_share = 1e-5;
constexpr int crowd_digits = 100;
// Two digits beyond it end the work: with one, a wall at rest creeps by 1e-7 m in half a second. The force of least norm
// is not sought: of many forces for one motion, the one that follows from the last step is as good, and the next step
// begins nearer to its own.
constexpr double crowd_tolerance = 1e-2 * crowd_share;
// The same of the displacements that move bodies apart, of which only a share is made.
constexpr double displacement_share = 1e-3;
// Of a contact problem of one estimate. What takes longer is mostly easier in a shorter motion.
constexpr int most_iterations = 10000;
// Estimates of a smooth motion; where it takes more, it is made in two.
constexpr int most_estimates = 40;
// Estimates that do not come nearer are damped from here on.
constexpr int first_damped = 8;
constexpr int most_halvings = 12;
// Estimates of a crowd in a row that each leave more than this share of the change before: they go round in a circle,
// mostly between two sets of contact points, and no more of them will help.
constexpr double left_in_circle = 0.7;
constexpr int most_in_circle = 8;
// The first change is that of the guess, and the second one says little about how fast estimates come near.
constexpr double first_ratio = 1e-3;
// rad. A body near a contact turns by at most this in one motion: the average of two rotations that are half a
// revolution apart is singular, and the rows of a contact with it.
constexpr double most_turn = 1;
// The same in free flight, by velocity: Cayley's formula makes 2 atan(5) = 2.7 rad of it.
constexpr double most_free_turn = 10;
// Motions that a step is divided into for that; what spins faster is beyond what the step can follow.
constexpr double most_parts_by_turn = 4096;
// Impacts at their own time in a step: the fewer, the more contacts there are.
int most_timed_impacts(std::size_t contacts) {
  return contacts <= 8 ? 16 : static_cast<int>(128 / contacts);
}
// Estimates of the time at which a contact closes, each from the one before.
constexpr int most_closings = 8;
// Of the step.
constexpr double shortest_closing = 1e-9;
// Besides: impacts of what would be pressed in by more than this share of half its size.
constexpr int most_timed_passages = 32;
constexpr double pressed_in_share = 0.2;
// Of the step: motions that are shorter make no progress.
constexpr double shortest_share = 1e-3;
// m. What a contact is closed more deeply by rounding and by features that appear is taken away, by this share at a
// time, by moving bodies apart. Velocities do not change by it.
constexpr double unnoticed_depth = 1e-7;
constexpr double recovered_share = 0.2;
// m. Shares of what is left never end. In a crowd somewhere a contact is that deep in every step, so that bodies are
// moved only where one is deeper than this.
constexpr double crowd_depth = 2 * unnoticed_depth;
// The last digits of a force that the next estimate changes again are not worth more sweeps.
constexpr int iterations_for_digits = 10;
constexpr char too_fast[] =
    "a step meets too many contacts; use a shorter solver.step, or the stepper relaxed with restitution or a "
    "small delta";
// Rounds of contacts that are met early in one step: each may push others together.
constexpr int most_rounds = 4;

bool is_crowd(Terms const& terms) {
  auto const is_contact = [](ConstraintBlock const& block) { return is_unilateral(block.set.kind); };
  if (std::count_if(terms.blocks.begin(), terms.blocks.end(), is_contact) <= crowd_size) return false;
  std::array<int, few_bodies> bodies{};
  auto known = bodies.begin();
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    if (!is_contact(terms.blocks[static_cast<std::size_t>(term.block)]) ||
        std::find(bodies.begin(), known, term.mass) != known)
      continue;
    if (known == bodies.end()) return true;
    *known++ = term.mass;
  }
  return false;
}

void accept_in_crowd(SolveSettings& settings) {
  settings.tolerance = crowd_tolerance;
  settings.acceptable = crowd_share;
  settings.iterations_for_digits = crowd_digits;
  settings.least_norm = false;
  settings.iteration_limit = SolveSettings().iteration_limit;
}

bool only_joints(Terms const& terms) {
  return std::all_of(terms.blocks.begin(), terms.blocks.end(),
                     [](ConstraintBlock const& block) { return is_free(block.set.kind); });
}

double largest(std::span<const double> values) {
  double most = 0;
  for (double const value : values) most = std::max(most, std::abs(value));
  return most;
}

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
      guard_(system, {.touching = touching_gap / 2}),
      impact_(system),
      acceleration_(static_cast<std::size_t>(system.velocity_size())),
      terms_(system.make_terms()),
      q_end_(static_cast<std::size_t>(system.configuration_size())),
      v_mid_(static_cast<std::size_t>(system.velocity_size())),
      v_last_(v_mid_.size()),
      v_end_(v_mid_.size()),
      qdot_(q_end_.size()),
      q_mean_(q_end_.size()),
      share_(v_mid_.size(), 0.5) {}

StepReport NonsmoothStepper::advance(double end, InputSignal const& input, std::span<const double> parameter,
                                     StopAt stop) {
  StepReport report;
  StepDivision const division(state_.t, end, settings_.step);
  Drive const drive{input, parameter};
  trial_ = state_;
  for (long k = 1; k <= division.count(); ++k) {
    step(division.size(), drive, report);
    trial_.t = division.time_after(k);
    bool const changed = note_modes(trial_.t, trial_.modes, report);
    ++report.internal_steps;
    if (k < division.count() && (stop == StopAt::internal_step || (stop == StopAt::event && changed))) break;
  }
  std::swap(state_, trial_);
  return report;
}

void NonsmoothStepper::step(double h, Drive const& drive, StepReport& report) {
  step_ = h;
  double left = h;
  int timed = 0, halvings = 0;
  spare_.clear();
  met_early_.clear();
  MotionPairs pairs(trial_.t, h);
  joints_due_ = pairs.complete();
  look(drive);
  if (move_apart(drive)) look(drive);
  theta_ = 0.5;
  if (is_crowd(terms_)) return step_of_crowd(h, drive, report);
  collide(0, drive, report);
  int const most_timed = most_timed_impacts(terms_.blocks.size());
  for (int round = 0; left > 0;) {
    double part = std::min(left, h / static_cast<double>(1L << halvings));
    part = std::min(part, std::max(longest_by_turn(), h / most_parts_by_turn));
    if (!move(part, drive)) {
      ++report.rejected_steps;
      if (++halvings > most_halvings) fail_to_move(drive);
      continue;
    }
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
  }
}

void NonsmoothStepper::look(Drive const& drive) {
  Instant at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
  at.step = settings_.step;
  dynamics_.system().evaluate(at, terms_);
}

void NonsmoothStepper::collide(double ahead, Drive const& drive, StepReport& report) {
  parts_.assign(terms_.blocks.size(), {});
  touched_.clear();
  // At rest, what is left of velocities is small beside what forces would do to them in the step.
  double const negligible =
      closed_share * std::max({largest(terms_.velocity), largest(v()), step_ * dynamics_.largest_demand()});
  bool needed = false;
  auto spare = spare_.begin();
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    ConstraintBlock const& block = terms_.blocks[k];
    auto const first = static_cast<std::size_t>(block.first_row),
               rows = static_cast<std::size_t>(block.rows());
    while (spare != spare_.end() && spare->identity < block.identity) ++spare;
    if (spare != spare_.end() && spare->identity == block.identity) {
      std::size_t const tangential = rows - (has_normal(block.set.kind) ? 1 : 0);
      double const slip = largest(std::span(terms_.velocity).subspan(first, tangential));
      if (slip > negligible) parts_[k].spare_friction = spare->impulse;
    }
    if (is_unilateral(block.set.kind)) {
      double const gap = terms_.Psi[first + rows - 1], rate = terms_.velocity[first + rows - 1];
      bool const early = std::binary_search(met_early_.begin(), met_early_.end(), block.identity);
      parts_[k].takes_part = early || gap <= touching_gap;
      parts_[k].restitution = std::max(block.restitution, 0.0);
      parts_[k].law = block.restitution_law;
      if (early && gap > 0) parts_[k].rest = -gap / ahead;
      if (parts_[k].takes_part) touched_.push_back(block.identity);
      bool const closes = parts_[k].takes_part && rate < parts_[k].rest - negligible;
      needed |= closes;
      if (closes || !parts_[k].takes_part) parts_[k].spare_friction = 0;
    } else if (is_free(block.set.kind)) {
      parts_[k].takes_part = true;
      for (std::size_t row = 0; row < rows; ++row)
        needed |= joints_due_ && std::abs(terms_.velocity[first + row]) > negligible;
    } else if (has_normal(block.set.kind)) {
      parts_[k].takes_part = true;
      needed |= std::abs(terms_.velocity[first + rows - 1]) > negligible;
    }
    needed |= parts_[k].spare_friction > 0;
  }
  if (needed) {
    SolveSettings settings = solve_settings();
    ImpactReport const done = impact_.apply(terms_, parts_, settings_.impacts, settings, v());
    note_impact(done, report);
    Instant at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
    at.step = settings_.step;
    dynamics_.system().evaluate(at, terms_);
  }
  closed_.clear();
  // Which blocks there are depends on the velocities, too.
  auto touched = touched_.begin();
  for (ConstraintBlock const& block : terms_.blocks) {
    while (touched != touched_.end() && *touched < block.identity) ++touched;
    if (touched == touched_.end() || *touched != block.identity) continue;
    auto const last = static_cast<std::size_t>(block.first_row + block.rows() - 1);
    bool const bounced = block.restitution > 0 && terms_.velocity[last] > negligible;
    if (!bounced || ahead > 0) closed_.push_back(block.identity);
  }
}

// The step of a crowd. Everything that is near takes part in one contact problem on the velocity at the end of the
// step: an impact without bounce, and what follows, are one. Contacts that bounce do so at its beginning.
void NonsmoothStepper::step_of_crowd(double h, Drive const& drive, StepReport& report) {
  double left = h;
  int halvings = 0, timed = 0;
  theta_ = 1;
  for (bool first = true; left > 0; first = false) {
    if (!first) look(drive);
    if (dynamics_.system().has_impact_laws()) bounce_in_crowd(left, drive, report);
    closed_.clear();
    for (ConstraintBlock const& block : terms_.blocks) {
      if (!is_unilateral(block.set.kind)) continue;
      auto const last = static_cast<std::size_t>(block.first_row + block.rows() - 1);
      if (!(block.restitution > 0 && terms_.velocity[last] > 0)) closed_.push_back(block.identity);
    }
    // Equal parts: a share of what is left would take forty of them.
    double part = std::min(left, h / static_cast<double>(1L << halvings));
    while (!move(part, drive)) {
      ++report.rejected_steps;
      if (++halvings > most_halvings) fail_to_move(drive);
      part /= 2;
    }
    // Contacts that appear within the motion are met where it matters, at their time.
    bool passes = false;
    double const closing = first_closing(part, passes);
    if (passes && closing > shortest_share * h && closing < part && timed < most_timed_passages) {
      ++timed;
      part = closing;
      if (!move(part, drive)) fail_to_move(drive);
    }
    while (auto const passage = first_passage(part, drive)) {
      if (++timed > most_timed_passages) guard_.fail(trial_.t, *passage, too_fast);
      part = std::min(std::max(passage->time, shortest_share * part), part / 2);
      if (!move(part, drive)) fail_to_move(drive);
    }
    accept(part, drive, report);
    left -= part;
    if (left < 1e-12 * h) left = 0;
    trial_.t += part;
  }
}

void NonsmoothStepper::bounce_in_crowd(double ahead, Drive const& drive, StepReport& report) {
  parts_.assign(terms_.blocks.size(), {});
  bool needed = false, closes = false, expands = false;
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    ConstraintBlock const& block = terms_.blocks[k];
    if (!is_unilateral(block.set.kind)) {
      parts_[k].takes_part = is_free(block.set.kind) || has_normal(block.set.kind);
      continue;
    }
    auto const last = static_cast<std::size_t>(block.first_row + block.rows() - 1);
    parts_[k].takes_part = true;
    parts_[k].rest = -std::max(terms_.Psi[last], 0.0) / ahead;
    // One that is not reached in this motion does not bounce, unless others press it together (Poisson).
    bool const reached = terms_.velocity[last] < parts_[k].rest;
    bool const pressed = block.restitution_law == RestitutionLaw::poisson && terms_.Psi[last] <= touching_gap;
    closes |= reached;
    if (!reached && !pressed) continue;
    parts_[k].restitution = std::max(block.restitution, 0.0);
    parts_[k].law = block.restitution_law;
    expands |= parts_[k].expands();
    needed |= reached && block.restitution > 0;
  }
  if (!needed && !(closes && expands)) return;
  SolveSettings settings = solve_settings();
  accept_in_crowd(settings);
  note_impact(impact_.apply(terms_, parts_, settings_.impacts, settings, v()), report);
  look(drive);
}

// Bodies that no block acts on keep the scheme of second order.
void NonsmoothStepper::find_shares(Terms const& terms) {
  std::fill(share_.begin(), share_.end(), 0.5);
  if (theta_ == 0.5) return;
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    MassBlock const& mass = terms.M[static_cast<std::size_t>(terms.J.term(i).mass)];
    std::fill_n(share_.begin() + mass.first, mass.M.rows(), theta_);
  }
}

void NonsmoothStepper::note_impact(ImpactReport const& done, StepReport& report) {
  report.worst = std::max(report.worst, done.status);
  report.worst_residual = std::max(report.worst_residual, done.residual);
  report.least_share_of_restitution = std::min(report.least_share_of_restitution, done.share_of_restitution);
}

// Where there is no motion, the contact problem at its start says why.
void NonsmoothStepper::fail_to_move(Drive const& drive) {
  evaluate(trial_.t, trial_.x, drive.input, drive.parameter, trial_.lambda);
  check_not_squeezed(trial_.t, dynamics_);
  throw StepFailure("the motion over a step could not be found at t = " + std::to_string(trial_.t) +
                    " s; use a shorter solver.step, or the stepper relaxed");
}

bool NonsmoothStepper::move_apart(Drive const& drive) {
  parts_.assign(terms_.blocks.size(), {});
  bool const crowd = is_crowd(terms_);
  bool needed = false;
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    ConstraintBlock const& block = terms_.blocks[k];
    if (!is_unilateral(block.set.kind)) {
      parts_[k].takes_part = is_free(block.set.kind) || has_normal(block.set.kind);
      continue;
    }
    double const gap = terms_.Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)];
    parts_[k].takes_part = gap <= touching_gap;
    if (gap < -unnoticed_depth) {
      parts_[k].rest = recovered_share * (-unnoticed_depth - gap);
      needed |= gap < -(crowd ? crowd_depth : unnoticed_depth);
    }
  }
  if (!needed) return false;
  // An impact whose velocities are displacements: contacts begin at rest, joints with what they are open by.
  for (ConstraintBlock const& block : terms_.blocks) {
    bool const holds = !is_unilateral(block.set.kind);
    for (int row = 0; row < block.rows(); ++row) {
      auto const i = static_cast<std::size_t>(block.first_row + row);
      terms_.velocity[i] = holds ? terms_.Psi[i] : 0;
    }
  }
  std::fill(v_mid_.begin(), v_mid_.end(), 0.0);
  SolveSettings settings = solve_settings();
  if (crowd) {
    accept_in_crowd(settings);
    settings.tolerance = settings.acceptable = displacement_share;
  }
  ImpactReport const moved_apart = impact_.apply(terms_, parts_, ImpactOrder::simultaneous, settings, v_mid_);
  // What is wedged stays, rather than that joints open.
  if (moved_apart.status != SolveStatus::converged) return false;
  Instant const at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
  double const potential = dynamics_.system().potential_energy(at);
  std::copy(at.q.begin(), at.q.end(), q_end_.begin());
  // Only what has velocities is moved: the rates that do not come from them, of prescribed bodies, are taken away.
  Instant moved = at;
  v_last_.assign(v_mid_.size(), 0.0);
  moved.v = v_last_;
  dynamics_.system().configuration_rate(moved, q_mean_);
  moved.v = v_mid_;
  dynamics_.system().configuration_rate(moved, qdot_);
  for (std::size_t i = 0; i < qdot_.size(); ++i) qdot_[i] -= q_mean_[i];
  dynamics_.system().advance_configuration(q(), v_mid_, qdot_, 1);
  // Velocities turn with their bodies, so that kinetic energy stays: those after a step without motion, turned round.
  Instant turned = at;
  turned.q = q_end_;
  turned.q_end = q();
  dynamics_.system().velocity_at_end(turned, v_last_, v_end_);
  for (std::size_t i = 0; i < v_end_.size(); ++i) v()[i] = -v_end_[i];
  pay_for_lift(dynamics_.system().potential_energy(at) - potential);
  return true;
}

// Bodies that overlap have come too far, and have the energy of that way. Moving them back along the displacement d takes
// it from their velocity along d, v - alpha d with 1/2 |v - alpha d|_M^2 = 1/2 |v|_M^2 - lift, or as much of it as
// there is. M d is a sum of contact impulses, so that momentum stays.
void NonsmoothStepper::pay_for_lift(double lift) {
  if (!(lift > 0)) return;
  double along = 0, square = 0;
  for (MassBlock const& mass : terms_.M) {
    auto const n = mass.M.rows();
    Eigen::Map<const Eigen::VectorXd> const d(v_mid_.data() + mass.first, n), own(v().data() + mass.first, n);
    v_end_.resize(v_mid_.size());
    Eigen::Map<Eigen::VectorXd> product(v_end_.data() + mass.first, n);
    product.noalias() = mass.M * d;
    along += product.dot(own);
    square += product.dot(d);
  }
  if (!(square > 0)) return;
  double const root = std::sqrt(std::max(0.0, along * along - 2 * lift * square));
  // The smaller of both roots, in the form that does not cancel.
  double const alpha = along == 0 ? 0 : 2 * lift / (along + std::copysign(root, along));
  double const enough = along * along >= 2 * lift * square ? alpha : along / square;
  for (std::size_t i = 0; i < v_mid_.size(); ++i) v()[i] -= enough * v_mid_[i];
}

bool NonsmoothStepper::move(double h, Drive const& drive) {
  std::span<double> const q0 = q(), v0 = v();
  System const& system = dynamics_.system();
  Relaxation const over{Relaxation::Source::over_step, h, theta_, std::max(h, step_)};
  bool const crowd = theta_ == 1;
  SolveSettings settings = solve_settings();
  settings.iterations_for_digits = iterations_for_digits;
  settings.iteration_limit = most_iterations;
  if (crowd) accept_in_crowd(settings);
  forces_ = trial_.lambda;
  std::copy(v0.begin(), v0.end(), v_mid_.begin());
  // The velocity over the step moves what has one, the middle of the step what follows from it.
  auto const find_end = [&] {
    for (std::size_t i = 0; i < q_end_.size(); ++i) q_mean_[i] = q0[i];
    Instant at = instant(trial_.t + h / 2, trial_.x, drive.input, drive.parameter);
    at.q = q_mean_;
    at.v = v_mid_;
    at.step = h;
    system.configuration_rate(at, qdot_);
    std::copy(q0.begin(), q0.end(), q_end_.begin());
    system.advance_over_step(q_end_, v_mid_, qdot_, h);
  };
  find_end();
  double last_change = std::numeric_limits<double>::infinity(), last_ratio = first_ratio;
  int in_circle = 0;
  acceleration_.begin();
  for (int estimate = 0; estimate < most_estimates; ++estimate) {
    Instant at = instant(trial_.t + h / 2, trial_.x, drive.input, drive.parameter);
    at.step = h;
    at.q_end = q_end_;
    at.theta = theta_;
    at.impacts = ImpactScope::all;
    at.closed = closed_;
    dynamics_.evaluate(at, over, settings, forces_);
    std::swap(v_last_, v_mid_);
    std::span<const double> const vdot = dynamics_.vdot();
    std::span<const double> const start = dynamics_.terms().start_velocity.empty()
                                              ? std::span<const double>(v0)
                                              : std::span<const double>(dynamics_.terms().start_velocity);
    double change = 0;
    bool finite = true;
    find_shares(dynamics_.terms());
    for (std::size_t i = 0; i < v_mid_.size(); ++i) {
      v_mid_[i] = start[i] + share_[i] * h * vdot[i];
      change = std::max(change, std::abs(v_mid_[i] - v_last_[i]));
      finite &= std::isfinite(v_mid_[i]);
    }
    if (!finite) return false;
    dynamics_.copy_forces(forces_);
    find_end();
    double const speed = std::max(largest(v_mid_), largest(v0));
    // What the next estimate would change: differences fall by about the same factor each, until rounding.
    double const ratio = estimate == 0 ? 1 : change / last_change;
    double const next = change * std::min(1.0, std::max(ratio, last_ratio));
    // A difference that falls from a wild estimate says nothing, so that it must be small itself.
    if (change <= near_share * speed && next <= (crowd ? crowd_share : equal_share) * speed) return true;
    // At rest, rounding is small beside what forces would do to velocities in the step.
    double const scale = std::max(speed, h * dynamics_.largest_demand());
    double const rounding = (crowd ? crowd_share : estimate > 4 ? at_rounding : equal_share) * scale;
    if (change <= rounding && change > last_change / 2) return true;
    in_circle = crowd && change > left_in_circle * last_change ? in_circle + 1 : 0;
    if (in_circle > most_in_circle) return false;
    last_change = change;
    last_ratio = estimate == 0 ? first_ratio : ratio;
    if (only_joints(dynamics_.terms())) {
      acceleration_.accelerate(v_last_, v_mid_);
      find_end();
    } else if (!crowd && estimate >= first_damped && ratio > 0.5) {
      // Friction that turns round from estimate to estimate: part of the way.
      double const share = std::ldexp(1.0, -estimate / first_damped);
      for (std::size_t i = 0; i < v_mid_.size(); ++i)
        v_mid_[i] = v_last_[i] + share * (v_mid_[i] - v_last_[i]);
      find_end();
    }
  }
  return false;
}

double NonsmoothStepper::first_closing(double h, bool& passes) {
  double first = h;
  for (OpenContact const& contact : dynamics_.terms().open) {
    if (!(contact.gap_at_end < -touching_gap / 2)) continue;
    met_early_.push_back(contact.identity);
    if (contact.half_size > 0) {
      // In a crowd, only what would be passed is worth a time of its own.
      bool const passed = -contact.gap_at_end >= pressed_in_share * contact.half_size;
      if (!passed && (theta_ == 1 || contact.gap_at_end > -unnoticed_depth)) continue;
      passes |= passed;
    }
    first = std::min(first, time_to_close(contact.gap, contact.velocity, contact.gap_at_end, h));
  }
  std::sort(met_early_.begin(), met_early_.end());
  return first;
}

double NonsmoothStepper::longest_by_turn() const {
  System const& system = dynamics_.system();
  double near = 0, any = 0;
  for (std::size_t i = 0; i < terms_.M.size(); ++i)
    any = std::max(any, system.spin(static_cast<int>(i), v()));
  for (std::size_t i = 0; i < terms_.J.size(); ++i) {
    auto const& term = terms_.J.term(i);
    if (is_unilateral(terms_.blocks[static_cast<std::size_t>(term.block)].set.kind))
      near = std::max(near, system.spin(term.mass, v()));
  }
  return 1 / std::max({near / most_turn, any / most_free_turn, std::numeric_limits<double>::min()});
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
  Instant at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
  at.step = h;
  at.q_end = q_end_;
  dynamics_.system().velocity_at_end(at, v_mid_, v_end_);
  for (std::size_t i = 0; i < v_end_.size(); ++i) {
    if (share_[i] == 1) v_end_[i] = v_mid_[i];
  }
  note(report);
  check_solved(trial_.t, dynamics_, trial_.unsolved);
  note_paradoxes(trial_.t, trial_.paradoxes, report);
  // What friction had to spare where it held.
  Terms const& terms = dynamics_.terms();
  Solution const& solution = dynamics_.solution();
  spare_.clear();
  for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
    ConstraintBlock const& block = terms.blocks[k];
    ForceSetKind const kind = block.set.kind;
    if (is_free(kind) || kind == ForceSetKind::half_line || kind == ForceSetKind::directed2 ||
        kind == ForceSetKind::directed3 || solution.modes[k] != ContactMode::stick)
      continue;
    int const tangential = block.rows() - (has_normal(kind) ? 1 : 0);
    double const bound =
        block.set.limit * (has_normal(kind) ? std::abs(solution.lambda[block.first_row + tangential]) : 1.0);
    double const impulse = h * (bound - solution.lambda.segment(block.first_row, tangential).norm());
    if (impulse > 0) spare_.push_back({block.identity, impulse});
  }
  dynamics_.copy_forces(trial_.lambda);
  std::copy(q_end_.begin(), q_end_.end(), trial_.x.begin());
  std::copy(v_end_.begin(), v_end_.end(), trial_.x.begin() + static_cast<std::ptrdiff_t>(q_end_.size()));
  check_motion(trial_.t + h, dynamics_, trial_.x, "use a shorter solver.step, or another stepper");
}

}  // namespace delassus
