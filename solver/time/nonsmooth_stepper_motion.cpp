// A smooth motion of the stepper, and the displacement that moves bodies apart.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/time/nonsmooth_stepper.hpp"
#include "solver/time/run_check.hpp"

namespace delassus {

using namespace nonsmooth;

namespace {

// Velocities that differ by less than this share of the largest one are equal: the equations of a smooth motion are
// solved; and the same where estimates no longer come nearer.
constexpr double equal_share = 1e-13;
constexpr double at_rounding = 1e-7;
// The same: from here on, estimates come nearer by about the same factor each.
constexpr double near_share = 1e-3;
// Of a crowd: the residual of the displacements that move bodies apart, of which only a share is made.
constexpr double displacement_share = 1e-3;
// Of a contact problem of one estimate. What takes longer is mostly easier in a shorter motion.
constexpr int most_iterations = 10000;
// Estimates whose contact problem has no solution that was found. Such a motion is not found either, or hardly ever, and each
// takes as long as hundreds of others.
constexpr int most_unsolved = 4;
// The same of the displacements that move bodies apart, which takes some ten.
constexpr int most_iterations_apart = 100;
// Estimates of a smooth motion; where it takes more, it is made in two.
constexpr int most_estimates = 40;
// Estimates that do not come nearer are damped from here on.
constexpr int first_damped = 8;
// Estimates of a crowd in a row that each leave more than this share of the change before: they go round in a circle,
// mostly between two sets of contact points, and no more of them will help.
constexpr double left_in_circle = 0.7;
constexpr int most_in_circle = 8;
// The first change is that of the guess, and the second one says little about how fast estimates come near.
constexpr double first_ratio = 1e-3;
// A contact that is deeper than unnoticed_share is moved apart by this share of the rest at a time.
constexpr double recovered_share = 0.2;
// Of the size, as unnoticed_share. Shares of what is left never end. In a crowd somewhere a contact is that deep in every
// step, so that bodies are moved only where one is deeper than this.
constexpr double share_in_crowd = 2 * unnoticed_share;
// The same of few contacts, which come as near to unnoticed_share as rounding lets them.
constexpr double noticed_share = 1.01 * unnoticed_share;
// Of the largest velocity, or of what forces change in a step: a slower slip has no direction. Of the motion: slips that
// turn sooner are those that one has ended at, and what stops one at once does it sooner than the next. Of a slip: where it
// counts as zero. Attempts to find where.
constexpr double slowest_slip = 1e-9, soonest_turn = 1e-6, longest_jam = 1e-2, at_turn = 1e-9;
constexpr int most_tries_of_turn = 24;
// The last digits of a force that the next estimate changes again are not worth more sweeps.
constexpr int iterations_for_digits = 10;

bool only_joints(Terms const& terms) {
  return std::all_of(terms.blocks.begin(), terms.blocks.end(),
                     [](ConstraintBlock const& block) { return is_free(block.set.kind); });
}

}  // namespace

void NonsmoothStepper::move_apart(Drive const& drive) {
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
    double const scale = scale_.of(block.identity), unnoticed = unnoticed_share * scale;
    parts_[k].takes_part = gap <= touching_share * scale;
    if (gap < -unnoticed) {
      parts_[k].rest = recovered_share * (-unnoticed - gap);
      needed |= gap < -(crowd ? share_in_crowd : noticed_share) * scale;
    }
  }
  if (!needed) return;
  // An impact whose velocities are displacements: contacts begin at rest, joints with what they are open by.
  for (ConstraintBlock const& block : terms_.blocks) {
    bool const holds = !is_unilateral(block.set.kind);
    for (int row = 0; row < block.rows(); ++row) {
      auto const i = static_cast<std::size_t>(block.first_row + row);
      terms_.velocity[i] = holds ? terms_.Psi[i] : 0;
    }
  }
  SolveSettings settings = solve_settings();
  settings.iteration_limit = most_iterations_apart;
  if (crowd) {
    accept_in_crowd(settings);
    settings.tolerance = settings.acceptable = displacement_share;
  }
  std::fill(v_mid_.begin(), v_mid_.end(), 0.0);
  ImpactReport const moved_apart = impact_.apply(terms_, parts_, ImpactOrder::simultaneous, settings, v_mid_);
  // What is wedged stays, rather than that joints open or that it slides up out of the wedge, which takes energy.
  if (moved_apart.status != SolveStatus::converged) return look(drive);
  Instant const at = instant(trial_.t, trial_.x, drive.input, drive.parameter);
  double const potential = dynamics_.system().potential_energy(at), kinetic = kinetic_energy(terms_, v());
  moved_.clear();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].takes_part) moved_.push_back(static_cast<int>(k));
  }
  islands_.find(terms_, moved_);
  if (!islands_.empty()) islands_.measure(terms_, q(), v(), angular_momentum_);
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
  double lift = dynamics_.system().potential_energy(at) - potential;
  if (!islands_.empty()) {
    // The momentum of bodies has another arm where they are now; the velocities make up for it. What is taken along the
    // displacement is to have no angular momentum either.
    look(drive);
    islands_.turn_to(terms_, q(), angular_momentum_, v());
    no_momentum_.assign(angular_momentum_.size(), 0.0);
    islands_.turn_to(terms_, q(), no_momentum_, v_mid_);
    lift += kinetic_energy(terms_, v()) - kinetic;
  }
  pay_for_lift(lift);
  look(drive);
}

// Bodies that overlap have come too far, and have the energy of that way. Moving them back along the displacement d takes
// it from their velocity along d, v - alpha d with 1/2 |v - alpha d|_M^2 = 1/2 |v|_M^2 - lift, or as much of it as
// there is. M d is a sum of contact impulses, so that momentum stays, and angular momentum as d has none.
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
  trial_.energy.recovered += std::max(0.0, lift - along * along / (2 * square));
  for (std::size_t i = 0; i < v_mid_.size(); ++i) v()[i] -= enough * v_mid_[i];
}

double NonsmoothStepper::largest_demand() const {
  Eigen::VectorXd const& b = dynamics_.problem().b;
  return scale_.largest_in_rows(dynamics_.terms(), {b.data(), static_cast<std::size_t>(b.size())});
}

void NonsmoothStepper::find_spins(double h) {
  System const& system = dynamics_.system();
  spins_.assign(terms_.M.size(), 0);
  for (std::size_t i = 0; i < spins_.size(); ++i) {
    int const mass = static_cast<int>(i);
    spins_[i] = system.may_spin(terms_, mass, h * system.spin(mass, v()));
  }
  for (std::size_t i = 0; i < terms_.J.size(); ++i) {
    auto const& term = terms_.J.term(i);
    ConstraintBlock const& block = terms_.blocks[static_cast<std::size_t>(term.block)];
    if (is_unilateral(block.set.kind) && std::binary_search(closed_.begin(), closed_.end(), block.identity))
      spins_[static_cast<std::size_t>(term.mass)] = 0;
  }
}

double NonsmoothStepper::fastest_turn(double h) {
  find_spins(h);
  double most = 0;
  for (std::size_t i = 0; i < spins_.size(); ++i) {
    if (spins_[i] == 0) most = std::max(most, h * dynamics_.system().spin(static_cast<int>(i), v()));
  }
  return most;
}

NonsmoothStepper::Slip NonsmoothStepper::slip_of(std::size_t block) const {
  Terms const& terms = dynamics_.terms();
  ConstraintBlock const& own = terms.blocks[block];
  int const rows = own.rows() - (has_normal(own.set.kind) ? 1 : 0);
  Slip slip;
  // Smooth friction fades before a slip turns.
  if (is_free(own.set.kind) || own.set.kind == ForceSetKind::half_line || own.slip_compliance > 0)
    return slip;
  for (int row = 0; row < rows; ++row)
    slip.start[row] = terms.velocity[static_cast<std::size_t>(own.first_row + row)];
  // J (v_end - v_start) = 2 J (v_mid - v_start); what is prescribed moves evenly.
  slip.end = slip.start;
  std::span<const double> const start =
      terms.start_velocity.empty() ? v() : std::span<const double>(terms.start_velocity);
  for (std::size_t i = terms.J.first_of(static_cast<int>(block));
       i < terms.J.size() && terms.J.term(i).block == static_cast<int>(block); ++i) {
    auto const& term = terms.J.term(i);
    int const first = terms.M[static_cast<std::size_t>(term.mass)].first;
    for (int column = 0; column < term.columns; ++column) {
      auto const at = static_cast<std::size_t>(first + column);
      double const change = 2 * (v_mid_[at] - start[at]);
      for (int row = 0; row < rows; ++row) slip.end[row] += change * terms.J[i](row, column);
    }
  }
  return slip;
}

NonsmoothStepper::StartVelocity NonsmoothStepper::start_velocity(ConstraintBlock const& block) const {
  auto const found = std::lower_bound(
      terms_.blocks.begin(), terms_.blocks.end(), block.identity,
      [](ConstraintBlock const& other, BlockIdentity wanted) { return other.identity < wanted; });
  if (found == terms_.blocks.end() || found->identity != block.identity) return {};
  bool const has_last = has_normal(found->set.kind);
  int const rows = found->rows() - (has_last ? 1 : 0);
  double const arm = scale_.arm(block.identity);
  auto const own = std::span(terms_.velocity).subspan(static_cast<std::size_t>(found->first_row));
  double square = 0;
  for (int row = 0; row < rows; ++row)
    square += own[static_cast<std::size_t>(row)] * own[static_cast<std::size_t>(row)];
  return {std::sqrt(square) * arm, has_last ? own[static_cast<std::size_t>(rows)] * arm : 0};
}

// A body that turns by h omega over what holds it has J v_mid = 0, and ends with a slip of the order of that and of what
// its velocity changes by. The next motion takes it back but for the third order (MotionPairs).
double NonsmoothStepper::left_slip(double h) {
  for (std::size_t i = 0; i < v_mid_.size(); ++i) v_last_[i] = 2 * (v_mid_[i] - v()[i]);
  return scale_.largest_of(terms_, v_last_) * fastest_turn(h);
}

// Friction has another direction after a slip has turned round, or another size where it sticks then. A motion over both
// would have their mean, an error of the first order in h.
bool NonsmoothStepper::end_at_reversal(double& h, Drive const& drive) {
  double const negligible = std::max(
      slowest_slip * std::max(scale_.largest_of(terms_, v()), step_ * largest_demand()), left_slip(h));
  // A motion with other forces has other blocks, in the same order: the block is known by its identity.
  auto const find = [&](BlockIdentity identity) {
    auto const& blocks = dynamics_.terms().blocks;
    auto const found = std::lower_bound(
        blocks.begin(), blocks.end(), identity,
        [](ConstraintBlock const& block, BlockIdentity wanted) { return block.identity < wanted; });
    return found != blocks.end() && found->identity == identity
               ? slip_of(static_cast<std::size_t>(found - blocks.begin()))
               : Slip{};
  };
  double first = 1;
  BlockIdentity identity = 0;
  for (std::size_t k = 0; k < dynamics_.terms().blocks.size(); ++k) {
    ConstraintBlock const& block = dynamics_.terms().blocks[k];
    Slip const slip = slip_of(k);
    if (!slip.turns() || start_velocity(block).slip <= negligible) continue;
    double const turn = slip.turn();
    if (turn > soonest_turn && turn < first) {
      first = turn;
      identity = block.identity;
    }
  }
  if (identity == 0) return false;
  double const whole = h;
  double part = first * whole, latest = whole,
         before = 0;  // the shortest that turns it, the longest that does not
  for (int k = 0; k < most_tries_of_turn && part > soonest_turn * whole; ++k) {
    if (!move(part, drive)) break;
    Slip const slip = find(identity);
    double const size = slip.start.norm();
    if (!(size > 0)) break;
    if (slip.end.norm() <= at_turn * size) {
      h = part;
      return true;
    }
    (slip.turns() ? latest : before) = part;
    double const next = part * slip.turn();
    part = next > 0 && next < latest ? next : (part + latest) / 2;
  }
  // None. Where it jams, friction stops the slip however short the motion is, and v_mid = 0 would turn it round. That is an
  // impact: a motion as short as jams were found, with rows on the velocity at its end. One that does not jam yet comes
  // first. (A slip in space may also turn without stopping.)
  if (latest < whole && move(latest, drive)) {
    Slip const slip = find(identity);
    if ((slip.start + slip.end).norm() <= at_turn * slip.start.norm()) {
      bool const at_once = latest <= longest_jam * whole;
      if (at_once) theta_ = 1;
      if ((at_once || before > soonest_turn * whole) && move(at_once ? latest : before, drive)) {
        impacts_ += at_once ? 1 : 0;
        h = at_once ? latest : before;
        return true;
      }
    }
  }
  theta_ = 0.5;
  move(whole, drive);
  return false;
}

bool NonsmoothStepper::move(double h, Drive const& drive) {
  std::span<double> const q0 = q(), v0 = v();
  System const& system = dynamics_.system();
  Relaxation const over{Relaxation::Source::over_step, h, theta_, std::max(h, step_)};
  bool const crowd = crowd_;
  SolveSettings settings = solve_settings();
  settings.iterations_for_digits = iterations_for_digits;
  settings.iteration_limit = most_iterations;
  if (crowd) accept_in_crowd(settings);
  // Estimates of a crowd end at a share of 1e-5 or go round in a circle, and do so more often where its spins count less.
  auto const largest_of = [&](std::span<const double> of) {
    return crowd ? largest(of) : scale_.largest_of(terms_, of);
  };
  forces_ = trial_.lambda;
  find_spins(h);
  std::copy(v0.begin(), v0.end(), v_mid_.begin());
  // The velocity over the step moves what has one, the middle of the step what follows from it.
  auto const find_end = [&] {
    for (std::size_t i = 0; i < q_end_.size(); ++i) q_mean_[i] = q0[i];
    Instant at = instant(trial_.t + h / 2, trial_.x, drive.input, drive.parameter);
    at.q = q_mean_;
    at.v = v_mid_;
    at.step = h;
    at.q_end = q_end_;  // of a step
    at.spins = spins_;
    system.configuration_rate(at, qdot_);
    std::copy(q0.begin(), q0.end(), q_end_.begin());
    system.advance_over_step(at, q_end_, qdot_);
  };
  find_end();
  double last_change = std::numeric_limits<double>::infinity(), last_ratio = first_ratio;
  int in_circle = 0, unsolved = 0;
  scale_.find_arms(terms_, v_last_);
  acceleration_.begin(v_last_);
  for (int estimate = 0; estimate < most_estimates; ++estimate) {
    Instant at = instant(trial_.t + h / 2, trial_.x, drive.input, drive.parameter);
    at.step = h;
    at.q_end = q_end_;
    at.theta = theta_;
    at.spins = spins_;
    at.forces = forces_;
    at.impacts = ImpactScope::all;
    at.closed = closed_;
    dynamics_.evaluate(at, over, settings, forces_);
    std::swap(v_last_, v_mid_);
    std::span<const double> const vdot = dynamics_.vdot();
    std::span<const double> const start = dynamics_.terms().start_velocity.empty()
                                              ? std::span<const double>(v0)
                                              : std::span<const double>(dynamics_.terms().start_velocity);
    bool finite = true;
    find_shares(dynamics_.terms());
    for (std::size_t i = 0; i < v_mid_.size(); ++i) {
      v_mid_[i] = start[i] + share_[i] * h * vdot[i];
      v_end_[i] = v_mid_[i] - v_last_[i];
      finite &= std::isfinite(v_mid_[i]);
    }
    if (!finite) return false;
    double const change = largest_of(v_end_);
    dynamics_.copy_forces(forces_);
    Solution const& solution = dynamics_.solution();
    work_ += work_of(dynamics_);
    if (work_ > run_limits.most_work) fail_to_move(drive);
    unsolved += solution.residual > run_limits.unsolved_residual ? 1 : 0;
    if (unsolved > most_unsolved && !crowd) return false;
    find_end();
    double const speed = std::max(largest_of(v_mid_), largest_of(v0));
    // What the next estimate would change: differences fall by about the same factor each, until rounding.
    double const ratio = estimate == 0 ? 1 : change / last_change;
    double const next = change * std::min(1.0, std::max(ratio, last_ratio));
    // A difference that falls from a wild estimate says nothing, so that it must be small itself.
    if (change <= near_share * speed && next <= (crowd ? crowd_share : equal_share) * speed) return true;
    // At rest, rounding is small beside what forces would do to velocities in the step.
    double const scale = std::max(speed, h * largest_demand());
    double const rounding = (crowd ? crowd_share : estimate > 4 ? at_rounding : equal_share) * scale;
    if (change > last_change / 2 &&
        (change <= rounding ||
         (estimate > 4 && change <= h * rounding_of_forces(dynamics_.terms(), forces_))))
      return true;
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

}  // namespace delassus
