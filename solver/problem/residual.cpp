#include "solver/problem/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/numbers/elementary.hpp"
#include "solver/linear/dense.hpp"
#include "solver/problem/friction_cone.hpp"

namespace delassus {
namespace {

// `careful`: the squares may overflow.
double norm_of(double const* x, int size, bool careful = true) {
  return size == 0   ? 0
         : size == 1 ? std::abs(x[0])
         : careful   ? elementary::hypot(x[0], x[1])
                     : std::sqrt(x[0] * x[0] + x[1] * x[1]);
}

void shorten(double* x, int size, double bound, bool careful = true) {
  double const norm = norm_of(x, size, careful);
  if (!(norm > bound)) return;
  for (int i = 0; i < size; ++i) x[i] *= bound / norm;
}

// The map's image of one block for y = lambda - rho eta~, in place of y.
void project(ForceSet const& set, double const* lambda, bool careful, Eigen::Vector3d& y) {
  int const normal = rows_of(set.kind) - 1;
  switch (set.kind) {
    case ForceSetKind::half_line:
      y[0] = std::max(y[0], 0.0);
      break;
    case ForceSetKind::interval:
      y[0] = std::clamp(y[0], -set.limit, set.limit);
      break;
    case ForceSetKind::disc:
      shorten(y.data(), 2, set.limit, careful);
      break;
    case ForceSetKind::cone2:
      y.head<2>() = PlanarCone(set.limit).project(y.head<2>());
      break;
    case ForceSetKind::cone3:
      y = SpatialCone(set.limit).project(y, norm_of(y.data(), 2, careful));
      break;
    case ForceSetKind::free1:
    case ForceSetKind::free2:
    case ForceSetKind::free3:
      break;
    case ForceSetKind::double_cone2:
    case ForceSetKind::double_cone3:
      shorten(y.data(), normal, set.limit * std::abs(lambda[normal]), careful);
      break;
    case ForceSetKind::directed2:
    case ForceSetKind::directed3:
      for (int i = 0; i < normal; ++i) y[i] = set.direction[static_cast<std::size_t>(i)] * lambda[normal];
      y[normal] = std::max(y[normal], 0.0);
      break;
  }
}

// eta~ - eta: De Saxce's mu |eta_t| on the normal row of a cone.
double correction(ForceSet const& set, double const* eta, bool careful) {
  if (set.kind == ForceSetKind::cone2) return set.limit * norm_of(eta, 1);
  if (set.kind == ForceSetKind::cone3) return set.limit * norm_of(eta, 2, careful);
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
  double largest = 0;  // component, where squares may overflow
  bool careful = false;

  void add(ForceSet const& set, double rho, ContactLaw law, double const* b_k, double const* lambda_k,
           double const* eta_k) {
    if (set.kind == ForceSetKind::cone3 && !careful) {
      add_cone(set.limit, rho, law, b_k, lambda_k, eta_k);
      return;
    }
    int const rows = rows_of(set.kind);
    Eigen::Vector3d y = Eigen::Vector3d::Zero();
    for (int i = 0; i < rows; ++i) y[i] = lambda_k[i] - rho * eta_k[i];
    if (law == ContactLaw::coulomb) y[rows - 1] -= rho * correction(set, eta_k, careful);
    project(set, lambda_k, careful, y);
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

  // The same for a spatial cone, of which nearly all large problems are made.
  void add_cone(double mu, double rho, ContactLaw law, double const* b_k, double const* lambda_k,
                double const* eta_k) {
    double const e[3] = {rho * eta_k[0], rho * eta_k[1], rho * eta_k[2]};
    double const sliding = law == ContactLaw::coulomb ? mu * std::sqrt(e[0] * e[0] + e[1] * e[1]) : 0;
    double y[3] = {lambda_k[0] - e[0], lambda_k[1] - e[1], lambda_k[2] - e[2] - sliding};
    double const t = std::sqrt(y[0] * y[0] + y[1] * y[1]);
    if (mu * t <= -y[2]) {
      y[0] = y[1] = y[2] = 0;
    } else if (t > mu * y[2]) {
      double const normal = (y[2] + mu * t) / (1 + mu * mu), factor = mu * normal / t;
      y[0] *= factor;
      y[1] *= factor;
      y[2] = normal;
    }
    for (int i = 0; i < 3; ++i) {
      distance += (y[i] - lambda_k[i]) * (y[i] - lambda_k[i]);
      b += rho * b_k[i] * (rho * b_k[i]);
      lambda += lambda_k[i] * lambda_k[i];
      eta += e[i] * e[i];
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
  if (squares.ordinary()) return squares.ratio();
  squares = {};
  squares.careful = true;
  add_all(squares);
  if (squares.largest > 0 && std::isfinite(squares.largest)) {
    double const unit = std::ldexp(1.0, -std::clamp(std::ilogb(squares.largest), -1000, 1000));
    squares = {};
    squares.unit = unit;
    squares.careful = true;
    add_all(squares);
  }
  return squares.ratio();
}

Eigen::VectorXd pseudo_inverse_times(Eigen::MatrixXd const& A, Eigen::VectorXd const& b) {
  SymmetricEigen const eigen(0.5 * A + 0.5 * A.transpose());
  Eigen::VectorXd coordinates = eigen.vectors.transpose() * b;
  // Eigenvalues below rounding (1e-14 of the trace, as in the solver of one block) span the null space.
  double const floor = 1e-14 * A.trace();
  for (Eigen::Index i = 0; i < coordinates.size(); ++i) {
    coordinates[i] = eigen.values[i] > floor ? coordinates[i] / eigen.values[i] : 0.0;
  }
  return eigen.vectors * coordinates;
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
  problem.multiply(lambda, eta);
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
  double const rho = scale_free_rho(static_cast<double>(problem.b.size()), problem.trace());
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

double scale_free_rho(double rows, double trace) {
  double const rho = rows / trace;
  return std::isfinite(rho) && rho > 0 ? rho : 1.0;  // A = 0 has no scale
}

double residual_of_sets(std::span<const ForceSet> sets, double rho, ContactLaw law,
                        std::span<const Eigen::Vector3d> b, std::span<const Eigen::Vector3d> lambda,
                        std::span<const Eigen::Vector3d> eta, double floor, double most) {
  return ratio([&](Squares& squares) {
    for (std::size_t k = 0; k < sets.size(); ++k)
      squares.add(sets[k], rho, law, b[k].data(), lambda[k].data(), eta[k].data());
    auto const square = [&](double x) { return x * squares.unit * (x * squares.unit); };
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    if (squares.lambda > square(most)) {
      squares.distance += rounding * rounding * squares.lambda;
      squares.lambda = square(most);
    }
    squares.lambda = std::max(squares.lambda, square(floor));
  });
}

}  // namespace delassus
