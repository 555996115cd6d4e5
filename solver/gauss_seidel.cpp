#include "solver/gauss_seidel.hpp"

#include <algorithm>

#include "solver/block_solver.hpp"

namespace delassus {
namespace {

void store(BlockChoice const& choice, ProblemBlock const& block, std::size_t k, Solution& solution) {
  solution.lambda.segment(block.first, block.rows()) = choice.lambda.head(block.rows());
  solution.modes[k] = choice.mode;
  solution.solutions[k] = choice.solutions;
}

}  // namespace

void GaussSeidel::solve(ContactProblem const& problem, SolveSettings const& settings,
                        Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution) {
  solution.status = SolveStatus::not_solved;
  solution.iterations = 0;
  solution.modes.resize(problem.blocks.size());
  solution.solutions.resize(problem.blocks.size());
  solution.lambda = previous;

  if (problem.blocks.empty()) {
    solution.residual = 0;
    solution.status = SolveStatus::converged;
    return;
  }
  if (settings.law == ContactLaw::nakaoka) {
    project_bilateral_force(problem, solution);
    solution.residual = scale_free_residual(problem, solution.lambda, settings.law, residual_);
    solution.status = SolveStatus::converged;
    return;
  }
  do {
    sweep(problem, settings, previous, solution);
    ++solution.iterations;
    solution.residual = scale_free_residual(problem, solution.lambda, settings.law, residual_);
  } while (problem.blocks.size() > 1 && !(solution.residual <= settings.tolerance) &&
           solution.iterations < settings.iteration_limit);

  bool const unsolvable =
      std::find(solution.solutions.begin(), solution.solutions.end(), 0) != solution.solutions.end();
  if (unsolvable) {
    solution.status = SolveStatus::no_solution;
  } else if (problem.blocks.size() == 1 || solution.residual <= settings.tolerance) {
    solution.status = SolveStatus::converged;  // one block was solved exactly
  } else {
    solution.status = SolveStatus::iteration_limit;
  }
}

void GaussSeidel::sweep(ContactProblem const& problem, SolveSettings const& settings,
                        Eigen::Ref<const Eigen::VectorXd> previous, Solution& solution) {
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    ProblemBlock const& block = problem.blocks[k];
    int const n = block.rows();
    Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
    A.topLeftCorner(n, n) = problem.A.block(block.first, block.first, n, n);
    Eigen::Vector3d own = Eigen::Vector3d::Zero(), b = Eigen::Vector3d::Zero(),
                    last = Eigen::Vector3d::Zero();
    own.head(n) = solution.lambda.segment(block.first, n);
    last.head(n) = previous.segment(block.first, n);
    b.head(n) = problem.b.segment(block.first, n);
    for (int i = 0; i < n; ++i)
      b(i) -= problem.A.row(block.first + i).dot(solution.lambda) - A.row(i).head(n).dot(own.head(n));
    store(solve_block(block.set, settings.law, settings.rule, A, b, last), block, k, solution);
  }
}

void GaussSeidel::project_bilateral_force(ContactProblem const& problem, Solution& solution) {
  factor_.compute(problem.A);
  bilateral_ = factor_.solve(problem.b);
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    ProblemBlock const& block = problem.blocks[k];
    Eigen::Vector3d r = Eigen::Vector3d::Zero();
    r.head(block.rows()) = bilateral_.segment(block.first, block.rows());
    // With A = I the one-block law (80) is the projection of r itself.
    store(solve_block(block.set, ContactLaw::nakaoka, SolutionRule::continuous, Eigen::Matrix3d::Identity(),
                      r, r),
          block, k, solution);
  }
}

}  // namespace delassus
