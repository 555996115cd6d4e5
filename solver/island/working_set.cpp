#include "solver/island/working_set.hpp"

#include <algorithm>
#include <cmath>

#include "model/numbers/elementary.hpp"

namespace delassus {

bool WorkingSet::applies(IslandProblem const& island, SolveSettings const& settings) {
  return island.factored() && island.size() >= cascade.sizes.working_set &&
         settings.law == ContactLaw::coulomb && settings.method == SolveMethod::automatic;
}

bool WorkingSet::applies_from(BlockVector const& lambda, IslandProblem const& island,
                              SolveSettings const& settings, BlockVector& eta) {
  if (!island.factored() || island.size() <= cascade.sizes.large || settings.law != ContactLaw::coulomb ||
      settings.method != SolveMethod::automatic || !(settings.acceptable > cascade.sizes.coarse))
    return false;
  island.eta(lambda, eta);
  return island.residual(lambda, eta) > cascade.newton.near;
}

void WorkingSet::leave_out(StageSet const& stages) {
  left_out_ = stages;
  local_solves_.leave_out(stages);
}

// The residual of lambda_ in the whole island; true where it is small enough.
bool WorkingSet::judge(SolvePart part) {
  island_->eta(lambda_, eta_);
  residual_ = island_->residual(lambda_, eta_);
  part_ = part;
  if (history_) history_->push_back({number_, part, iterations_, residual_});
  return residual_ <= enough_;
}

// Up to so many sweeps. The last force is as it was swept, for an extrapolated one solves no block.
void WorkingSet::sweep(IslandProblem const& island, BlockVector const& previous, int count,
                       BlockVector& lambda, BlockVector& eta) {
  WorkingSetSettings const& settings = cascade.working_set;
  bool const accelerated = !left_out_.contains(StageName::acceleration_in_working_set);
  gauss_seidel_.begin(island, *settings_);
  acceleration_.begin();
  motion_.assign(static_cast<std::size_t>(island.W().columns()), 0);
  island.motion(lambda, motion_);
  for (int i = 1;; ++i) {
    before_sweep_ = lambda;
    gauss_seidel_.sweep(island, *settings_, previous, lambda, motion_);
    ++iterations_;
    if (i == count) return;
    if (i % settings.sweeps_between_residuals == 0 || i == settings.few_sweeps) {
      island.eta(lambda, eta);
      if (island.residual(lambda, eta) <= enough_) return;
    }
    if (accelerated) acceleration_.accelerate(before_sweep_, lambda, &motion_);
  }
}

// The set, from lambda_ and eta_.
void WorkingSet::choose() {
  double squares = 0;
  for (Eigen::Vector3d const& b : island_->b()) squares += b.squaredNorm();
  double const slowly = cascade.working_set.nearly_closed * std::sqrt(squares / island_->rows());
  members_.clear();
  member_blocks_.clear();
  set_previous_.clear();
  set_lambda_.clear();
  for (std::size_t k = 0; k < island_->size(); ++k) {
    ForceSetKind const kind = island_->set(k).kind;
    int const normal = rows_of(kind) - 1;
    if (is_unilateral(kind) && !(lambda_[k][normal] > 0) && !(eta_[k][normal] < slowly)) continue;
    members_.push_back(static_cast<int>(k));
    member_blocks_.push_back(blocks_[k]);
    set_previous_.push_back(previous_[k]);
    set_lambda_.push_back(lambda_[k]);
  }
  set_.gather(*problem_, member_blocks_);
  set_.set_measure(settings_->measure, settings_->law);
  set_.set_floor(island_->scale());
}

void WorkingSet::put_back() {
  std::fill(lambda_.begin(), lambda_.end(), Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < members_.size(); ++i)
    lambda_[static_cast<std::size_t>(members_[i])] = set_lambda_[i];
}

// Whether at the rate of this round more rounds are left than these.
bool WorkingSet::is_slow(double before, double rounds) const {
  double const rate = elementary::log(before / residual_), left = elementary::log(residual_ / enough_);
  return !(rate > 0) || left / rate > rounds;
}

// True where the island is solved; false where equations are the quicker way.
bool WorkingSet::sweep_sets() {
  WorkingSetSettings const& settings = cascade.working_set;
  int widenings = 0;
  double slow = 0, lowest = residual_, newton_cost = 0;
  int before = iterations_;
  for (int i = 0; i < settings.rounds && !is_exhausted(); ++i) {
    choose();
    if (!set_.factored()) return false;  // so few that equations are better
    sweep(set_, set_previous_, std::min((i + 1) * settings.first_round, settings.longest_round), set_lambda_,
          set_eta_);
    put_back();
    if (judge(SolvePart::gauss_seidel)) return true;
    if (i % settings.rounds_between_orders == 0) newton_cost = island_solver_->newton_cost(set_);
    double const cost = newton_cost * (is_near() ? settings.steps_near : settings.steps_far);
    int const sweeps = iterations_ - before;
    slow = is_slow(lowest, cost / sweeps) ? slow + sweeps : 0;
    if (slow > std::max(cost, settings.least_slow_sweeps)) return false;
    bool const gained = residual_ < cascade.clusters.little_gained * lowest;
    widenings = gained ? 0 : std::min(widenings + 1, cascade.clusters.widenings);
    bool const soon = !is_slow(lowest, settings.soon);
    lowest = std::min(lowest, residual_);
    before = iterations_;
    if (!soon && solve_clusters(widenings)) return true;
  }
  return false;
}

bool WorkingSet::solve_clusters(int widenings) {
  if (left_out_.contains(StageName::cluster_solves)) return false;
  ClusterSettings const& settings = cascade.clusters;
  iterations_ +=
      local_solves_.improve({.problem = *problem_,
                             .blocks = member_blocks_,
                             .island = set_,
                             .settings = *settings_,
                             .previous = set_previous_,
                             .tolerance = settings.tolerance * std::max(enough_, residual_),
                             .share = 1 - (1 - settings.share) * elementary::pow(settings.rest, widenings)},
                            set_lambda_);
  put_back();
  return judge(SolvePart::newton);
}

bool WorkingSet::solve_equations(int round) {
  if (left_out_.contains(StageName::equations_of_set)) return false;
  WorkingSetSettings const& settings = cascade.working_set;
  choose();
  int const least = (is_near() ? settings.first_steps_near : settings.first_steps_far) << round;
  int const steps = std::max(least, static_cast<int>(iterations_ / island_solver_->newton_cost(set_)));
  SolveSettings some = *settings_;
  some.iteration_limit = std::clamp(settings_->iteration_limit - iterations_, 1, steps);
  IslandSolver::Result const result = island_solver_->solve({.island = set_,
                                                             .settings = some,
                                                             .tolerance = tolerance_,
                                                             .previous = set_previous_,
                                                             .history = history_,
                                                             .number = number_,
                                                             .begin = IslandTask::Begin::equations},
                                                            set_lambda_, set_eta_);
  iterations_ += result.iterations;
  put_back();
  return judge(result.part);
}

IslandSolver::Result WorkingSet::solve(ContactProblem const& problem, std::span<const int> blocks,
                                       IslandTask const& task, IslandSolver& island_solver,
                                       BlockVector& lambda, BlockVector& eta) {
  problem_ = &problem;
  blocks_ = blocks;
  island_ = &task.island;
  settings_ = &task.settings;
  history_ = task.history;
  island_solver_ = &island_solver;
  number_ = task.number;
  iterations_ = 0;
  tolerance_ = task.tolerance;
  enough_ = std::max(task.tolerance, task.settings.acceptable);
  previous_ = task.previous;
  lambda_ = lambda;
  // The last force is taken as it is only where nothing has changed: errors of many steps would add up.
  judge(SolvePart::none);
  bool done = residual_ <= tolerance_;
  if (!done) {
    sweep(*island_, previous_, cascade.working_set.first_sweeps, lambda_, eta_);
    done = judge(SolvePart::gauss_seidel);
  }
  for (int round = 0; !done && round < cascade.working_set.handovers && !is_exhausted(); ++round)
    done = sweep_sets() || solve_equations(round);
  lambda = lambda_;
  eta = eta_;
  if (done || is_exhausted())
    return {residual_, iterations_, part_, done ? SolveStatus::converged : SolveStatus::iteration_limit};
  SolveSettings rest = *settings_;
  rest.iteration_limit = settings_->iteration_limit - iterations_;
  IslandTask whole{task.island, rest, task.tolerance, previous_, history_, number_};
  IslandSolver::Result result = island_solver.solve(whole, lambda, eta);
  result.iterations += iterations_;
  return result;
}

}  // namespace delassus
