#include "solver/residual.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/friction_cone.hpp"

namespace delassus {
namespace {

double norm_of(double const* x, int size) {
  return size == 0 ? 0 : size == 1 ? std::abs(x[0]) : std::hypot(x[0], x[1]);
}

void shorten(double* x, int size, double bound) {
  double const norm = norm_of(x, size);
  if (!(norm > bound)) return;
  for (int i = 0; i < size; ++i) x[i] *= bound / norm;
}

// The map's image of one block for y = lambda - rho eta~, in place of y.
void project(ForceSet const& set, double const* lambda, Eigen::Vector3d& y) {
  int const normal = rows_of(set.kind) - 1;
  switch (set.kind) {
    case ForceSetKind::half_line:
      y[0] = std::max(y[0], 0.0);
      break;
    case ForceSetKind::interval:
      y[0] = std::clamp(y[0], -set.limit, set.limit);
      break;
    case ForceSetKind::disc:
      shorten(y.data(), 2, set.limit);
      break;
    case ForceSetKind::cone2:
      y.head<2>() = PlanarCone(set.limit).project(y.head<2>());
      break;
    case ForceSetKind::cone3:
      y = SpatialCone(set.limit).project(y);
      break;
    case ForceSetKind::free1:
    case ForceSetKind::free2:
    case ForceSetKind::free3:
      break;
    case ForceSetKind::double_cone2:
    case ForceSetKind::double_cone3:
      shorten(y.data(), normal, set.limit * std::abs(lambda[normal]));
      break;
    case ForceSetKind::directed2:
    case ForceSetKind::directed3:
      for (int i = 0; i < normal; ++i) y[i] = set.direction[static_cast<std::size_t>(i)] * lambda[normal];
      y[normal] = std::max(y[normal], 0.0);
      break;
  }
}

// eta~ - eta: De Saxce's mu |eta_t| on the normal row of a cone.
double correction(ForceSet const& set, double const* eta) {
  if (set.kind == ForceSetKind::cone2) return set.limit * norm_of(eta, 1);
  if (set.kind == ForceSetKind::cone3) return set.limit * norm_of(eta, 2);
  return 0;
}

// The answer of (80) to r = A^-1 b, in place of r.
void project_at_constant_normal(ForceSet const& set, double* r) {
  int const normal = rows_of(set.kind) - 1;
  switch (set.kind) {
    case ForceSetKind::double_cone2:
    case ForceSetKind::double_cone3:
      shorten(r, normal, set.limit * std::abs(r[normal]));
      break;
    case ForceSetKind::directed2:
    case ForceSetKind::directed3:
      r[normal] = std::max(r[normal], 0.0);
      for (int i = 0; i < normal; ++i) r[i] = set.direction[static_cast<std::size_t>(i)] * r[normal];
      break;
    case ForceSetKind::half_line:
    case ForceSetKind::cone2:
    case ForceSetKind::cone3:
      r[normal] = std::max(r[normal], 0.0);
      shorten(r, normal, set.limit * r[normal]);
      break;
    case ForceSetKind::interval:
    case ForceSetKind::disc:
      shorten(r, normal + 1, set.limit);
      break;
    case ForceSetKind::free1:
    case ForceSetKind::free2:
    case ForceSetKind::free3:
      break;
  }
}

// Squares of the lengths that the measure is made of, in a unit of length.
struct Squares {
  double distance = 0, b = 0, lambda = 0, eta = 0;
  double unit = 1;
  double largest = 0;  // component

  void add(ForceSet const& set, double rho, ContactLaw law, double const* b_k, double const* lambda_k,
           double const* eta_k) {
    int const rows = rows_of(set.kind);
    Eigen::Vector3d y = Eigen::Vector3d::Zero();
    for (int i = 0; i < rows; ++i) y[i] = lambda_k[i] - rho * eta_k[i];
    if (law == ContactLaw::coulomb) y[rows - 1] -= rho * correction(set, eta_k);
    project(set, lambda_k, y);
    auto const square = [this](double x) {
      largest = std::max(largest, std::abs(x));
      return x * unit * (x * unit);
    };
    for (int i = 0; i < rows; ++i) {
      distance += square(y[i] - lambda_k[i]);
      b += square(rho * b_k[i]);
      lambda += square(lambda_k[i]);
      eta += square(rho * eta_k[i]);
    }
  }

  double ratio() const {
    if (distance == 0) return 0;
    double const scale = std::max({b, lambda, eta});
    // A force so large that eta overflows solves nothing.
    return std::isfinite(distance) && std::isfinite(scale) ? std::sqrt(distance) / std::sqrt(scale)
                                                           : std::numeric_limits<double>::infinity();
  }
  // Nothing has overflown, and nothing that matters has underflown.
  bool ordinary() const {
    double const scale = std::max({b, lambda, eta});
    return scale > 1e-200 && scale < 1e290 && distance < 1e290;
  }
};

// `add_all` adds every block to the squares.
template <typename AddAll>
double ratio(AddAll const& add_all) {
  Squares squares;
  add_all(squares);
  if (!squares.ordinary() && squares.largest > 0 && std::isfinite(squares.largest)) {
    double const unit = std::ldexp(1.0, -std::clamp(std::ilogb(squares.largest), -1000, 1000));
    squares = {};
    squares.unit = unit;
    add_all(squares);
  }
  return squares.ratio();
}

double usual_rho(double rows, double trace) {
  double const rho = rows / trace;
  return std::isfinite(rho) && rho > 0 ? rho : 1.0;  // A = 0 has no scale
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

double nakaoka_residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda, double rho,
                        Eigen::VectorXd const& eta) {
  Eigen::VectorXd projected = pseudo_inverse_times(problem.dense(), problem.b);
  double const scale = std::max(
      {rho * problem.b.stableNorm(), lambda.stableNorm(), rho * eta.stableNorm(), projected.stableNorm()});
  for (ProblemBlock const& block : problem.blocks)
    project_at_constant_normal(block.set, projected.data() + block.first);
  double const distance = (projected - lambda).stableNorm();
  if (distance == 0) return 0;
  return std::isfinite(distance) && std::isfinite(scale) ? distance / scale
                                                         : std::numeric_limits<double>::infinity();
}

double residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda, ContactLaw law,
                double rho, ResidualWorkspace& workspace) {
  if (problem.b.size() == 0) return 0;
  Eigen::VectorXd& eta = workspace.eta;
  eta.resize(problem.b.size());
  problem.A.multiply(problem.blocks, lambda, eta);
  eta -= problem.b;
  if (law == ContactLaw::nakaoka) return nakaoka_residual(problem, lambda, rho, eta);
  return ratio([&](Squares& squares) {
    for (ProblemBlock const& block : problem.blocks) {
      squares.add(block.set, rho, law, problem.b.data() + block.first, lambda.data() + block.first,
                  eta.data() + block.first);
    }
  });
}

}  // namespace

double scale_free_residual(ContactProblem const& problem, Eigen::Ref<const Eigen::VectorXd> lambda,
                           ContactLaw law, ResidualWorkspace& workspace) {
  double const rho = usual_rho(static_cast<double>(problem.b.size()), problem.A.trace());
  return residual(problem, lambda, law, rho, workspace);
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

double residual_of_blocks(ContactProblem const& problem, std::span<const int> blocks,
                          Eigen::Ref<const Eigen::VectorXd> lambda, Eigen::Ref<const Eigen::VectorXd> eta,
                          ContactLaw law) {
  double trace = 0, rows = 0;
  for (int const k : blocks) {
    trace += problem.A.diagonal(static_cast<std::size_t>(k)).trace();
    rows += problem.blocks[static_cast<std::size_t>(k)].rows();
  }
  double const rho = usual_rho(rows, trace);
  return ratio([&](Squares& squares) {
    for (int const k : blocks) {
      ProblemBlock const& block = problem.blocks[static_cast<std::size_t>(k)];
      squares.add(block.set, rho, law, problem.b.data() + block.first, lambda.data() + block.first,
                  eta.data() + block.first);
    }
  });
}

double residual_of_dense(std::span<const ProblemBlock> blocks, double trace,
                         Eigen::Ref<const Eigen::VectorXd> b, Eigen::Ref<const Eigen::VectorXd> lambda,
                         Eigen::Ref<const Eigen::VectorXd> eta) {
  double const rho = usual_rho(static_cast<double>(b.size()), trace);
  return ratio([&](Squares& squares) {
    for (ProblemBlock const& block : blocks) {
      squares.add(block.set, rho, ContactLaw::coulomb, b.data() + block.first, lambda.data() + block.first,
                  eta.data() + block.first);
    }
  });
}

Eigen::Vector3d eta_of_block(ContactProblem const& problem, std::size_t block, double const* lambda) {
  Eigen::Vector3d eta = Eigen::Vector3d::Zero();
  problem.A.add_product(block, problem.blocks, lambda, eta);
  ProblemBlock const& own = problem.blocks[block];
  for (int i = 0; i < own.rows(); ++i) eta[i] -= problem.b[own.first + i];
  return eta;
}

}  // namespace delassus
