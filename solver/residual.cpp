#include "solver/residual.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/friction_cone.hpp"

namespace delassus {
namespace {

// P_C of one block, in place.
void project(ForceSet const& set, Eigen::Ref<Eigen::VectorXd> lambda) {
  switch (set.kind) {
    case ForceSetKind::half_line:
      lambda[0] = std::max(lambda[0], 0.0);
      break;
    case ForceSetKind::interval:
      lambda[0] = std::clamp(lambda[0], -set.limit, set.limit);
      break;
    case ForceSetKind::disc:
      if (double const norm = std::hypot(lambda[0], lambda[1]); norm > set.limit) lambda *= set.limit / norm;
      break;
    case ForceSetKind::cone2:
      lambda = PlanarCone(set.limit).project(lambda);
      break;
    case ForceSetKind::cone3:
      lambda = SpatialCone(set.limit).project(lambda);
      break;
  }
}

// eta~ - eta: De Saxce's mu |eta_t| on the normal row of a cone.
double correction(ForceSet const& set, Eigen::Ref<const Eigen::VectorXd> eta) {
  switch (set.kind) {
    case ForceSetKind::cone2:
      return set.limit * std::abs(eta[0]);
    case ForceSetKind::cone3:
      return set.limit * std::hypot(eta[0], eta[1]);
    default:
      return 0;
  }
}

// The answer of (80) to r = A^-1 b, in place.
void project_at_constant_normal(ForceSet const& set, Eigen::Ref<Eigen::VectorXd> r) {
  Eigen::Index const tangential_rows = r.size() - 1;
  double& normal = r[tangential_rows];
  normal = std::max(normal, 0.0);
  double const tangential = r.head(tangential_rows).stableNorm();
  if (tangential > set.limit * normal) r.head(tangential_rows) *= set.limit * normal / tangential;
}

Eigen::VectorXd pseudo_inverse_times(Eigen::MatrixXd const& A, Eigen::VectorXd const& b) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> const eigen(0.5 * A + 0.5 * A.transpose());
  Eigen::VectorXd coordinates = eigen.eigenvectors().transpose() * b;
  // Eigenvalues below rounding (1e-14 of the trace, as in the solver of one block) span the null space.
  double const floor = 1e-14 * A.trace();
  for (Eigen::Index i = 0; i < coordinates.size(); ++i) {
    coordinates[i] = eigen.eigenvalues()[i] > floor ? coordinates[i] / eigen.eigenvalues()[i] : 0.0;
  }
  return eigen.eigenvectors() * coordinates;
}

double residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda, ContactLaw law,
                double rho, ResidualWorkspace& workspace) {
  if (problem.b.size() == 0) return 0;
  Eigen::VectorXd& eta = workspace.eta;
  Eigen::VectorXd& projected = workspace.projected;
  eta = -problem.b;
  eta.noalias() += problem.A * lambda;
  double scale = std::max({rho * problem.b.stableNorm(), lambda.stableNorm(), rho * eta.stableNorm()});
  if (law == ContactLaw::nakaoka) {
    projected = pseudo_inverse_times(problem.A, problem.b);
    scale = std::max(scale, projected.stableNorm());
  } else {
    projected = lambda - rho * eta;
  }
  for (ProblemBlock const& block : problem.blocks) {
    auto part = projected.segment(block.first, block.rows());
    if (law == ContactLaw::nakaoka && has_normal(block.set.kind)) {
      project_at_constant_normal(block.set, part);
      continue;
    }
    if (law == ContactLaw::coulomb) {
      part[block.rows() - 1] -= rho * correction(block.set, eta.segment(block.first, block.rows()));
    }
    project(block.set, part);
  }
  projected -= lambda;
  double const distance = projected.stableNorm();
  if (distance == 0) return 0;
  // A force so large that eta overflows solves nothing.
  return std::isfinite(distance) && std::isfinite(scale) ? distance / scale
                                                         : std::numeric_limits<double>::infinity();
}

}  // namespace

double scale_free_residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                           ContactLaw law, ResidualWorkspace& workspace) {
  double const rho = static_cast<double>(problem.b.size()) / problem.A.trace();
  // A = 0 has no scale.
  return residual(problem, lambda, law, std::isfinite(rho) && rho > 0 ? rho : 1.0, workspace);
}

double scale_free_residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                           ContactLaw law) {
  ResidualWorkspace workspace;
  return scale_free_residual(problem, lambda, law, workspace);
}

double unit_residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                     ContactLaw law) {
  ResidualWorkspace workspace;
  return residual(problem, lambda, law, 1.0, workspace);
}

}  // namespace delassus
