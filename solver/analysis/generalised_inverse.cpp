#include "solver/analysis/generalised_inverse.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "solver/island/contact_solver.hpp"
#include "solver/linear/dense.hpp"
#include "solver/linear/least_norm.hpp"
#include "solver/problem/residual.hpp"

namespace delassus {
namespace {

constexpr double solved_residual = 1e-9;

Eigen::VectorXd pseudo_inverse_solution(Eigen::MatrixXd const& A, Eigen::VectorXd const& b) {
  return OrthogonalDecomposition(A, LeastNorm::rank_tolerance).solve(b);
}

void check(ContactProblem const& problem) {
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    if (problem.blocks[k].set.kind != ForceSetKind::interval)
      throw std::invalid_argument(
          "static friction: block " + std::to_string(k) +
          " is not a friction of known bound in one direction; give interval blocks only");
  }
}

}  // namespace

ContactProblem static_friction_problem(Eigen::Ref<const Eigen::MatrixXd> M,
                                       Eigen::Ref<const Eigen::MatrixXd> W,
                                       Eigen::Ref<const Eigen::VectorXd> h,
                                       Eigen::Ref<const Eigen::VectorXd> limits) {
  Cholesky const mass(M);
  if (!mass.is_positive_definite())
    throw std::invalid_argument("static friction: the mass matrix is not positive definite");
  std::vector<ProblemBlock> blocks;
  for (Eigen::Index i = 0; i < W.cols(); ++i)
    blocks.push_back({static_cast<int>(i), {ForceSetKind::interval, limits[i], {}}});
  Eigen::MatrixXd const A = W.transpose() * mass.solve_columns(W);
  Eigen::VectorXd const b = -(W.transpose() * mass.solve(h));
  return ContactProblem::from_dense(A, b, blocks);
}

Eigen::VectorXd holding_forces(ContactProblem const& problem) {
  return pseudo_inverse_solution(problem.dense(), problem.b);
}

StaticForces clipped_static_forces(ContactProblem const& problem) {
  check(problem);
  Eigen::MatrixXd const A = problem.dense();
  StaticForces result;
  result.T = Eigen::VectorXd::Zero(problem.b.size());
  std::vector<Eigen::Index> sticking;
  for (Eigen::Index i = 0; i < problem.b.size(); ++i) sticking.push_back(i);
  for (bool exceeded = true; exceeded && !sticking.empty();) {
    ++result.rounds;
    exceeded = false;
    for (Eigen::Index const i : sticking) result.T[i] = 0;
    Eigen::VectorXd const rest = problem.b - A * result.T;  // what the clipped forces leave
    Eigen::VectorXd const held = pseudo_inverse_solution(A(sticking, sticking), rest(sticking));
    std::vector<Eigen::Index> still;
    for (std::size_t k = 0; k < sticking.size(); ++k) {
      double const limit = problem.blocks[static_cast<std::size_t>(sticking[k])].set.limit;
      double const force = held[static_cast<Eigen::Index>(k)];
      result.T[sticking[k]] = std::clamp(force, -limit, limit);
      if (std::abs(force) > limit)
        exceeded = true;
      else
        still.push_back(sticking[k]);
    }
    sticking = still;
  }
  result.solved = scale_free_residual(problem, result.T) < solved_residual;
  return result;
}

StaticForces static_forces(ContactProblem const& problem) {
  check(problem);
  SolveSettings settings;
  settings.least_norm = true;
  Solution solution;
  ContactSolver solver;
  solver.solve(problem, settings, Eigen::VectorXd::Zero(problem.b.size()), solution);
  StaticForces result;
  result.T = solution.lambda;
  result.solved = solution.status == SolveStatus::converged;
  return result;
}

}  // namespace delassus
