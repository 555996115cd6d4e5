#include "solver/problem/block_mode.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

// eta = 0 in every row.
void demand_rest(int rows, int tangential, BlockScale const& rho, Eigen::Vector3d const& lambda,
                 BlockMode& mode) {
  mode.mode = ContactMode::stick;
  mode.at_rest = true;
  mode.unknowns = rows;
  for (int i = 0; i < rows; ++i) {
    mode.T(i, i) = 1;
    mode.C(i, i) = i < tangential ? rho.t : rho.n;
  }
  mode.z = lambda;
}

// Only the normal force is unknown, and the tangential one is `ratio` times it.
void demand_normal_rest(int normal, double const* ratio, BlockScale const& rho, Eigen::Vector3d const& lambda,
                        BlockMode& mode) {
  mode.unknowns = 1;
  for (int i = 0; i < normal; ++i) mode.T(i, 0) = ratio[i];
  mode.T(normal, 0) = 1;
  mode.C(0, normal) = rho.n;
  mode.z[0] = lambda[normal];
}

}  // namespace

BlockScale scale_of(ForceSet const& set, Eigen::Matrix3d const& A, double compliance) {
  int const rows = rows_of(set.kind), tangential = rows - (has_normal(set.kind) ? 1 : 0);
  auto const usual = [&](double own) {
    double const rho = 1 / (own > 1e-12 * compliance ? own : compliance);
    return std::isfinite(rho) && rho > 0 ? rho : 1.0;
  };
  double const t = tangential == 0 ? 0 : tangential == 1 ? A(0, 0) : (A(0, 0) + A(1, 1)) / 2;
  return {usual(t), usual(A(rows - 1, rows - 1))};
}

void choose_mode(ForceSet const& set, BlockScale const& rho, Eigen::Vector3d const& lambda,
                 Eigen::Vector3d const& eta, BlockMode& mode) {
  mode = {};
  int const rows = rows_of(set.kind);
  if (is_free(set.kind)) {
    demand_rest(rows, rows, rho, lambda, mode);
    return;
  }
  bool const normal = has_normal(set.kind);
  int const tangential = rows - (normal ? 1 : 0);
  bool const two_sided = set.kind == ForceSetKind::double_cone2 || set.kind == ForceSetKind::double_cone3;
  double radius = set.limit, side = 1;
  if (normal) {
    double const y_n = lambda[tangential] - rho.n * eta[tangential];
    if (!(y_n > 0) && !two_sided) return;  // detached
    radius *= std::abs(y_n);
    if (y_n < 0) side = -1;
  }
  if (set.kind == ForceSetKind::half_line) {
    demand_rest(1, 0, rho, lambda, mode);
    return;
  }
  if (set.kind == ForceSetKind::directed2 || set.kind == ForceSetKind::directed3) {
    mode.mode = ContactMode::stick;
    demand_normal_rest(tangential, set.direction.data(), rho, lambda, mode);
    return;
  }
  double const y[2] = {lambda[0] - rho.t * eta[0], tangential > 1 ? lambda[1] - rho.t * eta[1] : 0};
  double const norm = tangential > 1 ? std::sqrt(y[0] * y[0] + y[1] * y[1]) : std::abs(y[0]);
  // Without friction there is nothing that could stick.
  if (norm <= radius && radius > 0) {
    demand_rest(rows, tangential, rho, lambda, mode);
    return;
  }
  mode.mode = ContactMode::slip;
  double const e[2] = {norm > 0 ? y[0] / norm : 0, norm > 0 ? y[1] / norm : 0};
  if (normal) {
    double const ratio[2] = {side * set.limit * e[0], side * set.limit * e[1]};
    demand_normal_rest(tangential, ratio, rho, lambda, mode);
  } else {
    for (int i = 0; i < tangential; ++i) mode.t[i] = set.limit * e[i];
  }
  if (tangential == 1 || !(radius > 0)) return;
  int const last = mode.unknowns++;
  double const k = radius / norm;
  mode.T(0, last) = -e[1];
  mode.T(1, last) = e[0];
  mode.C(last, 0) = -k * rho.t * e[1];
  mode.C(last, 1) = k * rho.t * e[0];
  mode.D = 1 - k;
  mode.z[last] = e[0] * lambda[1] - e[1] * lambda[0];
}

double squared_distance(ForceSet const& set, BlockScale const& rho, Eigen::Vector3d const& lambda,
                        Eigen::Vector3d const& eta) {
  int const rows = rows_of(set.kind), tangential = rows - (has_normal(set.kind) ? 1 : 0);
  Eigen::Vector3d y = Eigen::Vector3d::Zero();
  for (int i = 0; i < rows; ++i) y[i] = lambda[i] - (i < tangential ? rho.t : rho.n) * eta[i];
  if (!is_free(set.kind)) {
    double radius = set.limit;
    if (has_normal(set.kind)) {
      if (set.kind != ForceSetKind::double_cone2 && set.kind != ForceSetKind::double_cone3)
        y[tangential] = std::max(y[tangential], 0.0);
      radius *= std::abs(y[tangential]);
    }
    if (set.kind == ForceSetKind::directed2 || set.kind == ForceSetKind::directed3) {
      for (int i = 0; i < tangential; ++i) y[i] = set.direction[static_cast<std::size_t>(i)] * y[tangential];
    } else if (double const norm = y.head(tangential).norm(); norm > radius) {
      y.head(tangential) *= radius / norm;
    }
  }
  return (lambda - y).head(rows).squaredNorm();
}

}  // namespace delassus
