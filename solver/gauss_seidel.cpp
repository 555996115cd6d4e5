#include "solver/gauss_seidel.hpp"

#include "solver/block_solver.hpp"

namespace delassus {

GaussSeidel::Result GaussSeidel::solve(ContactProblem const& problem, std::span<const int> island,
                                       SolveSettings const& settings, double tolerance, int limit,
                                       Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution) {
  Result result;
  do {
    sweep(problem, island, settings, previous, solution);
    ++result.sweeps;
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

void GaussSeidel::sweep(ContactProblem const& problem, std::span<const int> island,
                        SolveSettings const& settings, Eigen::Ref<const Eigen::VectorXd> previous,
                        Solution& solution) {
  for (int const index : island) {
    auto const k = static_cast<std::size_t>(index);
    ProblemBlock const& block = problem.blocks[k];
    Eigen::Matrix3d const& A = problem.A.diagonal(k);
    Eigen::Vector3d const eta = eta_of_block(problem, k, solution.lambda.data());
    Eigen::Vector3d own = Eigen::Vector3d::Zero(), last = Eigen::Vector3d::Zero();
    for (int i = 0; i < block.rows(); ++i) {
      own[i] = solution.lambda[block.first + i];
      last[i] = previous[block.first + i];
    }
    Eigen::Vector3d const b = A * own - eta;
    BlockChoice const choice = solve_block(block.set, settings.law, settings.rule, A, b, last);
    for (int i = 0; i < block.rows(); ++i) solution.lambda[block.first + i] = choice.lambda[i];
    solution.modes[k] = choice.mode;
    solution.solutions[k] = choice.solutions;
  }
}

}  // namespace delassus
