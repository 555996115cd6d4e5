// The steps of a crowd, and what counts as one.
#include <algorithm>
#include <array>
#include <cmath>

#include "solver/time/nonsmooth_stepper.hpp"

namespace delassus {
namespace {

// Contacts near enough to matter in a step, beyond which they are a crowd; unless they are of so few bodies, as those of
// a plank on many pedestals: however many points a body has, it has six velocities to lose in impacts.
constexpr std::ptrdiff_t crowd_size = 64;
constexpr std::size_t few_bodies = 4;
// Rounds of bounces at the beginning of a step.
constexpr int most_rounds_in_crowd = 16;
// Motions of a step that are made again, because they meet something that has not bounced.
constexpr int most_motions_again = 4;
// Of the largest velocity: what is slower after the first round has a millionth of its energy, and may stop. So may what
// has this share of the energy that the first round takes, see worth_a_round.
constexpr double slow_share = 1e-3;
constexpr double unnoticed_energy = 1e-2;
// Sweeps that go on from an acceptable residual.
constexpr int crowd_digits = 100;
// Two digits beyond the acceptable residual end the work: with one, a wall at rest creeps by 1e-7 m in half a second. The
// force of least norm is not sought: of many forces for one motion, the one that follows from the last step is as good,
// and the next step begins nearer to its own.
constexpr double crowd_tolerance = 1e-2 * nonsmooth::crowd_share;

// m/s: the slowest approach that is worth another round, where the first round had one of `fastest`. To stop a contact
// instead takes e^2 of its energy, 1/2 m u^2, and the first round has taken 1 - e^2 of that of the fastest.
double worth_a_round(double e, double fastest, double largest_velocity) {
  return std::max(slow_share * largest_velocity,
                  std::sqrt(unnoticed_energy * std::max(0.0, 1 - e * e)) / e * fastest);
}

// A contact that bounces at a gap, before it touches, keeps the height that it would have lost. With the acceleration
// `pull` that closes it, it would touch with u^2 + 2 pull gap and leave with e^2 of it; at the gap it then has u_plus^2 =
// e^2 (u^2 + 2 pull gap) - 2 pull gap left. The restitution that makes this of u:
double restitution_at_gap(double e, double u, double gap, double pull) {
  double const lost = 2 * pull * gap;
  if (!(lost > 0) || e == 0) return e;
  return std::sqrt(std::max(0.0, e * e - (1 - e * e) * lost / (u * u)));
}

}  // namespace

namespace nonsmooth {

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

}  // namespace nonsmooth

using namespace nonsmooth;

SolveSettings NonsmoothStepper::observed_settings(Terms const& terms) const {
  SolveSettings settings = solve_settings();
  if (!is_crowd(terms)) return settings;
  accept_in_crowd(settings);
  // Small islands show the force that does not depend on the past: four corners of a box the same.
  settings.least_norm = true;
  return settings;
}

// The step of a crowd. Everything that is near takes part in one contact problem on the velocity at the end of the
// step: an impact without bounce, and what follows, are one. Contacts that bounce do so at its beginning.
void NonsmoothStepper::step_of_crowd(double h, Drive const& drive, StepReport& report) {
  double left = h;
  int halvings = 0, timed = 0;
  theta_ = 1;
  crowd_ = true;
  for (bool first = true; left > 0; first = false) {
    if (!first) look(drive);
    bool const bounces = dynamics_.system().has_impact_laws();
    met_early_.clear();
    rounds_ = 0;
    // Equal parts: a share of what is left would take forty of them.
    double part = std::min(left, h / static_cast<double>(1L << halvings));
    for (int again = 0; again == 0 || (bounces && again <= most_motions_again && meets_unbounced());
         ++again) {
      if (bounces) bounce_in_crowd(left, drive, report);
      close_crowd();
      while (!move(part, drive)) {
        ++report.rejected_steps;
        if (++halvings > most_halvings) fail_to_move(drive);
        part /= 2;
      }
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

// Contacts that may act in the motion. What has bounced is on its way off.
void NonsmoothStepper::close_crowd() {
  closed_.clear();
  for (ConstraintBlock const& block : terms_.blocks) {
    if (!is_unilateral(block.set.kind)) continue;
    auto const last = static_cast<std::size_t>(block.first_row + block.rows() - 1);
    if (!(block.restitution > 0 && terms_.velocity[last] > 0)) closed_.push_back(block.identity);
  }
}

// Bodies that turn meet what their velocities at the start do not reach, and gravity pulls: the motion would stop there
// what should bounce.
bool NonsmoothStepper::meets_unbounced() {
  met_early_.clear();
  Terms const& terms = dynamics_.terms();
  double const most = scale_.largest_of(terms, v());
  for (ConstraintBlock const& block : terms.blocks) {
    if (!is_unilateral(block.set.kind) || !(block.restitution > 0)) continue;
    auto const last = block.first_row + block.rows() - 1;
    auto const i = static_cast<std::size_t>(last);
    if (terms.Psi[i] > touching_share * scale_.of(block.identity) && dynamics_.solution().lambda[last] > 0 &&
        -terms.velocity[i] * scale_.arm(block.identity) > worth_a_round(block.restitution, fastest_, most))
      met_early_.push_back(block.identity);
  }
  return !met_early_.empty();
}

// M^-1 Phi, with which bodies that nothing holds move on.
void NonsmoothStepper::find_free_acceleration() {
  mass_factor_.factorise(terms_.M);
  for (std::size_t i = 0; i < free_acceleration_.size(); ++i)
    free_acceleration_[i] = -terms_.Phi[static_cast<Eigen::Index>(i)];
  for (std::size_t k = 0; k < terms_.M.size(); ++k) {
    mass_factor_.forward(k, free_acceleration_.data() + terms_.M[k].first);
    mass_factor_.backward(k, free_acceleration_.data() + terms_.M[k].first);
  }
}

// m/s2: how fast it closes the last row of the block that this term of J is the first of.
double NonsmoothStepper::pull_of(std::size_t term) const {
  double pull = 0;
  int const block = terms_.J.term(term).block;
  for (; term < terms_.J.size() && terms_.J.term(term).block == block; ++term) {
    auto const& own = terms_.J.term(term);
    int const first = terms_.M[static_cast<std::size_t>(own.mass)].first;
    for (int column = 0; column < own.columns; ++column)
      pull -=
          terms_.J[term](own.rows - 1, column) * free_acceleration_[static_cast<std::size_t>(first + column)];
  }
  return pull;
}

// What is met within `ahead` seconds bounces at their beginning, in rounds: a body that leaves one contact may be thrown
// against another, which it meets later, so that this one bounces too, in the next round. In one round, contacts that
// touch hold, and those that are not reached or separate have no part. What is still met after the last round stops
// without a bounce, in the step itself; so does what is slow after the first one.
void NonsmoothStepper::bounce_in_crowd(double ahead, Drive const& drive, StepReport& report) {
  for (; rounds_ < most_rounds_in_crowd; ++rounds_) {
    parts_.assign(terms_.blocks.size(), {});
    struck_.assign(terms_.M.size(), 0);
    double const most = scale_.largest_of(terms_, v());
    double const negligible_length = crowd_share * std::max(most, ahead * largest_demand());
    find_free_acceleration();
    if (rounds_ == 0) fastest_ = 0;
    double fastest = 0;
    bool needed = false, closes = false, expands = false;
    std::size_t term = 0;
    for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
      ConstraintBlock const& block = terms_.blocks[k];
      while (term < terms_.J.size() && terms_.J.term(term).block < static_cast<int>(k)) ++term;
      if (!is_unilateral(block.set.kind)) {
        parts_[k].takes_part = is_free(block.set.kind) || has_normal(block.set.kind);
        continue;
      }
      auto const last = static_cast<std::size_t>(block.first_row + block.rows() - 1);
      double const arm = scale_.arm(block.identity), negligible = negligible_length / arm;
      double const velocity = terms_.velocity[last], gap = std::max(terms_.Psi[last], 0.0);
      bool const touches = gap <= touching_share * scale_.of(block.identity) && velocity <= negligible;
      parts_[k].rest = -gap / ahead;
      bool const early = std::binary_search(met_early_.begin(), met_early_.end(), block.identity);
      bool const reached = (early ? 0 : parts_[k].rest) - velocity > negligible;
      parts_[k].takes_part = touches || reached;
      // One that is not reached in this motion does not bounce, unless others press it together (Poisson).
      bool const pressed = block.restitution_law == RestitutionLaw::poisson && touches;
      closes |= reached;
      if (!reached && !pressed) continue;
      parts_[k].restitution = std::max(block.restitution, 0.0);
      if (reached)
        parts_[k].restitution = restitution_at_gap(parts_[k].restitution, velocity, gap, pull_of(term));
      parts_[k].law = block.restitution_law;
      expands |= parts_[k].expands();
      fastest = std::max(fastest, -velocity * arm);
      needed |= reached && block.restitution > 0 &&
                (rounds_ == 0 || -velocity * arm > worth_a_round(block.restitution, fastest_, most));
      for (std::size_t i = term;
           reached && i < terms_.J.size() && terms_.J.term(i).block == static_cast<int>(k); ++i)
        struck_[static_cast<std::size_t>(terms_.J.term(i).mass)] = 1;
    }
    if (rounds_ == 0) fastest_ = fastest;
    if (!needed && !(closes && expands)) return;
    leave_out_unmoved();
    SolveSettings settings = solve_settings();
    accept_in_crowd(settings);
    note_impact(impact_.apply(terms_, parts_, settings_.impacts, settings, v()), report);
    look(drive);
  }
}

// What nothing acts on in this round, directly or through others, is at rest, and its rounding is no impact.
void NonsmoothStepper::leave_out_unmoved() {
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < terms_.J.size();) {
      int const block = terms_.J.term(i).block;
      std::size_t const first = i;
      bool moved = false, all = true;
      for (; i < terms_.J.size() && terms_.J.term(i).block == block; ++i) {
        bool const own = struck_[static_cast<std::size_t>(terms_.J.term(i).mass)] != 0;
        moved |= own;
        all &= own;
      }
      ImpactLaw::Part& part = parts_[static_cast<std::size_t>(block)];
      if (!part.takes_part || !moved || all) continue;
      grows = true;
      for (std::size_t j = first; j < i; ++j) struck_[static_cast<std::size_t>(terms_.J.term(j).mass)] = 1;
    }
  }
  for (std::size_t i = 0; i < terms_.J.size(); ++i) {
    auto const& term = terms_.J.term(i);
    if (struck_[static_cast<std::size_t>(term.mass)] == 0)
      parts_[static_cast<std::size_t>(term.block)].takes_part = false;
  }
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

}  // namespace delassus
