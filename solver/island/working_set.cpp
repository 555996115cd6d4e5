#include "solver/island/working_set.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

constexpr std::size_t least_blocks = 200;  // of an island
constexpr int first_sweeps = 30;           // over all blocks
// Over a set between two choices of it, which is a round; how many rounds before equations are solved.
// The first is short, because in a pile of a thousand contacts places are cheap; the others are longer, because mixing begins anew
// in each and in a large pile comes into its own after some dozens of sweeps.
constexpr int first_round = 40, longest_round = 80, most_choices = 20;
constexpr int sweeps_between_looks = 20, rounds_between_orders = 4;
// Steps that equations need where the residual is below `near`, and elsewhere. A round is slow where at its rate more
// sweeps are left than these steps are worth; after as many slow sweeps, and more than these, equations take over.
constexpr double near = 3e-5, steps_near = 6, steps_far = 15, least_slow_sweeps = 60;
// Steps that they may take before sweeps go on; twice as many the next time, and so on. Near a solution few are enough
// or none.
constexpr int first_steps_near = 6, first_steps_far = 40;
// Of what is wrong, the share whose places are solved. After a round that leaves more than this of the residual, what
// is left out shrinks by a factor, some times in a row.
constexpr double first_share = 0.6, left_out = 0.7, little_gained = 0.7;
constexpr int most_widenings = 4;
// What may be left at a place beside what is left in the island.
constexpr double left_at_places = 0.1;
// How often equations may take over from sweeps before the whole island is solved.
constexpr int most_rounds = 6;
// An open contact may well close while the others are solved where eta_n is below this beside the mean of b.
constexpr double nearly_closed = 0.02;

}  // namespace

bool WorkingSet::applies(IslandProblem const& island, SolveSettings const& settings) {
  return island.factored() && island.size() >= least_blocks && settings.law == ContactLaw::coulomb &&
         settings.method == SolveMethod::automatic;
}

// At lambda_ in the whole island; true where it is good enough.
bool WorkingSet::look(SolvePart part) {
  island_->eta(lambda_, eta_);
  residual_ = island_->residual(lambda_, eta_);
  part_ = part;
  if (history_) history_->push_back({number_, part, iterations_, residual_});
  return residual_ <= enough_;
}

// Up to so many sweeps. The last force is as it was swept, for a mixed one solves no block.
void WorkingSet::sweep(IslandProblem const& island, BlockVector const& previous, int count,
                       BlockVector& lambda, BlockVector& eta) {
  gauss_seidel_.begin(island, *settings_);
  mixing_.begin();
  motion_.assign(static_cast<std::size_t>(island.W().columns()), 0);
  island.motion(lambda, motion_);
  for (int i = 1;; ++i) {
    before_ = lambda;
    gauss_seidel_.sweep(island, *settings_, previous, lambda, motion_);
    ++iterations_;
    if (i == count) return;
    if (i % sweeps_between_looks == 0) {
      island.eta(lambda, eta);
      if (island.residual(lambda, eta) <= enough_) return;
    }
    mixing_.mix(before_, lambda, &motion_);
  }
}

// From lambda_ and eta_.
void WorkingSet::choose(ContactProblem const& problem) {
  double squares = 0;
  for (Eigen::Vector3d const& b : island_->b()) squares += b.squaredNorm();
  double const slowly = nearly_closed * std::sqrt(squares / island_->rows());
  members_.clear();
  member_blocks_.clear();
  set_previous_.clear();
  set_lambda_.clear();
  for (std::size_t k = 0; k < island_->size(); ++k) {
    ForceSetKind const kind = island_->set(k).kind;
    int const normal = rows_of(kind) - 1;
    if (can_open(kind) && !(lambda_[k][normal] > 0) && !(eta_[k][normal] < slowly)) continue;
    members_.push_back(static_cast<int>(k));
    member_blocks_.push_back(blocks_[k]);
    set_previous_.push_back(previous_[k]);
    set_lambda_.push_back(lambda_[k]);
  }
  set_.gather(problem, member_blocks_);
  set_.set_measure(settings_->measure, settings_->law);
  set_.set_floor(island_->scale());
}

void WorkingSet::put_back() {
  std::fill(lambda_.begin(), lambda_.end(), Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < members_.size(); ++i)
    lambda_[static_cast<std::size_t>(members_[i])] = set_lambda_[i];
}

// Whether at the rate of this round more rounds are left than equations are worth.
bool WorkingSet::is_slow(double before, double worth) const {
  double const rate = std::log(before / residual_), left = std::log(residual_ / enough_);
  return !(rate > 0) || left / rate > worth;
}

bool WorkingSet::sweep_sets(ContactProblem const& problem, IslandSolver& island_solver) {
  int stuck = 0;
  double slow = 0, lowest = residual_, step = 0;
  int before = iterations_;
  for (int i = 0; i < most_choices && !over(); ++i) {
    choose(problem);
    if (!set_.factored()) return false;  // so few that equations are better
    sweep(set_, set_previous_, std::min((i + 1) * first_round, longest_round), set_lambda_, set_eta_);
    put_back();
    if (look(SolvePart::gauss_seidel)) return true;
    // The set hardly changes, and to find an order of elimination takes as long as some sweeps.
    if (i % rounds_between_orders == 0) step = island_solver.worth_in_sweeps(set_);
    double const worth = step * (residual_ < near ? steps_near : steps_far);
    int const sweeps = iterations_ - before;
    slow = is_slow(lowest, worth / sweeps) ? slow + sweeps : 0;
    if (slow > std::max(worth, least_slow_sweeps)) return false;
    stuck = residual_ < little_gained * lowest ? 0 : std::min(stuck + 1, most_widenings);
    lowest = std::min(lowest, residual_);
    before = iterations_;
    double const share = 1 - (1 - first_share) * std::pow(left_out, stuck);
    iterations_ += local_solves_.improve(problem, member_blocks_, set_, *settings_,
                                         left_at_places * std::max(enough_, residual_), set_previous_, share,
                                         set_lambda_);
    put_back();
    if (look(SolvePart::newton)) return true;
  }
  return false;
}

void WorkingSet::solve_set(ContactProblem const& problem, double tolerance, int steps,
                           IslandSolver& island_solver) {
  choose(problem);
  SolveSettings some = *settings_;
  some.iteration_limit = std::clamp(settings_->iteration_limit - iterations_, 1, steps);
  IslandSolver::Result const result =
      island_solver.solve(set_, some, tolerance, set_previous_, set_lambda_, set_eta_, history_, number_,
                          IslandSolver::Begin::equations);
  iterations_ += result.iterations;
  put_back();
  look(result.part);
}

IslandSolver::Result WorkingSet::solve(ContactProblem const& problem, std::span<const int> blocks,
                                       IslandProblem const& island, SolveSettings const& settings,
                                       double tolerance, IslandSolver& island_solver, BlockVector& lambda,
                                       BlockVector& eta, std::vector<SolveRecord>* history, int number) {
  island_ = &island;
  settings_ = &settings;
  blocks_ = blocks;
  history_ = history;
  number_ = number;
  iterations_ = 0;
  enough_ = std::max(tolerance, settings.acceptable);
  previous_ = lambda;
  lambda_ = lambda;
  // The last force is taken as it is only where nothing has changed: errors of many steps would add up.
  look(SolvePart::none);
  bool done = residual_ <= tolerance;
  if (!done) {
    sweep(island, previous_, first_sweeps, lambda_, eta_);
    done = look(SolvePart::gauss_seidel);
  }
  for (int round = 0; !done && round < most_rounds && !over(); ++round) {
    done = sweep_sets(problem, island_solver);
    if (done) break;
    solve_set(problem, tolerance, (residual_ < near ? first_steps_near : first_steps_far) << round,
              island_solver);
    done = residual_ <= enough_;
  }
  lambda = lambda_;
  eta = eta_;
  if (done || over())
    return {residual_, iterations_, part_, done ? SolveStatus::converged : SolveStatus::iteration_limit};
  SolveSettings rest = settings;
  rest.iteration_limit = settings.iteration_limit - iterations_;
  IslandSolver::Result result =
      island_solver.solve(island, rest, tolerance, previous_, lambda, eta, history, number);
  result.iterations += iterations_;
  return result;
}

}  // namespace delassus
