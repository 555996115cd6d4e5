#include "solver/gauss_seidel.hpp"

#include "solver/block_solver.hpp"

namespace delassus {

GaussSeidel::Result GaussSeidel::solve(ContactProblem const& problem, std::span<const int> island,
                                       SolveSettings const& settings, double tolerance, int limit,
                                       Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution) {
  Result result;
  // The residual costs as much as a sweep: after the first few it is asked for once in a while.
  constexpr int few = 8;
  do {
    // To and fro: what a sweep carries down a pile the next one carries up.
    sweep(problem, island, result.sweeps % 2 == 1, settings, previous, solution);
    ++result.sweeps;
    if (result.sweeps <= few || result.sweeps % few == 0 || result.sweeps >= limit)
      result.residual = residual(problem, island, settings.law, solution.lambda);
  } while (!(result.residual <= tolerance) && result.sweeps < limit);
  return result;
}

double GaussSeidel::residual(ContactProblem const& problem, std::span<const int> island, ContactLaw law,
                             Eigen::Ref<const Eigen::VectorXd> lambda) {
  if (eta_.size() < problem.b.size()) eta_.resize(problem.b.size());
  for (int const k : island) {
    ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(k)];
    Eigen::Vector3d const eta = eta_of_block(problem, static_cast<std::size_t>(k), lambda.data());
    for (int i = 0; i < block.rows(); ++i) eta_[block.first + i] = eta[i];
  }
  return residual_of_blocks(problem, island, lambda, eta_, law);
}

void GaussSeidel::sweep(ContactProblem const& problem, std::span<const int> island, bool backward,
                        SolveSettings const& settings, Eigen::Ref<const Eigen::VectorXd> previous,
                        Solution& solution) {
  for (std::size_t i = 0; i < island.size(); ++i) {
    auto const k = static_cast<std::size_t>(island[backward ? island.size() - 1 - i : i]);
    ProblemBlock const& block = problem.blocks[k];
    Eigen::Matrix3d const& A = problem.A.diagonal(k);
    Eigen::Vector3d const eta = eta_of_block(problem, k, solution.lambda.data());
    Eigen::Vector3d own = Eigen::Vector3d::Zero(), last = Eigen::Vector3d::Zero();
    for (int row = 0; row < block.rows(); ++row) {
      own[row] = solution.lambda[block.first + row];
      last[row] = previous[block.first + row];
    }
    Eigen::Vector3d const b = A * own - eta;
    BlockChoice const choice = solve_block(block.set, settings.law, settings.rule, A, b, last);
    for (int row = 0; row < block.rows(); ++row) solution.lambda[block.first + row] = choice.lambda[row];
    solution.modes[k] = choice.mode;
    solution.solutions[k] = choice.solutions;
  }
}

}  // namespace delassus
