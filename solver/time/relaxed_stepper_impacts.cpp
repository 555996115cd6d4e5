// The contacts with an impact law: when they close, what the impact does, and which are closed after it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/time/relaxed_stepper.hpp"

namespace delassus {
namespace {

// m/s. Without a force that would bring it back, a contact that leaves more slowly stays closed.
constexpr double slowest_bounce = 1e-9;
// m. A contact that is nearer touches. Not a share of the size of what moves, as steppers of fixed step have it: positions are
// integrated to an absolute tolerance, and within a smaller gap a box that comes to rest has bounces without end.
constexpr double touching_gap = 1e-9;
// The same where a host integrates, whose errors are larger: speeds of bounces that are lower are lost in them.
constexpr double touching_gap_of_host = 1e-7;
// Times in an interval at which open contacts are looked at.
constexpr int looks = 4;

// Whether an open contact comes further apart than what counts as touching. One that does not rests: this ends an
// infinite number of bounces (a ball that lands with less than .14 mm/s has not left), and contacts that would come back
// before they have come apart. Without weight everything leaves.
bool leaves(double gap, double velocity, double acceleration, double touching) {
  return acceleration >= 0 || gap - velocity * velocity / (2 * acceleration) > touching;
}

// The contacts of one pair of shapes differ in their last digits.
BlockIdentity pair_of(BlockIdentity identity) {
  constexpr BlockIdentity features = 0xff;
  return identity & ~features;
}

// Nothing: the pair is out of reach.
OpenContact const* nearest_of(std::span<const OpenContact> open, BlockIdentity pair) {
  OpenContact const* nearest = nullptr;
  for (OpenContact const& contact : open) {
    if (pair_of(contact.identity) == pair && (!nearest || contact.gap < nearest->gap)) nearest = &contact;
  }
  return nearest;
}

// Of the gap of a block, m/s2.
double gap_acceleration(Terms const& terms, std::span<const double> vdot, std::size_t k) {
  int const last = terms.blocks[k].rows() - 1;
  double sum = terms.Jdot_v[static_cast<std::size_t>(terms.blocks[k].first_row + last)];
  for (std::size_t i = 0; i < terms.J.size(); ++i) {
    auto const& term = terms.J.term(i);
    if (term.block != static_cast<int>(k)) continue;
    auto const first = static_cast<std::size_t>(terms.M[static_cast<std::size_t>(term.mass)].first);
    for (int column = 0; column < term.columns; ++column)
      sum += terms.J[i](last, column) * vdot[first + static_cast<std::size_t>(column)];
  }
  return sum;
}

}  // namespace

double RelaxedStepper::touching() const {
  return settings_.integrated_by_host ? touching_gap_of_host : touching_gap;
}

bool RelaxedStepper::closes(double t, Vector const& x, Drive const& drive,
                            std::span<const BlockIdentity> closed, double ahead) {
  closed_now_ = closed;
  Instant at = instant(t, x, drive.input, drive.parameter);
  at.step = ahead;
  dynamics_.system().evaluate(at, terms_);
  return std::any_of(terms_.open.begin(), terms_.open.end(), is_closing);
}

// Whether a pair overlaps by more than at the start of the interval. What has turned and moved on since it met may already
// leave at every point of the contact, which it did not when they met.
bool RelaxedStepper::overlaps_anew() const {
  return std::any_of(terms_.open.begin(), terms_.open.end(), [&](OpenContact const& contact) {
    if (contact.gap >= -touching_gap) return false;
    OpenContact const* const start = nearest_of(open_at_start_, pair_of(contact.identity));
    return contact.gap < std::min(start ? start->gap : 0.0, 0.0) - touching_gap;
  });
}

// Of the interval, `tau` seconds after its start, by dense output.
bool RelaxedStepper::closes_after(double tau, Drive const& drive) {
  StepperState::Interval const& interval = state_.interval;
  if (tau < interval.size) {
    interpolate(interval.t + tau, x_between_);
  } else {
    x_between_ = interval.x_end;
  }
  return closes(interval.t + tau, x_between_, drive, interval.closed, interval.size / looks) ||
         overlaps_anew();
}

// A time between two looks at which a contact has closed that both find open: it has come nearer and left again. Where it
// is nearest, its gap no longer falls.
std::optional<double> RelaxedStepper::close_between(double before, double after, Drive const& drive) {
  for (OpenContact const& contact : open_before_) {
    BlockIdentity const pair = pair_of(contact.identity);
    if (contact.gap <= 0 || contact.velocity >= 0 || nearest_of(open_before_, pair) != &contact) continue;
    OpenContact const* const later = nearest_of(open_after_, pair);
    if (later && later->velocity <= 0) continue;
    for (double from = before, to = after; to - from > nearest_changes;) {
      double const middle = from + (to - from) / 2;
      if (closes_after(middle, drive)) return middle;
      OpenContact const* const now = nearest_of(terms_.open, pair);
      if (!now || now->gap > std::abs(now->velocity) * (to - from)) break;
      (now->velocity < 0 ? from : to) = middle;
    }
  }
  return {};
}

// The first time at which an open contact touches and closes, to rounding; then the step is made to end there.
double RelaxedStepper::end_at_impact(double size, Drive const& drive) {
  StepperState::Interval& interval = state_.interval;
  if (!has_laws_) return size;
  interval.size = size;
  closes(interval.t, interval.x, drive, interval.closed, size / looks);
  open_at_start_ = open_before_ = terms_.open;
  double low = 0, high = size;
  bool found = false;
  for (int look = 1; look <= looks; ++look) {
    double const tau = size * look / looks;
    found = closes_after(tau, drive);
    high = tau;
    if (found) break;
    open_after_ = terms_.open;
    if (auto const between = close_between(low, tau, drive)) {
      found = true;
      high = *between;
      break;
    }
    low = tau;
    std::swap(open_before_, open_after_);
  }
  if (!found) return size;
  for (int i = 0; i < 100 && high - low > 1e-16 * (1 + interval.t); ++i) {
    double const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (closes_after(middle, drive) ? high : low) = middle;
  }
  high = std::max(high, std::min(nearest_changes, size));
  if (high != size) {
    make_step(high, drive);
    functions_.evaluate(dynamics_, values_);
    interval.events.clear();
    interval.sides_end = state_.sides;
    ModeFunctions::update_sides(values_, ModeFunctions::band(dynamics_), interval.sides_end);
    functions_.append_events(interval.t + high, state_.sides, interval.sides_end, interval.events);
  }
  interval.impact = true;
  interval.x_after = interval.x_end;
  interval.closed_after = interval.closed;
  return high;
}

void RelaxedStepper::collide_at(double t, Vector& x, Drive const& drive, std::vector<BlockIdentity>& closed,
                                StepReport& report) {
  Instant at = instant(t, x, drive.input, drive.parameter);
  at.impacts = ImpactScope::none;  // all contacts are blocks
  dynamics_.system().evaluate(at, terms_);
  parts_.assign(terms_.blocks.size(), {});
  std::vector<BlockIdentity> touched;
  touched_part_.clear();
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    ConstraintBlock const& block = terms_.blocks[k];
    if (!is_unilateral(block.set.kind)) {
      parts_[k].takes_part = is_free(block.set.kind) || has_normal(block.set.kind);
      continue;
    }
    // A relaxed contact gives way: its force is finite.
    if (block.restitution < 0) continue;
    double const gap = terms_.Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)];
    bool const was_closed = std::binary_search(closed.begin(), closed.end(), block.identity);
    if (gap > touching() && !was_closed) continue;
    parts_[k] = {true, block.restitution, 0, 0, block.restitution_law};
    touched.push_back(block.identity);
    touched_part_.push_back(k);
  }
  std::span<double> const v = std::span(x).last(dynamics_.vdot().size());
  before_.assign(v.begin(), v.end());
  for (bool again = true; again;) {
    ImpactReport const done = impact_.apply(terms_, parts_, settings_.impacts, solve_settings(), v);
    report.worst = std::max(report.worst, done.status);
    report.worst_residual = std::max(report.worst_residual, done.residual);
    report.least_share_of_restitution =
        std::min(report.least_share_of_restitution, done.share_of_restitution);
    again = find_closed_after_impact(t, x, drive, touched, closed);
    if (!again) break;
    std::copy(before_.begin(), before_.end(), v.begin());
    dynamics_.system().evaluate(at, terms_);
  }
}

// Those that touched and rest after the impact, whose velocities are in x. True: some would bounce, but come back before
// they have come apart; their bounce is taken from parts_, for the impact to be made again.
bool RelaxedStepper::find_closed_after_impact(double t, Vector const& x, Drive const& drive,
                                              std::span<const BlockIdentity> touched,
                                              std::vector<BlockIdentity>& closed) {
  Instant at = instant(t, x, drive.input, drive.parameter);
  at.impacts = ImpactScope::none;
  dynamics_.system().evaluate(at, terms_);
  auto const velocity = [&](std::size_t k) {
    ConstraintBlock const& block = terms_.blocks[k];
    return terms_.velocity[static_cast<std::size_t>(block.first_row + block.rows() - 1)];
  };
  closed.clear();
  std::vector<std::size_t> opened;
  for (std::size_t k = 0; k < terms_.blocks.size(); ++k) {
    BlockIdentity const identity = terms_.blocks[k].identity;
    if (!std::binary_search(touched.begin(), touched.end(), identity)) continue;
    if (velocity(k) <= slowest_bounce) {
      closed.push_back(identity);
    } else {
      opened.push_back(k);
    }
  }
  if (opened.empty()) return false;
  closed_now_ = closed;
  evaluate(t, x, drive.input, drive.parameter, state_.lambda);
  bool again = false;
  for (std::size_t const k : opened) {
    ConstraintBlock const& block = terms_.blocks[k];
    double const gap = terms_.Psi[static_cast<std::size_t>(block.first_row + block.rows() - 1)];
    if (leaves(gap, velocity(k), gap_acceleration(terms_, dynamics_.vdot(), k), touching())) continue;
    closed.insert(std::upper_bound(closed.begin(), closed.end(), block.identity), block.identity);
    // Blocks may differ from those before the impact, because those in reach depend on velocities.
    auto const place = std::lower_bound(touched.begin(), touched.end(), block.identity) - touched.begin();
    ImpactLaw::Part& part = parts_[touched_part_[static_cast<std::size_t>(place)]];
    again |= part.restitution > 0;
    part.restitution = 0;
  }
  return again;
}

// After the evaluation at the end of an interval: a closed contact without force that separates is open.
void RelaxedStepper::open_those_that_leave() {
  Terms const& terms = dynamics_.terms();
  std::erase_if(state_.closed, [&](BlockIdentity identity) {
    for (std::size_t k = 0; k < terms.blocks.size(); ++k) {
      ConstraintBlock const& block = terms.blocks[k];
      if (block.identity != identity) continue;
      int const last = block.first_row + block.rows() - 1;
      auto const row = static_cast<std::size_t>(last);
      return dynamics_.solution().lambda[last] <= 0 && terms.velocity[row] > 0 &&
             leaves(terms.Psi[row], terms.velocity[row], gap_acceleration(terms, dynamics_.vdot(), k),
                    touching());
    }
    return true;  // out of reach
  });
}

std::vector<ModeEvent> RelaxedStepper::accept() {
  std::vector<ModeEvent> events = Stepper::accept();
  open_those_that_leave();
  return events;
}

void RelaxedStepper::find_closed(InputSignal const& input, std::span<const double> parameter) {
  if (state_.closed_known) return;
  state_.closed_known = true;
  state_.closed.clear();
  if (!has_laws_) return;
  closed_now_ = {};
  dynamics_.system().evaluate(instant(state_.t, state_.x, input, parameter), terms_);
  for (OpenContact const& contact : terms_.open) {
    if (contact.gap <= touching() && std::abs(contact.velocity) <= slowest_bounce)
      state_.closed.push_back(contact.identity);
  }
}

bool RelaxedStepper::collide(InputSignal const& input, std::span<const double> parameter) {
  Drive const drive{input, parameter};
  find_closed(input, parameter);
  if (!has_laws_ || !closes(state_.t, state_.x, drive, state_.closed)) return false;
  StepReport report;
  invalidate();
  collide_at(state_.t, state_.x, drive, state_.closed, report);
  return true;
}

}  // namespace delassus
