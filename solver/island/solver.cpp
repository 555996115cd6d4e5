#include "solver/island/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus {

namespace {

// Of forces so large that their rounding is what is left, as where a ton stands on a milligram: no force is better, as
// long as the motion it leaves is small beside the demands. Those that contradict one another leave all of it.
constexpr double most_of_rounding = 1e-7;
// A residual counts four times the rounding of these forces; sums over the rows of a body leave some of it more.
constexpr double least_rounding = 16 * std::numeric_limits<double>::epsilon();

}  // namespace

// Rounding of large forces is larger.
bool IslandSolver::done() const {
  double const rounding = best_excess_ > 1 ? std::min(most_of_rounding, least_rounding * best_excess_) : 0;
  return best_residual_ <= tolerance_ * best_excess_ &&
         best_residual_ <= std::max({tolerance_, settings_->acceptable, rounding});
}

// The last digits are worth some work, but not all of it.
bool IslandSolver::exhausted() const {
  if (iterations_ >= limit_) return true;
  if (!(best_residual_ <= settings_->acceptable)) return false;
  WorkLimits const& limits = cascade.limits;
  int const digits = settings_->iterations_for_digits / (changes_ ? limits.digits_after_change : 1);
  // Where sweeps did not suffice, a step takes as long as a hundred of them.
  if (situation_.large)
    return begin_ == IslandTask::Begin::equations ||
           iterations_ >= std::min(digits, acceptable_since_ + digits / limits.digits_in_large_island);
  bool const cheap = iterations_ < limits.digits_in_small_island * digits;
  return iterations_ >= digits &&
         best_residual_ <= (cheap ? limits.better_digit : 1.0) * settings_->acceptable;
}

void IslandSolver::take_as_best(double residual, BlockVector const& force, BlockVector const& eta,
                                SolvePart part) {
  best_residual_ = residual;
  best_ = force;
  best_eta_ = eta;
  part_ = part;
}

// Takes the present force as the best one where it is.
bool IslandSolver::keep(SolvePart part) {
  residual_ = island_->residual(lambda_, eta_);
  if (history_) history_->push_back({number_, part, iterations_, residual_});
  double const size = norm_of(lambda_);
  // A Newton step in contradictory modes leads to forces far beyond all that are needed.
  bool const lost = part == SolvePart::newton && residual_ > tolerance_ && size > largest_;
  if (residual_ < best_residual_ && !lost) {
    if (best_residual_ > settings_->acceptable && residual_ <= settings_->acceptable)
      acceptable_since_ = iterations_;
    take_as_best(residual_, lambda_, eta_, part);
    best_excess_ = size > island_->most_force() ? size / island_->most_force() : 1;
  }
  return done();
}

// The same of no force at all, after the first sweep from there.
void IslandSolver::keep_zero_force() {
  zero_force_known_ = true;
  zero_.assign(island_->size(), Eigen::Vector3d::Zero());
  zero_eta_.resize(island_->size());
  for (std::size_t k = 0; k < island_->size(); ++k) zero_eta_[k] = -island_->b()[k];
  double const residual = island_->residual(zero_, zero_eta_);
  if (!(residual < best_residual_)) return;
  take_as_best(residual, zero_, zero_eta_, SolvePart::none);
  best_excess_ = 1;
  acceptable_since_ = 0;
}

void IslandSolver::start_from(BlockVector const& force) {
  lambda_ = force;
  island_->eta(lambda_, eta_);
}

// Newton's method sees the island when it is needed first: many islands take one sweep and nothing else.
Newton& IslandSolver::equations() {
  if (!equations_begun_) newton_.begin(*island_);
  equations_begun_ = true;
  return newton_;
}

double IslandSolver::newton_cost(IslandProblem const& island) {
  newton_.begin(island);
  return newton_.worth_in_sweeps(island);
}

void IslandSolver::set_compliance(double factor) {
  for (std::size_t k = 0; k < island_->size(); ++k) D_[k] = factor * island_->compliance(k);
}

IslandSolver::Result IslandSolver::solve(IslandTask const& task, BlockVector& lambda, BlockVector& eta) {
  IslandProblem const& island = task.island;
  SolveSettings const& settings = task.settings;
  island_ = &island;
  settings_ = &settings;
  history_ = task.history;
  number_ = task.number;
  begin_ = task.begin;
  squeeze_ = task.squeeze;
  squeezed_ = false;
  tolerance_ = task.tolerance;
  iterations_ = 0;
  limit_ = settings.iteration_limit;
  part_ = SolvePart::none;
  has_least_norm_ = false;
  for_least_norm_ = false;
  best_residual_ = std::numeric_limits<double>::infinity();
  best_excess_ = 1;
  acceptable_since_ = 0;
  D_.resize(island.size());
  previous_ = task.previous;
  lambda_ = lambda;
  situation_ = {.warm = norm_of(lambda_) > 0,
                .follows_last = settings.rule == SolutionRule::continuous,
                .least_norm = settings.least_norm && island.size() <= cascade.sizes.least_norm,
                .large = island.size() > cascade.sizes.large,
                .searchable = island.size() <= cascade.sizes.searchable,
                .redundant = island.redundant()};
  if (situation_.warm) {
    given_ = lambda;
    island.eta(lambda_, eta_);
  } else {
    eta_.resize(island.size());
    for (std::size_t k = 0; k < island.size(); ++k) eta_[k] = -island.b()[k];
  }
  // Where there is no force yet, the first sweep solves many islands: the residual of no force is computed after it.
  bool const sweeps_first =
      begin_ == IslandTask::Begin::sweeps && !island.all_free() && settings.iteration_limit > 0 &&
      (settings.method == SolveMethod::automatic || settings.method == SolveMethod::gauss_seidel);
  zero_force_known_ = situation_.warm || !sweeps_first || history_;
  bool done = zero_force_known_ && keep(SolvePart::none);
  if (!(best_residual_ < std::numeric_limits<double>::infinity())) {
    best_ = lambda_;
    best_eta_ = eta_;
  }
  changes_ = begin_ == IslandTask::Begin::sweeps && settings.acceptable > cascade.sizes.coarse &&
             !(situation_.warm && best_residual_ <= cascade.newton.near);
  if (!done) {
    equations_begun_ = false;
    sweeps_begun_ = false;
    done = run();
  }
  lambda = best_;
  eta = best_eta_;
  SolveStatus const status = done          ? SolveStatus::converged
                             : squeezed_   ? SolveStatus::inconsistent
                             : exhausted() ? SolveStatus::iteration_limit
                                           : SolveStatus::stalled;
  return {best_residual_, iterations_, part_, status};
}

bool IslandSolver::run() {
  int const limit = settings_->iteration_limit;
  // Newton's method knows Coulomb's law only.
  if (settings_->law != ContactLaw::coulomb) return sweep(limit, false);
  switch (settings_->method) {
    case SolveMethod::automatic:
      break;
    case SolveMethod::gauss_seidel:
      return sweep(limit, false);
    case SolveMethod::newton:
      return newton(limit, limit);
    case SolveMethod::interior_point:
      return interior_point(limit, cascade.interior_point.inside, cascade.interior_point.patience);
    case SolveMethod::proximal:
      return proximal(limit);
    case SolveMethod::path:
      return search();
  }
  if (!run_cascade()) return false;
  if (situation_.least_norm && !has_least_norm_) end_with_least_norm();
  return true;
}

bool IslandSolver::run_cascade() {
  int const limit = settings_->iteration_limit;
  limit_ = std::max(limit / cascade.limits.search, std::min(limit, cascade.limits.least));
  if (island_->all_free()) return newton(cascade.newton.steps, cascade.newton.patience_of_joints);
  if (begin_ == IslandTask::Begin::sweeps) {
    if (situation_.large) situation_.newton_cost = equations().worth_in_sweeps(*island_);
    swept_ = lambda_;
    if (walk(stages_from_sweeps())) return true;
    start_from(swept_);
  } else {
    if (walk(stages_from_equations())) return true;
  }
  squeezed_ = squeeze_ != nullptr && best_residual_ > settings_->acceptable && squeeze_->find(best_);
  if (squeezed_) return false;
  return walk(stages_after_opening());
}

bool IslandSolver::walk(std::span<const Stage> stages) {
  for (Stage const& stage : stages) {
    situation_.residual = best_residual_;
    if (left_out_.contains(stage.name) || !stage.when(situation_)) continue;
    start_from(stage);
    if (run_stage(stage)) return true;
  }
  return false;
}

// Sweeps and the interior-point method compute eta themselves.
void IslandSolver::start_from(Stage const& stage) {
  switch (stage.start) {
    case StageStart::present:
      return;
    case StageStart::best:
      lambda_ = best_;
      eta_ = best_eta_;
      return;
    case StageStart::given:
      if (situation_.warm) lambda_ = given_;  // else it is zero still
      break;
    case StageStart::swept:
      lambda_ = swept_;
      break;
    case StageStart::centre:
      lambda_ = random_centre_;
      break;
  }
  if (stage.method != StageMethod::sweeps && stage.method != StageMethod::interior_point)
    island_->eta(lambda_, eta_);
}

bool IslandSolver::run_stage(Stage const& stage) {
  int const steps = situation_.large ? stage.steps_large : stage.steps;
  int const patience = situation_.large ? stage.patience_large : stage.patience;
  switch (stage.method) {
    case StageMethod::sweeps: {
      if (sweep(sweeps_of(stage), stage.accelerated(situation_))) return true;
      swept_ = lambda_;
      return false;
    }
    case StageMethod::newton:
      return newton(steps, patience);
    case StageMethod::damped_newton:
      return damped_newton(steps, stage.parameter);
    case StageMethod::interior_point:
      return interior_point(steps, stage.parameter, patience);
    case StageMethod::proximal:
      return proximal(steps == to_the_end ? limit_ : steps);
    case StageMethod::least_norm:
      return take_least_norm(steps, tolerance_);
    case StageMethod::search:
      return search();
    case StageMethod::friction_bounds:
      return try_friction_bounds(steps);
    case StageMethod::path:
      situation_.has_path = path_.begin(*island_, random_centre_);
      return situation_.has_path && follow_path(steps);
  }
  return false;
}

}  // namespace delassus
