// The force of least norm among those of a redundant island (Oprea's T_s), which does not depend on the past.
//
// With D the same number for all rows and the centre zero, the solution of the regularised problem (A + D, b) tends to
// the force of least norm as D tends to zero, and tells its modes: this is the soft solution. In these modes the force
// is the least-norm solution of linear equations. A small island takes it from a dense decomposition. A large one
// solves about the last solution again and again: each time divides the effect of D by some 1e6 and leaves alone what A
// does not decide.
#include <algorithm>
#include <limits>

#include "solver/block/classification.hpp"
#include "solver/island/solver.hpp"

namespace delassus {

// D is the same for all rows, and the centre zero.
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

// After the island is solved by any force.
void IslandSolver::end_with_least_norm() {
  LeastNormSettings const& settings = cascade.least_norm;
  double const bound = std::max(tolerance_, best_residual_);
  lambda_ = best_;
  eta_ = best_eta_;
  if (take_least_norm(settings.steps, bound)) return;
  if (left_out_.contains(StageName::least_norm_continuation)) return;
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
  begin_soft_problem(small || over_bodies ? settings.modes_compliance : settings.soft_compliance);
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
  return refine_soft_solution(limit, bound);
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
    // Redundant rows whose b disagree by the rounding that 1/delta^2 has multiplied: in these modes the force of least
    // squares comes out again and again. Any other force would add self-stress, in vain.
    for (std::size_t k = 0; k < island_->size(); ++k) before_exact_[k] -= lambda_[k];
    if (i > 0 && norm_of(before_exact_) <= cascade.least_norm.same_force * norm_of(lambda_)) {
      bound = std::max(bound, consistent_fraction);
      if (accept_least_norm(bound)) return true;
    }
  }
  return false;
}

// First in its modes. Then directions of slip have to turn a little, or a block is on the edge between two modes:
// proximal steps end in solutions all the same, and next to the soft one.
bool IslandSolver::refine_soft_solution(int limit, double bound) {
  LeastNormSettings const& settings = cascade.least_norm;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < settings.refinements; ++i) {
    centre_ = lambda_;
    if (!newton_.solve_again(*island_, D_, centre_, lambda_, eta_)) return false;
    if (accept_least_norm(bound)) return true;
    if (!(residual_ < settings.refinement_gain * last)) break;
    last = residual_;
  }
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
