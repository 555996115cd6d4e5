// The methods of IslandSolver: sweeps, Newton, damped Newton, interior point, proximal point, the search, and the force
// of least norm.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "model/numbers/elementary.hpp"
#include "solver/block/classification.hpp"
#include "solver/island/solver.hpp"

namespace delassus {

// An attempt lasts at least as long as some Newton steps.
int IslandSolver::sweeps_of(Stage const& stage) const {
  int const least = situation_.large ? stage.steps_large : stage.steps;
  double const worth = situation_.newton_cost * stage.parameter;
  return std::max(least, static_cast<int>(std::min(worth, cascade.sweeps.most)));
}

// An extrapolated force solves no block, so the residual is that of the swept one.
bool IslandSolver::sweep(int count, bool accelerated) {
  accelerated = accelerated && !left_out_.contains(StageName::anderson_acceleration);
  acceleration_.begin();
  if (!sweeps_begun_) gauss_seidel_.begin(*island_, *settings_);
  sweeps_begun_ = true;
  for (int i = 1; i <= count && !exhausted(); ++i) {
    if (accelerated) before_sweep_ = lambda_;
    gauss_seidel_.sweep(*island_, *settings_, previous_, lambda_);
    ++iterations_;
    if (i == 1 || i % cascade.sweeps.between_residuals == 0 || i == count) {
      island_->eta(lambda_, eta_);
      if (keep(SolvePart::gauss_seidel)) return true;
      if (!zero_force_known_) keep_zero_force();
    }
    if (accelerated && i < count) acceleration_.accelerate(before_sweep_, lambda_);
  }
  return false;
}

// Full steps, each with the present force as the centre of the compliance.
bool IslandSolver::newton(int limit, int patience) {
  NewtonSettings const& settings = cascade.newton;
  set_compliance(settings.compliance);
  int without_progress = 0, stagnation = 0;
  double last = residual_, lowest = residual_;
  largest_ = settings.lost * std::max(norm_of(lambda_), island_->usual_force());
  for (int i = 0; i < limit && !exhausted(); ++i) {
    centre_ = lambda_;
    if (!equations().step(*island_, D_, centre_, lambda_, eta_)) return false;
    ++iterations_;
    if (keep(SolvePart::newton)) return true;
    bool const still = i > 0 && !newton_.modes_changed() && !(residual_ < settings.gain * last);
    if (still && best_residual_ <= settings.last_bits) return true;
    // Redundant rows whose b disagree by rounding.
    stagnation = still ? stagnation + 1 : 0;
    if (stagnation > settings.stagnation && best_residual_ <= consistent_fraction) return true;
    without_progress = residual_ < lowest ? 0 : without_progress + 1;
    lowest = std::min(lowest, residual_);
    last = residual_;
    if (without_progress > patience) break;
  }
  return false;
}

// Nonmonotone line search: the merit function, the squared distance of lambda from its projected image, has to fall
// below the worst of the last few steps.
bool IslandSolver::damped_newton(int limit, double compliance) {
  DampedNewtonSettings const& settings = cascade.damped_newton;
  set_compliance(compliance);
  std::array<double, DampedNewtonSettings::memory> past{};
  int short_steps = 0;
  for (int i = 0; i < limit && short_steps < settings.short_steps && !exhausted(); ++i) {
    centre_ = lambda_;
    eta_before_step_ = eta_;
    past[static_cast<std::size_t>(i) % past.size()] =
        equations().merit(*island_, lambda_, eta_, lambda_, eta_, 0);
    if (!equations().step(*island_, D_, centre_, lambda_, eta_)) return false;
    ++iterations_;
    double const length = shorten_step(*std::max_element(past.begin(), past.end()));
    if (keep(SolvePart::newton)) return true;
    short_steps = length > settings.shortest ? 0 : short_steps + 1;
  }
  return false;
}

// Halves the step from centre_ to lambda_ until the merit function is small enough beside the reference, and else takes
// the length where it was least. Returns the length at which it stopped.
double IslandSolver::shorten_step(double reference) {
  double t = 1, best_t = 1, lowest = std::numeric_limits<double>::infinity();
  for (; t > cascade.damped_newton.shortest; t /= 2) {
    double const merit = newton_.merit(*island_, centre_, eta_before_step_, lambda_, eta_, t);
    if (merit < lowest) {
      lowest = merit;
      best_t = t;
    }
    if (merit <= (1 - cascade.damped_newton.decrease * t) * reference) break;
  }
  for (std::size_t k = 0; k < island_->size(); ++k) {
    lambda_[k] = centre_[k] + best_t * (lambda_[k] - centre_[k]);
    eta_[k] = eta_before_step_[k] + best_t * (eta_[k] - eta_before_step_[k]);
  }
  return t;
}

bool IslandSolver::interior_point(int limit, double inside, int patience) {
  if (!InteriorPoint::applies(*island_)) return false;
  InteriorPointSettings const& settings = cascade.interior_point;
  bool const crosses = !left_out_.contains(StageName::crossing_to_newton);
  interior_point_.begin(*island_, lambda_, inside);
  double near_enough = settings.first_crossing, lowest = std::numeric_limits<double>::infinity();
  int without_progress = 0;
  for (int i = 0; i < limit && without_progress < patience && !exhausted(); ++i) {
    if (!interior_point_.step(*island_)) return false;
    ++iterations_;
    start_from(interior_point_.lambda());
    if (keep(SolvePart::interior_point)) return true;
    without_progress = residual_ < settings.gain * lowest ? 0 : without_progress + 1;
    if (without_progress == 0) lowest = residual_;
    if (residual_ <= near_enough && crosses) {
      near_enough = settings.next_crossing * residual_;
      if (newton(settings.crossing_steps, settings.crossing_patience)) return true;
    }
  }
  return false;
}

// The problem (A + D, b + D centre) from lambda to this residual; true where it is solved.
bool IslandSolver::solve_regularised(int limit, double tolerance, Newton::Care care) {
  double lowest = std::numeric_limits<double>::infinity();
  int without_progress = 0;
  regularised_eta_.resize(island_->size());
  // Digits of the force may be worth no more work; which one of many it is, is not a matter of digits.
  auto const enough = [&] { return for_least_norm_ ? iterations_ >= limit_ : exhausted(); };
  for (int i = 0; i < limit && !enough(); ++i) {
    if (!equations().step(*island_, D_, centre_, lambda_, eta_, care)) return false;
    ++iterations_;
    for (std::size_t k = 0; k < island_->size(); ++k)
      regularised_eta_[k] = eta_[k] + D_[k] * (lambda_[k] - centre_[k]);
    double const residual = island_->residual(lambda_, regularised_eta_, D_, centre_);
    if (residual <= tolerance) return true;
    without_progress = residual < lowest ? 0 : without_progress + 1;
    lowest = std::min(lowest, residual);
    if (without_progress > cascade.proximal.inner_patience) return false;
  }
  return false;
}

// Inner problems need not be solved better than the outer one is by some digits.
bool IslandSolver::proximal(int limit) {
  ProximalSettings const& settings = cascade.proximal;
  double last = island_->residual(lambda_, eta_);
  double factor = std::clamp(last, settings.first_least, settings.first_most);
  for (int const end = iterations_ + limit; iterations_ < end && !exhausted();) {
    set_compliance(factor);
    centre_ = lambda_;
    int const before = iterations_;
    double const tolerance = std::max(settings.inner_tolerance, settings.inner_share * best_residual_);
    if (!solve_regularised(settings.inner_steps, tolerance)) {
      start_from(centre_);
      if (factor >= settings.most || iterations_ == before) return false;
      factor = std::min(settings.unsolved * factor, settings.most);
      continue;
    }
    if (keep(SolvePart::proximal)) return true;
    factor = next_proximal_factor(factor, iterations_ - before, residual_ > settings.gain * last);
    last = residual_;
  }
  return false;
}

// After a problem that took so many Newton steps, `idle` where it left most of the residual.
double IslandSolver::next_proximal_factor(double factor, int steps, bool idle) const {
  ProximalSettings const& settings = cascade.proximal;
  if (steps <= settings.at_once) {
    factor *= settings.after_at_once;
  } else if (steps <= settings.soon && idle) {
    factor *= settings.after_soon;
  } else if (steps <= settings.moderate) {
    factor *= settings.after_moderate;
  } else if (steps > settings.late) {
    factor *= settings.after_late;
  }
  return std::clamp(factor, settings.least, settings.most);
}

// One centre after the other: first near zero, where forces are least, then from larger ones. The centres are random, so
// that no two contacts change their modes at the same point of a path.
bool IslandSolver::search() {
  SearchSettings const& settings = cascade.search;
  std::minstd_rand engine(1);
  // Not a standard distribution, which may differ from one library to the next.
  auto const uniform = [&] { return 2 * static_cast<double>(engine() - 1) / 2147483645.0 - 1; };
  double squares = 0;
  for (std::size_t k = 0; k < island_->size(); ++k)
    squares += island_->b()[k].squaredNorm() / island_->compliance(k);
  double const mean = std::sqrt(squares / island_->rows());
  random_centre_.resize(island_->size());
  bounds_.resize(island_->size());
  for (bool first = true; !exhausted(); first = false) {
    double const share =
        first ? settings.first_centre
              : elementary::pow(10.0, settings.centre_decades * uniform() + settings.centre_offset);
    double const size = mean * share;
    for (std::size_t k = 0; k < island_->size(); ++k) {
      ForceSet const& set = island_->set(k);
      int const rows = rows_of(set.kind);
      double const own = size / std::sqrt(island_->compliance(k));
      Eigen::Vector3d& centre = random_centre_[k];
      for (int row = 0; row < 3; ++row) centre[row] = row < rows ? own * std::sqrt(3.0) * uniform() : 0;
      bounds_[k] = first ? 0 : set.limit * std::abs(centre[rows - 1]);
    }
    situation_.has_path = false;
    int const before = iterations_;
    if (walk(stages_of_search())) return true;
    // No method can begin: numbers are not finite. Another centre does not change that.
    if (iterations_ == before) return false;
  }
  return false;
}

// Along the path that path_ is at the beginning of. Newton's method finds a solution that the path comes near to long
// before the compliance d vanishes.
bool IslandSolver::follow_path(int limit) {
  SearchSettings const& settings = cascade.search;
  int counted = 0;
  double tried = settings.first_attempt / settings.attempt_share;
  for (int since = 0; path_.factorisations() < limit; ++since) {
    bool const on = path_.advance();
    iterations_ = std::min(iterations_ + path_.factorisations() - counted, limit_);
    counted = path_.factorisations();
    if (exhausted()) return false;
    double const change = path_.d() / tried;
    bool const elsewhere = change < settings.attempt_share || change > 1 / settings.attempt_share ||
                           since > settings.attempt_steps;
    if (path_.d() < settings.first_attempt && (elsewhere || !on)) {
      tried = path_.d();
      since = 0;
      start_from(path_.lambda());
      if (keep(SolvePart::path) || newton(cascade.newton.steps, cascade.newton.patience)) return true;
    }
    if (!on) return false;
  }
  return false;
}

// From bounds_, and from the forces that they lead to by Newton's method.
bool IslandSolver::try_friction_bounds(int rounds) {
  if (!friction_bounds_.begin(*island_)) return false;
  int counted = 0;
  for (int round = 0; round < rounds; ++round) {
    bool const on = friction_bounds_.round(bounds_, bounded_);
    iterations_ = std::min(iterations_ + friction_bounds_.iterations() - counted, limit_);
    counted = friction_bounds_.iterations();
    if (exhausted() || !on) return false;
    // Some motion has eta_n >= 0 everywhere, so that there may well be a solution: all work is allowed.
    limit_ = settings_->iteration_limit;
    start_from(bounded_);
    if (keep(SolvePart::bounds) || newton(cascade.newton.steps, cascade.newton.patience)) return true;
  }
  return false;
}

// The force of least norm among those of a redundant island (Oprea's T_s), which does not depend on the past.
//
// With D the same number for all rows and the centre zero, the solution of the regularised problem (A + D, b) tends to
// the force of least norm as D tends to zero, and tells its modes: this is the soft solution. In these modes the force
// is the least-norm solution of linear equations. A small island takes it from a dense decomposition. A large one
// solves about the last solution again and again: each time divides the effect of D by some 1e6 and leaves alone what A
// does not decide.
void IslandSolver::begin_soft_problem(double factor) {
  std::fill(D_.begin(), D_.end(), factor * island_->mean_compliance());
  centre_.assign(island_->size(), Eigen::Vector3d::Zero());
}

// Takes the present force in place of the best one, whose residual may be smaller.
bool IslandSolver::accept_least_norm(double bound) {
  residual_ = island_->residual(lambda_, eta_);
  if (!(residual_ <= bound)) return false;
  take_as_best(residual_, lambda_, eta_, SolvePart::newton);
  has_least_norm_ = true;
  if (history_) history_->push_back({number_, part_, iterations_, residual_});
  return true;
}

// Redundant rows at rest whose b disagree by the rounding of positions, which 1/delta^2 multiplies: the four wheels of a
// car, of which two hold it sideways. Let lambda_ be a force of least squares in `modes`. What it leaves of these rows, no
// force changes; any other one would add self-stress, in vain, and another one from step to step. So it is taken if it
// solves the problem without that remainder.
bool IslandSolver::accept_least_squares(std::span<const BlockMode> modes, double bound) {
  decided_eta_ = eta_;
  for (std::size_t k = 0; k < island_->size(); ++k)
    if (modes[k].at_rest) decided_eta_[k].setZero();
  return island_->residual(lambda_, decided_eta_) <= bound &&
         accept_least_norm(settings_->coarse_remainder > 0 ? settings_->coarse_remainder
                                                           : cascade.least_norm.undecided_remainder);
}

// After the island is solved by any force.
void IslandSolver::end_with_least_norm() {
  LeastNormSettings const& settings = cascade.least_norm;
  for_least_norm_ = true;
  double const bound = std::max(tolerance_, best_residual_);
  lambda_ = best_;
  eta_ = best_eta_;
  if (take_least_norm(settings.steps, bound)) return;
  if (left_out_.contains(StageName::least_norm_continuation)) return;
  // The soft problem from a large compliance down, where from the best force its modes are not found.
  std::fill(lambda_.begin(), lambda_.end(), Eigen::Vector3d::Zero());
  for (double factor = settings.first_factor; factor > 1; factor /= settings.next_factor) {
    begin_soft_problem(factor * settings.soft_compliance);
    island_->eta(lambda_, eta_);
    solve_regularised(cascade.newton.steps, cascade.proximal.inner_tolerance);
  }
  island_->eta(lambda_, eta_);
  take_least_norm(settings.steps, bound);
}

// From lambda_ and eta_ to a residual of `bound`.
bool IslandSolver::take_least_norm(int limit, double bound) {
  LeastNormSettings const& settings = cascade.least_norm;
  bool const small =
      island_->rows() <= cascade.sizes.dense_least_norm && !left_out_.contains(StageName::exact_least_norm);
  bool const over_bodies = island_->factored();
  auto const care = over_bodies ? Newton::Care::once : Newton::Care::rounding;
  double compliance = small || over_bodies ? settings.modes_compliance : settings.soft_compliance;
  if (small && !over_bodies && settings_->coarse_remainder > 0)
    compliance = settings.modes_compliance_of_remainder * settings_->coarse_remainder;
  begin_soft_problem(compliance);
  // Mostly the modes are those of the last force: then one step and its repetition are all, and the residual tells.
  if (over_bodies) {
    if (!equations().step(*island_, D_, centre_, lambda_, eta_, care)) return false;
    ++iterations_;
    soft_ = lambda_;
    centre_ = lambda_;
    if (!newton_.solve_again(*island_, D_, centre_, lambda_, eta_)) return false;
    if (accept_least_norm(bound)) return true;
    start_from(soft_);
    centre_.assign(island_->size(), Eigen::Vector3d::Zero());
  }
  double const tolerance = over_bodies ? settings.soft_tolerance : cascade.proximal.inner_tolerance;
  if (!solve_regularised(limit, tolerance, care)) return false;
  soft_ = lambda_;
  if (small) {
    if (solve_exactly_in_modes(bound)) return true;
    start_from(soft_);
  }
  return refine_soft_solution(limit, bound, !small);
}

// By a dense decomposition, in the modes of the soft solution, and then in those that the exact force has.
bool IslandSolver::solve_exactly_in_modes(double& bound) {
  for (int i = 0; i < cascade.least_norm.exact_attempts; ++i) {
    for (std::size_t k = 0; k < island_->size(); ++k)
      regularised_eta_[k] = eta_[k] + D_[k] * (lambda_[k] - centre_[k]);
    auto const modes = newton_.choose_modes(*island_, lambda_, i == 0 ? regularised_eta_ : eta_);
    before_exact_ = lambda_;
    in_modes_.solve(*island_, modes, lambda_);
    island_->eta(lambda_, eta_);
    if (accept_least_norm(bound)) return true;
    // In these modes the force of least squares comes out again and again.
    for (std::size_t k = 0; k < island_->size(); ++k) before_exact_[k] -= lambda_[k];
    if (i > 0 && norm_of(before_exact_) <= cascade.least_norm.same_force * norm_of(lambda_)) {
      bound = std::max(bound, consistent_fraction);
      if (accept_least_squares(modes, bound)) return true;
    }
  }
  return false;
}

// With c the part of b in a direction that A does not decide, each solution about the last one adds c/D to the force
// there. In the modes of the last step of Newton, from the force x to D (A + D)^-1 x is the difference of the solutions
// about x and about zero: it leaves that part as it is, and divides all others by some 1e6 each time. So what is left
// after some times is taken away.
bool IslandSolver::take_self_stress_away(double bound) {
  LeastNormSettings const& settings = cascade.least_norm;
  refined_ = self_stress_ = lambda_;
  centre_.assign(island_->size(), Eigen::Vector3d::Zero());
  if (!newton_.solve_again(*island_, D_, centre_, lambda_, eta_)) return false;
  about_zero_ = lambda_;
  for (int i = 0; i < settings.passes_to_self_stress; ++i) {
    if (!newton_.solve_again(*island_, D_, self_stress_, lambda_, eta_)) return false;
    for (std::size_t k = 0; k < island_->size(); ++k) self_stress_[k] = lambda_[k] - about_zero_[k];
  }
  for (std::size_t k = 0; k < island_->size(); ++k) lambda_[k] = refined_[k] - self_stress_[k];
  island_->eta(lambda_, eta_);
  auto const modes = newton_.choose_modes(*island_, lambda_, eta_);
  // A force of least squares leaves what A takes to zero: the remainder of the rows at rest, as a force of the usual size.
  decided_eta_ = eta_;
  for (std::size_t k = 0; k < island_->size(); ++k)
    if (!modes[k].at_rest) decided_eta_[k].setZero();
  double const size = norm_of(decided_eta_), force = norm_of(lambda_);
  if (!(size > 0)) return false;
  for (Eigen::Vector3d& part : decided_eta_) part *= force / size;
  island_->eta(decided_eta_, about_zero_);
  double moved = 0;
  for (std::size_t k = 0; k < island_->size(); ++k)
    if (modes[k].at_rest) moved = std::max(moved, (about_zero_[k] + island_->b()[k]).cwiseAbs().maxCoeff());
  if (moved > settings.undecided_share * island_->mean_compliance() * force) return false;
  return accept_least_squares(modes, std::max(bound, consistent_fraction));
}

// First in its modes. Then directions of slip have to turn a little, or a block is on the edge between two modes:
// proximal steps end in solutions all the same, and next to the soft one.
bool IslandSolver::refine_soft_solution(int limit, double bound, bool without_decomposition) {
  LeastNormSettings const& settings = cascade.least_norm;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < settings.refinements; ++i) {
    centre_ = lambda_;
    if (!newton_.solve_again(*island_, D_, centre_, lambda_, eta_)) return false;
    if (accept_least_norm(bound)) return true;
    if (!(residual_ < settings.refinement_gain * last)) break;
    last = residual_;
  }
  // A small island has had its force of least squares.
  if (without_decomposition && take_self_stress_away(bound)) return true;
  start_from(soft_);
  last = std::numeric_limits<double>::infinity();
  int stagnation = 0;
  for (int i = 0; i < limit && stagnation < settings.stagnation; ++i) {
    centre_ = lambda_;
    if (!equations().step(*island_, D_, centre_, lambda_, eta_)) return false;
    ++iterations_;
    if (accept_least_norm(bound)) return true;
    stagnation = residual_ < settings.gain * last ? 0 : stagnation + 1;
    last = residual_;
  }
  // Rows that disagree by rounding: more cannot be had.
  return stagnation > 0 && accept_least_norm(consistent_fraction);
}

}  // namespace delassus
