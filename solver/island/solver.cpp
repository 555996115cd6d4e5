#include "solver/island/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "solver/block/classification.hpp"

namespace delassus {
namespace {

// Beside a block's own compliance: far below what decides a force, far above rounding.
constexpr double newton_compliance = 1e-8, last_compliance = 1e-11;
// The same for all rows, beside their mean compliance: of problems that ask for the least force.
constexpr double soft_compliance = 1e-6;
constexpr double modes_compliance = 1e-8;  // where the force is made exact in the modes that it leads to
// Rows of an island whose force of least norm is worth a dense decomposition, and blocks of one whose force of
// least norm is looked for at all: in a pile nobody can tell one from another.
constexpr int exact_least_norm = 60;
constexpr std::size_t least_norm_blocks = 100;

// Blocks; in a larger island a Newton step costs as much as dozens of sweeps.
constexpr std::size_t large_island = 50;
constexpr double near = 1e-3;  // a residual from which Newton's method is worth a try in a large island
// Newton steps that cost fewer sweeps than this are tried before any sweep; others only after as many as they cost.
constexpr double tried_at_once = 50, most_sweeps = 3000;
// In a large island that sweeps have brought so near, Newton's method or a few proximal steps may end the work.
constexpr double near_for_equations = 3e-5, too_near_for_interior = 1e-6;
constexpr int proximal_steps_nearby = 12;
constexpr int newton_steps = 15;
constexpr int damped_steps = 100;
constexpr double shortest_step = 1e-4;
// Where nothing else helped: blocks of an island that is worth a search, and factorisations along one path.
constexpr std::size_t searched_island = 150;
// All work that is allowed beside what is done before it is known that a search is worth it.
constexpr int search_share = 5;
constexpr int path_limit = 15000, bound_rounds = 6;
constexpr int proximal_steps_elsewhere = 100, damped_steps_elsewhere = 60;
// Along a path: the largest d at which its force may be near a solution, and how far apart attempts are.
constexpr double first_attempt = 0.3, attempt_share = 0.5;
constexpr int attempt_steps = 20;

// Of the interior-point method: its steps, and the residual where Newton's method takes over.
constexpr int interior_steps = 50, interior_patience = 10, short_patience = 5, crossing_steps = 8;
constexpr double first_crossing = 1e-4, next_crossing = 1e-2;

// Of the proximal loop, beside the blocks' own compliance.
constexpr double first_proximal = 1e-2, least_first_proximal = 1e-7, last_proximal = 1e-9;
constexpr double most_proximal = 10;
constexpr int first_proximal_steps = 300;
constexpr int inner_steps = 30;
constexpr int inner_patience = 5;
constexpr double inner_share = 1e-2, inner_tolerance = 1e-11, soft_tolerance = 1e-8;
// Where Newton's method ends here, rounding is all that is left.
constexpr double last_bits = 1e-12;
constexpr double repeated_force = 1e-12;   // of the norm: two forces are the same
constexpr int digits_in_small_island = 3;  // times the iterations for digits

double norm(BlockVector const& x) {
  double sum = 0;
  for (Eigen::Vector3d const& part : x) sum += part.squaredNorm();
  return std::sqrt(sum);
}

}  // namespace

// Rounding of large forces is larger.
bool IslandSolver::done() const {
  return best_residual_ <= tolerance_ * best_excess_ &&
         best_residual_ <= std::max(tolerance_, settings_->acceptable);
}

bool IslandSolver::is_large() const {
  return island_->size() > large_island;
}

// The last digits are worth some work, but not all of it.
bool IslandSolver::exhausted() const {
  if (iterations_ >= limit_) return true;
  if (!(best_residual_ <= settings_->acceptable)) return false;
  int const digits = settings_->iterations_for_digits;
  // Where sweeps did not suffice, a step takes as long as a hundred of them.
  if (is_large())
    return begin_ == Begin::equations || iterations_ >= std::min(digits, acceptable_since_ + digits / 10);
  // The next digit is cheap in a small island.
  bool const cheap = iterations_ < digits_in_small_island * digits;
  return iterations_ >= digits && best_residual_ <= (cheap ? 0.1 : 1.0) * settings_->acceptable;
}

bool IslandSolver::keep(SolvePart part) {
  residual_ = island_->residual(lambda_, eta_);
  if (history_) history_->push_back({number_, part, iterations_, residual_});
  double const size = norm(lambda_);
  // A step of Newton's method in modes that contradict one another leads to forces that are far beyond all
  // that are needed: a solution or nothing, and no place to go on from.
  bool const lost = part == SolvePart::newton && residual_ > tolerance_ && size > largest_;
  if (residual_ < best_residual_ && !lost) {
    if (best_residual_ > settings_->acceptable && residual_ <= settings_->acceptable)
      acceptable_since_ = iterations_;
    best_residual_ = residual_;
    best_ = lambda_;
    best_eta_ = eta_;
    part_ = part;
    best_excess_ = size > island_->most_force() ? size / island_->most_force() : 1;
  }
  return done();
}

// At no force, after the first sweep from there.
void IslandSolver::look_at_start() {
  start_seen_ = true;
  centre_.assign(island_->size(), Eigen::Vector3d::Zero());
  soft_.resize(island_->size());
  for (std::size_t k = 0; k < island_->size(); ++k) soft_[k] = -island_->b()[k];
  double const residual = island_->residual(centre_, soft_);
  if (!(residual < best_residual_)) return;
  best_residual_ = residual;
  best_ = centre_;
  best_eta_ = soft_;
  best_excess_ = 1;
  part_ = SolvePart::none;
  acceptable_since_ = 0;
}

void IslandSolver::restart_from_best() {
  lambda_ = best_;
  eta_ = best_eta_;
}

void IslandSolver::restart_from(BlockVector const& force) {
  lambda_ = force;
  island_->eta(lambda_, eta_);
}

// Its equations are looked at when they are needed first: many islands take a sweep and nothing else.
Newton& IslandSolver::equations() {
  if (!equations_begun_) newton_.begin(*island_);
  equations_begun_ = true;
  return newton_;
}

void IslandSolver::set_compliance(double factor) {
  for (std::size_t k = 0; k < island_->size(); ++k) D_[k] = factor * island_->compliance(k);
}

// The residual costs as much as a sweep, and is looked at now and then. A mixed force solves no block: it is the
// swept one that is looked at.
bool IslandSolver::sweep(int count, bool accelerated) {
  mixing_.begin();
  if (!sweeps_begun_) gauss_seidel_.begin(*island_, *settings_);
  sweeps_begun_ = true;
  for (int i = 1; i <= count && !exhausted(); ++i) {
    if (accelerated) inner_ = lambda_;
    gauss_seidel_.sweep(*island_, *settings_, previous_, lambda_);
    ++iterations_;
    if (i == 1 || i % 5 == 0 || i == count) {
      island_->eta(lambda_, eta_);
      if (keep(SolvePart::gauss_seidel)) return true;
      if (!start_seen_) look_at_start();
    }
    if (accelerated && i < count) mixing_.mix(inner_, lambda_);
  }
  return false;
}

bool IslandSolver::newton(int limit, int patience) {
  set_compliance(newton_compliance);
  int without_progress = 0, stagnation = 0;
  double last = residual_, lowest = residual_;
  largest_ = 10 * std::max(norm(lambda_), island_->usual_force());
  for (int i = 0; i < limit && !exhausted(); ++i) {
    centre_ = lambda_;
    if (!equations().step(*island_, D_, centre_, lambda_, eta_)) return false;
    ++iterations_;
    if (keep(SolvePart::newton)) return true;
    // In the same modes a step that gains nothing was the last that could.
    bool const still = i > 0 && !newton_.modes_changed() && !(residual_ < 0.5 * last);
    if (still && best_residual_ <= last_bits) return true;
    // Redundant rows whose b disagree by rounding.
    stagnation = still ? stagnation + 1 : 0;
    if (stagnation > 2 && best_residual_ <= consistent_fraction) return true;
    without_progress = residual_ < lowest ? 0 : without_progress + 1;
    lowest = std::min(lowest, residual_);
    last = residual_;
    if (without_progress > patience) break;
  }
  return false;
}

// Newton's method with steps that are shortened until the distance of lambda from its image is less than it was
// at the worst of the last few steps.
bool IslandSolver::damped_newton(int limit, double compliance) {
  set_compliance(compliance);
  std::array<double, 5> past{};
  int short_steps = 0;
  for (int i = 0; i < limit && short_steps < 3 && !exhausted(); ++i) {
    centre_ = lambda_;
    inner_ = eta_;
    past[static_cast<std::size_t>(i) % past.size()] =
        equations().merit(*island_, lambda_, eta_, lambda_, eta_, 0);
    double const reference = *std::max_element(past.begin(), past.end());
    if (!equations().step(*island_, D_, centre_, lambda_, eta_)) return false;
    ++iterations_;
    double t = 1, best_t = 1, lowest = std::numeric_limits<double>::infinity();
    for (; t > shortest_step; t /= 2) {
      double const merit = newton_.merit(*island_, centre_, inner_, lambda_, eta_, t);
      if (merit < lowest) {
        lowest = merit;
        best_t = t;
      }
      if (merit <= (1 - 1e-3 * t) * reference) break;
    }
    for (std::size_t k = 0; k < island_->size(); ++k) {
      lambda_[k] = centre_[k] + best_t * (lambda_[k] - centre_[k]);
      eta_[k] = inner_[k] + best_t * (eta_[k] - inner_[k]);
    }
    if (keep(SolvePart::newton)) return true;
    short_steps = t > shortest_step ? 0 : short_steps + 1;
  }
  return false;
}

// From lambda. Near a solution the modes are often those of the solution, and Newton's method ends the work.
bool IslandSolver::interior_point(int limit, double inside, int patience) {
  if (!InteriorPoint::applies(*island_)) return false;
  interior_point_.begin(*island_, lambda_, inside);
  double near_enough = first_crossing, lowest = std::numeric_limits<double>::infinity();
  int without_progress = 0;
  for (int i = 0; i < limit && without_progress < patience && !exhausted(); ++i) {
    if (!interior_point_.step(*island_)) return false;
    ++iterations_;
    restart_from(interior_point_.lambda());
    if (keep(SolvePart::interior_point)) return true;
    without_progress = residual_ < 0.5 * lowest ? 0 : without_progress + 1;
    if (without_progress == 0) lowest = residual_;
    if (residual_ <= near_enough) {
      near_enough = next_crossing * residual_;
      if (newton(crossing_steps, 1)) return true;
    }
  }
  return false;
}

// The problem (A + D, b + D centre) from lambda to this residual; true where it is solved.
bool IslandSolver::solve_regularised(int limit, double tolerance, Newton::Care care) {
  double lowest = std::numeric_limits<double>::infinity();
  int without_progress = 0;
  inner_.resize(island_->size());
  for (int i = 0; i < limit && !exhausted(); ++i) {
    if (!equations().step(*island_, D_, centre_, lambda_, eta_, care)) return false;
    ++iterations_;
    for (std::size_t k = 0; k < island_->size(); ++k) inner_[k] = eta_[k] + D_[k] * (lambda_[k] - centre_[k]);
    double const residual = island_->residual(lambda_, inner_, D_, centre_);
    if (residual <= tolerance) return true;
    without_progress = residual < lowest ? 0 : without_progress + 1;
    lowest = std::min(lowest, residual);
    if (without_progress > inner_patience) return false;
  }
  return false;
}

// From lambda. Inner problems need not be solved better than the outer one is by some digits.
bool IslandSolver::proximal(int limit) {
  double last = island_->residual(lambda_, eta_);
  double factor = std::clamp(last, least_first_proximal, first_proximal);
  for (int const end = iterations_ + limit; iterations_ < end && !exhausted();) {
    set_compliance(factor);
    centre_ = lambda_;
    int const before = iterations_;
    if (!solve_regularised(inner_steps, std::max(inner_tolerance, inner_share * best_residual_))) {
      restart_from(centre_);
      if (factor >= most_proximal || iterations_ == before) return false;
      factor = std::min(3 * factor, most_proximal);
      continue;
    }
    if (keep(SolvePart::proximal)) return true;
    int const steps = iterations_ - before;
    bool const idle = residual_ > 0.5 * last;
    last = residual_;
    // What is solved at once, or for nothing, may be harder.
    if (steps <= 3) {
      factor *= 0.2;
    } else if (steps <= 5 && idle) {
      factor *= 0.3;
    } else if (steps <= 6) {
      factor *= 0.5;
    } else if (steps > 12) {
      factor *= 1.5;
    }
    factor = std::clamp(factor, last_proximal, most_proximal);
  }
  return false;
}

// Along the path that path_ is at the beginning of. Newton's method finds a solution that it comes near to long
// before d is nothing.
bool IslandSolver::follow_path(int limit) {
  int counted = 0;
  double tried = first_attempt / attempt_share;
  for (int since = 0; path_.factorisations() < limit; ++since) {
    bool const on = path_.advance();
    iterations_ = std::min(iterations_ + path_.factorisations() - counted, limit_);
    counted = path_.factorisations();
    if (exhausted()) return false;
    double const change = path_.d() / tried;
    bool const elsewhere = change < attempt_share || change > 1 / attempt_share || since > attempt_steps;
    if (path_.d() < first_attempt && (elsewhere || !on)) {
      tried = path_.d();
      since = 0;
      restart_from(path_.lambda());
      if (keep(SolvePart::path) || newton(newton_steps, 3)) return true;
    }
    if (!on) return false;
  }
  return false;
}

// From bounds_ by friction_bounds.hpp, and from its forces by Newton's method.
bool IslandSolver::try_bounds() {
  if (!friction_bounds_.begin(*island_)) return false;
  int counted = 0;
  for (int round = 0; round < bound_rounds; ++round) {
    bool const on = friction_bounds_.round(bounds_, swept_);
    iterations_ = std::min(iterations_ + friction_bounds_.iterations() - counted, limit_);
    counted = friction_bounds_.iterations();
    if (exhausted() || !on) return false;
    // Some motion has eta_n >= 0 everywhere: there may well be a solution.
    limit_ = settings_->iteration_limit;
    restart_from(swept_);
    if (keep(SolvePart::bounds) || newton(newton_steps, 3)) return true;
  }
  return false;
}

// One path after the other, each from a centre of its own: first near zero, where forces are least, then from
// larger ones. The centres are random, so that no two contacts change their modes at the same place of a path.
bool IslandSolver::follow_paths() {
  std::minstd_rand engine(1);
  // Not a standard distribution, which may differ from one library to the next.
  auto const uniform = [&] { return 2 * static_cast<double>(engine() - 1) / 2147483645.0 - 1; };
  double squares = 0;
  for (std::size_t k = 0; k < island_->size(); ++k)
    squares += island_->b()[k].squaredNorm() / island_->compliance(k);
  double const mean = std::sqrt(squares / island_->rows());
  soft_.resize(island_->size());
  for (bool first = true; !exhausted(); first = false) {
    double const size = mean * (first ? 0.1 : std::pow(10.0, 1.25 * uniform() - 0.25));
    for (std::size_t k = 0; k < island_->size(); ++k) {
      int const rows = rows_of(island_->set(k).kind);
      double const own = size / std::sqrt(island_->compliance(k));
      for (int row = 0; row < 3; ++row) soft_[k][row] = row < rows ? own * std::sqrt(3.0) * uniform() : 0;
    }
    bounds_.resize(island_->size());
    for (std::size_t k = 0; k < island_->size(); ++k) {
      ForceSet const& set = island_->set(k);
      bounds_[k] = first ? 0 : set.limit * std::abs(soft_[k][rows_of(set.kind) - 1]);
    }
    if (try_bounds()) return true;
    if (path_.begin(*island_, soft_)) {
      if (follow_path(path_limit)) return true;
      // Where rounding has ended a path that leads to large forces, the proximal loop goes on.
      restart_from(path_.lambda());
      if (first && proximal(first_proximal_steps)) return true;
    }
    restart_from(soft_);
    if (proximal(proximal_steps_elsewhere)) return true;
    restart_from(soft_);
    if (damped_newton(damped_steps_elsewhere, soft_compliance)) return true;
    lambda_ = soft_;
    if (sweep(10, false)) return true;
    if (damped_newton(damped_steps_elsewhere, newton_compliance)) return true;
  }
  return false;
}

// The force of least norm among those of a redundant island, from lambda and its eta. With D the same number for all rows
// and the centre zero, the solution of the regularised problem tends to it and tells its modes. In these modes
// a small island takes the exact one. In a large one each further solution about the last divides what D has
// changed by some 1e6, and leaves what A does not decide as it is.
bool IslandSolver::take_least_norm(int limit, double bound) {
  auto const accept = [&] {
    residual_ = island_->residual(lambda_, eta_);
    if (!(residual_ <= bound)) return false;
    best_ = lambda_;
    best_eta_ = eta_;
    best_residual_ = residual_;
    part_ = SolvePart::newton;
    least_ = true;
    if (history_) history_->push_back({number_, part_, iterations_, residual_});
    return true;
  };
  bool const small = island_->rows() <= exact_least_norm;
  // What comes after makes up for a solution that is good enough to tell the modes.
  bool const once = island_->factored();
  std::fill(D_.begin(), D_.end(),
            (small || once ? modes_compliance : soft_compliance) * island_->mean_compliance());
  centre_.assign(island_->size(), Eigen::Vector3d::Zero());
  // Mostly the modes are those of the last force: then one step and its repetition are all, and the residual tells.
  if (once) {
    if (!equations().step(*island_, D_, centre_, lambda_, eta_, Newton::Care::once)) return false;
    ++iterations_;
    soft_ = lambda_;
    centre_ = lambda_;
    if (!newton_.solve_again(*island_, D_, centre_, lambda_, eta_)) return false;
    if (accept()) return true;
    restart_from(soft_);
    centre_.assign(island_->size(), Eigen::Vector3d::Zero());
  }
  if (!solve_regularised(limit, once ? soft_tolerance : inner_tolerance,
                         once ? Newton::Care::once : Newton::Care::rounding))
    return false;
  soft_ = lambda_;
  if (small) {
    for (int i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < island_->size(); ++k)
        inner_[k] = eta_[k] + D_[k] * (lambda_[k] - centre_[k]);
      auto const modes = newton_.choose_modes(*island_, lambda_, i == 0 ? inner_ : eta_);
      inner_ = lambda_;
      in_modes_.solve(*island_, modes, lambda_);
      island_->eta(lambda_, eta_);
      if (accept()) return true;
      // Redundant rows whose b disagree by the rounding that 1/delta^2 has multiplied: in these modes the force of least squares
      // comes out again and again. What else there is would add self-stress, in vain.
      for (std::size_t k = 0; k < island_->size(); ++k) inner_[k] -= lambda_[k];
      if (i > 0 && norm(inner_) <= repeated_force * norm(lambda_)) {
        bound = std::max(bound, consistent_fraction);
        if (accept()) return true;
      }
    }
    lambda_ = soft_;
    island_->eta(lambda_, eta_);
  }
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    centre_ = lambda_;
    if (!newton_.solve_again(*island_, D_, centre_, lambda_, eta_)) return false;
    if (accept()) return true;
    if (!(residual_ < 0.1 * last)) break;
    last = residual_;
  }
  // Directions of slip have to turn a little, or a block is on the edge between two modes: proximal steps end in
  // solutions all the same, and next to the soft one.
  lambda_ = soft_;
  island_->eta(lambda_, eta_);
  last = std::numeric_limits<double>::infinity();
  int stagnation = 0;
  for (int i = 0; i < limit && stagnation < 3; ++i) {
    centre_ = lambda_;
    if (!equations().step(*island_, D_, centre_, lambda_, eta_)) return false;
    ++iterations_;
    if (accept()) return true;
    stagnation = residual_ < 0.5 * last ? 0 : stagnation + 1;
    last = residual_;
  }
  // As above, in a large island: more cannot be had.
  bound = consistent_fraction;
  return stagnation > 0 && accept();
}

double IslandSolver::worth_in_sweeps(IslandProblem const& island) {
  newton_.begin(island);
  return newton_.worth_in_sweeps(island);
}

IslandSolver::Result IslandSolver::solve(IslandProblem const& island, SolveSettings const& settings,
                                         double tolerance, BlockVector const& previous, BlockVector& lambda,
                                         BlockVector& eta, std::vector<SolveRecord>* history, int number,
                                         Begin begin) {
  island_ = &island;
  settings_ = &settings;
  history_ = history;
  number_ = number;
  begin_ = begin;
  tolerance_ = tolerance;
  iterations_ = 0;
  limit_ = settings.iteration_limit;
  part_ = SolvePart::none;
  least_ = false;
  best_residual_ = std::numeric_limits<double>::infinity();
  best_excess_ = 1;
  acceptable_since_ = 0;
  D_.resize(island.size());
  previous_ = previous;
  lambda_ = lambda;
  warm_ = norm(lambda_) > 0;
  if (warm_) {
    start_ = lambda;
    island.eta(lambda_, eta_);
  } else {
    eta_.resize(island.size());
    for (std::size_t k = 0; k < island.size(); ++k) eta_[k] = -island.b()[k];
  }
  // Where there is no force yet, many islands are solved by the first sweep: what no force leaves is looked at after it.
  bool const sweeps_first =
      begin == Begin::sweeps && !island.all_free() && settings.iteration_limit > 0 &&
      (settings.method == SolveMethod::automatic || settings.method == SolveMethod::gauss_seidel);
  start_seen_ = warm_ || !sweeps_first || history_;
  bool done = start_seen_ && keep(SolvePart::none);
  if (!(best_residual_ < std::numeric_limits<double>::infinity())) {
    best_ = lambda_;
    best_eta_ = eta_;
  }
  if (!done) {
    equations_begun_ = false;
    sweeps_begun_ = false;
    done = run();
  }
  lambda = best_;
  eta = best_eta_;
  SolveStatus const status = done          ? SolveStatus::converged
                             : exhausted() ? SolveStatus::iteration_limit
                                           : SolveStatus::stalled;
  return {best_residual_, iterations_, part_, status};
}

bool IslandSolver::run() {
  // Newton's method knows one law.
  if (settings_->law != ContactLaw::coulomb) return sweep(settings_->iteration_limit, false);
  switch (settings_->method) {
    case SolveMethod::automatic:
      break;
    case SolveMethod::gauss_seidel:
      return sweep(settings_->iteration_limit, false);
    case SolveMethod::newton:
      return newton(settings_->iteration_limit, settings_->iteration_limit);
    case SolveMethod::interior_point:
      return interior_point(settings_->iteration_limit, 1, interior_patience);
    case SolveMethod::proximal:
      return proximal(settings_->iteration_limit);
    case SolveMethod::path:
      return follow_paths();
  }
  bool const least = settings_->least_norm && island_->size() <= least_norm_blocks;
  if (!automatic(least)) return false;
  if (least && !least_) {
    double const bound = std::max(tolerance_, best_residual_);
    restart_from_best();
    if (!take_least_norm(12, bound)) {
      // From a stiff compliance down, each from the solution of the last.
      std::fill(lambda_.begin(), lambda_.end(), Eigen::Vector3d::Zero());
      for (double factor = 1e6; factor > 1; factor /= 10) {
        std::fill(D_.begin(), D_.end(), factor * soft_compliance * island_->mean_compliance());
        centre_.assign(island_->size(), Eigen::Vector3d::Zero());
        island_->eta(lambda_, eta_);
        solve_regularised(newton_steps, inner_tolerance);
      }
      island_->eta(lambda_, eta_);
      take_least_norm(12, bound);
    }
  }
  return true;
}

bool IslandSolver::automatic(bool least) {
  limit_ = std::max(settings_->iteration_limit / search_share, std::min(settings_->iteration_limit, 1000));
  // Equations without inequalities take one step; a second one refines it.
  if (island_->all_free()) return newton(newton_steps, 2);
  if (begin_ == Begin::sweeps ? begin_with_sweeps(least) : begin_with_equations()) return true;
  bool const searched = island_->size() <= searched_island;
  if (searched && damped_newton(damped_steps, newton_compliance)) return true;
  restart_from_best();
  if (proximal(first_proximal_steps)) return true;
  if (searched) {
    restart_from_best();
    if (proximal(4 * first_proximal_steps)) return true;
    // Forces that are large beside what is left.
    restart_from_best();
    if (damped_newton(newton_steps, last_compliance)) return true;
    if (follow_paths()) return true;
  }
  restart_from_best();
  return proximal(limit_);
}

bool IslandSolver::begin_with_sweeps(bool least) {
  bool const large = is_large();
  double const worth = large ? equations().worth_in_sweeps(*island_) : 0;
  // Sweeps know rules that Newton's method does not.
  if (warm_ && settings_->rule == SolutionRule::continuous) {
    if (least && take_least_norm(4, tolerance_)) return true;
    restart_from_best();
    if ((!large || (best_residual_ < near && worth < tried_at_once)) && newton(newton_steps, 1)) return true;
  }
  if (warm_) lambda_ = start_;
  for (int round = 0; round < 2; ++round) {
    int const least_sweeps = large ? 20 + 30 * round : 10 + 20 * round;
    int const sweeps = std::max(least_sweeps, static_cast<int>(std::min(worth * (1 + round), most_sweeps)));
    if (sweep(sweeps, worth > tried_at_once ? round == 0 : (large || round > 0))) return true;
    swept_ = lambda_;
    if (newton(newton_steps, large ? 1 : 3)) return true;
    lambda_ = swept_;
  }
  // Where one path runs into the boundary, another may not. Where forces are far from unique, both do.
  for (double const inside : {1.0, 0.1}) {
    if (island_->redundant()) break;
    restart_from(swept_);
    if (interior_point(interior_steps, inside, interior_patience)) return true;
  }
  restart_from(swept_);
  return false;
}

// Of a large island that was swept. Near a solution the proximal loop needs a few steps; the interior-point method
// comes near from anywhere, or gives up soon.
bool IslandSolver::begin_with_equations() {
  if (best_residual_ < near_for_equations && newton(newton_steps, 1)) return true;
  if (best_residual_ < near_for_equations) {
    restart_from_best();
    if (proximal(proximal_steps_nearby)) return true;
  }
  if (!island_->redundant() && best_residual_ > too_near_for_interior) {
    restart_from_best();
    if (interior_point(interior_steps, 1.0, short_patience)) return true;
  }
  return false;
}

}  // namespace delassus
