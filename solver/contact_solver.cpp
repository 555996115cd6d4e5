#include "solver/contact_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/block_solver.hpp"
#include "solver/classification.hpp"

namespace delassus {
namespace {

constexpr Eigen::Index small_island = 200;  // rows; one dense factorisation then costs less than sweeps would
constexpr Eigen::Index dense_island = 1500;  // rows; beyond, a dense matrix takes seconds and much memory
// Of islands that are swept: the last digits of hundreds of forces would cost most of the time.
constexpr double swept_tolerance = 1e-6;
constexpr int most_sweeps = 400;
constexpr int newton_steps = 40;
constexpr double soft_tolerance =
    1e-14;  // of the problem with a compliance of 1e-6, which divides it in redundant directions
constexpr double good_enough = 1e-8;
constexpr double last_bits = 1e-12;  // where Newton's method ends here, rounding is all that is left

// Rounding of the sum over many rows.
double attainable(double tolerance, Eigen::Index rows) {
  return tolerance * std::clamp(std::sqrt(static_cast<double>(rows)) / 2, 1.0, 5.0);
}

}  // namespace

void ContactSolver::solve(ContactProblem const& problem, SolveSettings const& settings,
                          Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution) {
  solution.status = SolveStatus::converged;
  solution.iterations = 0;
  solution.residual = 0;
  solution.modes.resize(problem.blocks.size());
  solution.solutions.resize(problem.blocks.size());
  solution.lambda = previous;
  islands_.find(problem.A);
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    auto const island = islands_[i];
    Outcome const outcome =
        settings.law == ContactLaw::nakaoka ? project_bilateral_force(problem, island, solution)
        : island.size() == 1                ? solve_one_block(problem, island, settings, previous, solution)
        : settings.law == ContactLaw::anitescu_tasora
            ? sweep_only(problem, island, settings, previous, solution)
            : solve_island(problem, island, settings, previous, solution);
    solution.residual = std::max(solution.residual, outcome.residual);
    solution.iterations = std::max(solution.iterations, outcome.iterations);
    solution.status = std::max(solution.status, outcome.status);
  }
}

ContactSolver::Outcome ContactSolver::solve_one_block(ContactProblem const& problem,
                                                      std::span<const int> island,
                                                      SolveSettings const& settings,
                                                      Eigen::Ref<const Eigen::VectorXd> previous,
                                                      Solution& solution) {
  auto const k = static_cast<std::size_t>(island[0]);
  ProblemBlock const& block = problem.blocks[k];
  Eigen::Vector3d b = Eigen::Vector3d::Zero(), last = Eigen::Vector3d::Zero();
  for (int i = 0; i < block.rows(); ++i) {
    b[i] = problem.b[block.first + i];
    last[i] = previous[block.first + i];
  }
  BlockChoice const choice =
      solve_block(block.set, settings.law, settings.rule, problem.A.diagonal(k), b, last);
  bool finite = true;
  for (int i = 0; i < block.rows(); ++i) finite = finite && std::isfinite(choice.lambda[i]);
  for (int i = 0; i < block.rows(); ++i) solution.lambda[block.first + i] = finite ? choice.lambda[i] : 0;
  solution.modes[k] = choice.mode;
  solution.solutions[k] = finite ? choice.solutions : 0;
  double const residual = gauss_seidel_.residual(problem, island, settings.law, solution.lambda);
  // A residual that is no number comes of data that is none.
  bool const solved = solution.solutions[k] > 0 && std::isfinite(residual);
  return {residual, 1, solved ? SolveStatus::converged : SolveStatus::inconsistent};
}

ContactSolver::Outcome ContactSolver::sweep_only(ContactProblem const& problem, std::span<const int> island,
                                                 SolveSettings const& settings,
                                                 Eigen::Ref<const Eigen::VectorXd> previous,
                                                 Solution& solution) {
  Outcome outcome;
  auto const result = gauss_seidel_.solve(problem, island, settings, settings.tolerance,
                                          settings.iteration_limit, previous, solution);
  outcome.residual = result.residual;
  outcome.iterations = result.sweeps;
  if (!(result.residual <= settings.tolerance)) outcome.status = SolveStatus::iteration_limit;
  for (int const k : island) {
    if (solution.solutions[static_cast<std::size_t>(k)] == 0) outcome.status = SolveStatus::inconsistent;
  }
  return outcome;
}

ContactSolver::Outcome ContactSolver::project_bilateral_force(ContactProblem const& problem,
                                                              std::span<const int> island,
                                                              Solution& solution) {
  // As long as it takes: the law has no other definition.
  island_.gather(problem, island, std::numeric_limits<Eigen::Index>::max());
  auto matrix = matrix_.resize(island_.rows(), island_.rows());
  auto right = right_.resize(island_.rows()), r = lambda_.resize(island_.rows());
  matrix = island_.A();
  right = island_.b();
  least_norm_.solve(matrix, right, r, 1e-14);
  std::vector<ProblemBlock> const blocks(island_.blocks().begin(), island_.blocks().end());
  Eigen::VectorXd lambda(island_.rows());
  for (std::size_t i = 0; i < island.size(); ++i) {
    auto const k = static_cast<std::size_t>(island[i]);
    ProblemBlock const& block = problem.blocks[k];
    Eigen::Vector3d part = Eigen::Vector3d::Zero();
    for (int row = 0; row < block.rows(); ++row) part[row] = r[blocks[i].first + row];
    // With A = I the one-block law (80) is the projection of r itself.
    BlockChoice const choice = solve_block(block.set, ContactLaw::nakaoka, SolutionRule::continuous,
                                           Eigen::Matrix3d::Identity(), part, part);
    for (int row = 0; row < block.rows(); ++row)
      lambda[blocks[i].first + row] = solution.lambda[block.first + row] = choice.lambda[row];
    solution.modes[k] = choice.mode;
    solution.solutions[k] = choice.solutions;
  }
  ContactProblem const part = ContactProblem::from_dense(island_.A(), island_.b(), blocks);
  return {scale_free_residual(part, lambda, ContactLaw::nakaoka), 0, SolveStatus::converged};
}

bool ContactSolver::keep(NewtonResult const& result) {
  iterations_ += result.iterations;
  bool const good = result.residual <= tolerance_ ||
                    // Nothing more can be had: the last bits,
                    (result.stationary && result.residual <= last_bits) ||
                    // or redundant rows whose b agree but for the rounding that 1/delta^2 has multiplied.
                    (result.stationary && result.deficiency > 0 && result.residual <= consistent_fraction);
  if (good || result.residual < best_residual_) {
    best_residual_ = result.residual;
    best_.view() = lambda_.view();
  }
  return good;
}

bool ContactSolver::newton() {
  bool const all_free = island_.all_free();
  NewtonResult const result =
      newton_.solve(island_, tolerance_, newton_steps,
                    all_free ? Newton::WhenSingular::go_on : Newton::WhenSingular::stop, lambda_.view());
  if (result.deficiency == 0 || all_free) {
    bool const good = keep(result);
    if (all_free || (good && !newton_.on_edge(island_, lambda_.view()))) return good;
    return newton_with_compliance(false) || good;  // it replaces what is good only by what is
  }
  iterations_ += result.iterations;
  return newton_with_compliance(true);
}

// alpha: far above the rounding of A, so that it decides what A leaves open, and far below what A decides.
bool ContactSolver::newton_with_compliance(bool singular) {
  auto lambda = lambda_.view(), zero = right_.resize(island_.rows());
  zero.setZero();
  double const alpha = 1e-6 * island_.least_compliance();
  softened_.regularise(island_, alpha, zero);
  NewtonResult soft =
      newton_.solve(softened_, soft_tolerance, newton_steps, Newton::WhenSingular::go_on, lambda);
  iterations_ += soft.iterations;
  if (!(soft.residual <= 1e-9)) {
    // From a stiff compliance down, each from the solution of the last.
    lambda.setZero();
    for (double factor : {1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1.0}) {
      softened_.regularise(island_, factor * alpha, zero);
      soft = newton_.solve(softened_, soft_tolerance, newton_steps, Newton::WhenSingular::go_on, lambda);
      iterations_ += soft.iterations;
    }
  }
  auto soft_lambda = candidate_.resize(island_.rows());
  soft_lambda = lambda;
  NewtonResult const hard = newton_.solve_in_modes(island_, tolerance_, 12, lambda);
  if (keep(hard)) return true;
  singular = singular || hard.deficiency > 0;
  // On the edge between modes those of the soft problem may be none of the hard one. Proximal steps end in
  // its solutions all the same, and next to the soft one: each divides the residual by about 1e6.
  lambda = soft_lambda;
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 25; ++round) {
    softened_.regularise(island_, alpha, lambda);
    NewtonResult result =
        newton_.solve(softened_, soft_tolerance, newton_steps, Newton::WhenSingular::go_on, lambda);
    result.residual = newton_.residual(island_, lambda);
    result.deficiency = singular ? 1 : 0;                 // of the island, not of these equations
    result.stationary = !(result.residual < 0.5 * last);  // no longer falls
    last = result.residual;
    if (keep(result)) return true;
    if (result.stationary) break;
  }
  return keep(newton_.solve(island_, tolerance_, newton_steps, Newton::WhenSingular::go_on, lambda));
}

bool ContactSolver::proximal() {
  auto lambda = lambda_.view();
  lambda = best_.view();
  double alpha = island_.trace() / static_cast<double>(island_.rows());
  for (int round = 0; round < 40; ++round) {
    softened_.regularise(island_, alpha, lambda);
    iterations_ += newton_.solve(softened_, 1e-12, 20, Newton::WhenSingular::go_on, lambda).iterations;
    alpha = std::max(0.5 * alpha, 1e-6 * island_.least_compliance());
    if (round % 10 == 9) {
      auto centre = centre_.resize(island_.rows());
      centre = lambda;
      if (newton()) return true;
      lambda = centre;
    }
  }
  return false;
}

bool ContactSolver::sweep(ContactProblem const& problem, std::span<const int> island,
                          SolveSettings const& settings, int limit,
                          Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution) {
  auto const result = gauss_seidel_.solve(problem, island, settings, tolerance_, limit, previous, solution);
  iterations_ += result.sweeps;
  auto lambda = lambda_.view();
  for (std::size_t i = 0; i < island.size(); ++i) {
    ProblemBlock const& global = problem.blocks[static_cast<std::size_t>(island[i])];
    ProblemBlock const& local = island_.blocks()[i];
    lambda.segment(local.first, local.rows()) = solution.lambda.segment(global.first, global.rows());
  }
  if (result.residual < best_residual_) {
    best_residual_ = result.residual;
    best_.view() = lambda;
  }
  return result.residual <= tolerance_;
}

ContactSolver::Outcome ContactSolver::solve_island(ContactProblem const& problem, std::span<const int> island,
                                                   SolveSettings const& settings,
                                                   Eigen::Ref<const Eigen::VectorXd> previous,
                                                   Solution& solution) {
  island_.gather(problem, island, dense_island);
  Eigen::Index const rows = island_.rows();
  auto lambda = lambda_.resize(rows), best = best_.resize(rows);
  auto const scatter = [&] {
    for (std::size_t i = 0; i < island.size(); ++i) {
      ProblemBlock const& global = problem.blocks[static_cast<std::size_t>(island[i])];
      ProblemBlock const& local = island_.blocks()[i];
      solution.lambda.segment(global.first, global.rows()) = best.segment(local.first, local.rows());
    }
  };
  for (std::size_t i = 0; i < island.size(); ++i) {
    ProblemBlock const& global = problem.blocks[static_cast<std::size_t>(island[i])];
    lambda.segment(island_.blocks()[i].first, global.rows()) = previous.segment(global.first, global.rows());
  }
  if (!lambda.allFinite()) lambda.setZero();
  best.setZero();
  if (!island_.finite()) {
    scatter();
    for (int const k : island) {
      solution.modes[static_cast<std::size_t>(k)] = ContactMode::detached;
      solution.solutions[static_cast<std::size_t>(k)] = 0;
    }
    return {std::numeric_limits<double>::infinity(), 0, SolveStatus::inconsistent};
  }
  bool const small = rows <= small_island;
  tolerance_ = attainable(small ? settings.tolerance : std::max(settings.tolerance, swept_tolerance), rows);
  best_residual_ = std::numeric_limits<double>::infinity();
  iterations_ = 0;

  auto const sweeps = [&](int limit) {
    scatter();
    return sweep(problem, island, settings, limit, previous, solution);
  };
  bool done = false;
  bool contradiction = false;
  if (settings.rule == SolutionRule::continuous && small) {
    done = newton();
  } else {
    best = lambda;
    done = sweeps(std::min(small ? 100 : most_sweeps, settings.iteration_limit));
    if (small) done = newton() || done;
  }
  if (!done && find_contradictions(island)) {
    // What is left of the demands can be met, and that is the least-squares force.
    contradiction = done = true;
    best_residual_ = std::numeric_limits<double>::infinity();
    lambda.setZero();
    newton();
  }
  for (int const limit : {30, 300}) {
    if (done || !small) break;
    done = sweeps(std::min(limit, settings.iteration_limit));
    // Newton makes what sweeps have found exact and of least norm.
    done = newton() || done;
  }
  if (!done && small) done = proximal();
  scatter();

  // What is left below this are redundant rows that disagree by rounding, or blocks on the edge of two modes.
  bool const converged = !contradiction && (done || best_residual_ <= good_enough);
  classify(problem, island, converged, solution);
  if (contradiction) {
    best_residual_ = gauss_seidel_.residual(problem, island, settings.law, solution.lambda);
    for (int const k : contradictory_) solution.solutions[static_cast<std::size_t>(k)] = 0;
  }
  SolveStatus status = converged ? SolveStatus::converged : SolveStatus::iteration_limit;
  for (int const k : island) {
    if (solution.solutions[static_cast<std::size_t>(k)] == 0) status = SolveStatus::inconsistent;
  }
  return {best_residual_, iterations_, status};
}

// Free blocks that no force satisfies together: the least-squares solution of their rows leaves a remainder,
// which is then taken from island_.
bool ContactSolver::find_contradictions(std::span<const int> island) {
  Eigen::Index rows = 0;
  for (ProblemBlock const& block : island_.blocks()) rows += is_free(block.set.kind) ? block.rows() : 0;
  if (rows == 0 || island_.rows() > dense_island) return false;
  auto matrix = matrix_.resize(rows, island_.rows());
  auto right = right_.resize(rows), lambda = candidate_.resize(island_.rows());
  double const rho = static_cast<double>(island_.rows()) / island_.trace();
  if (!std::isfinite(rho)) return false;
  Eigen::Index row = 0;
  for (ProblemBlock const& block : island_.blocks()) {
    if (!is_free(block.set.kind)) continue;
    matrix.middleRows(row, block.rows()) = rho * island_.A().middleRows(block.first, block.rows());
    right.segment(row, block.rows()) = rho * island_.b().segment(block.first, block.rows());
    row += block.rows();
  }
  least_norm_.solve(matrix, right, lambda);
  double const size = std::max(rho * island_.b().norm(), lambda.norm());
  contradictory_.clear();
  for (std::size_t i = 0; i < island.size(); ++i) {
    ProblemBlock const& block = island_.blocks()[i];
    if (!is_free(block.set.kind)) continue;
    double remainder = 0;
    for (Eigen::Index k = block.first; k < block.first + block.rows(); ++k)
      remainder = std::max(remainder, rho * std::abs(island_.A().row(k).dot(lambda) - island_.b()[k]));
    if (!(remainder > consistent_fraction * size)) continue;
    contradictory_.push_back(island[i]);
  }
  if (contradictory_.empty()) return false;
  for (ProblemBlock const& block : island_.blocks()) {
    if (!is_free(block.set.kind)) continue;
    for (Eigen::Index k = block.first; k < block.first + block.rows(); ++k)
      island_.replace_b(k, island_.A().row(k).dot(lambda));
  }
  return true;
}

void ContactSolver::classify(ContactProblem const& problem, std::span<const int> island, bool converged,
                             Solution& solution) {
  double const size = best_.view().cwiseAbs().maxCoeff();
  for (int const k : island) {
    auto const at = static_cast<std::size_t>(k);
    BlockClass const found = classify_block(problem, at, solution.lambda, size, converged);
    solution.modes[at] = found.mode;
    solution.solutions[at] = found.solutions;
  }
}

}  // namespace delassus
