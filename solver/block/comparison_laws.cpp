#include "solver/block/comparison_laws.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/block/disc.hpp"
#include "solver/block/least_norm_stick.hpp"
#include "solver/block/slip_refinement.hpp"
#include "solver/problem/friction_cone.hpp"

namespace delassus {
namespace {

// A^-1 b, or nothing where A is singular up to rounding.
template <int rows>
std::optional<Eigen::Matrix<double, rows, 1>> inverse_times(Eigen::Matrix<double, rows, rows> const& A,
                                                            Eigen::Matrix<double, rows, 1> const& b) {
  Eigen::LLT<Eigen::Matrix<double, rows, rows>> const cholesky(A);
  if (cholesky.info() != Eigen::Success) return std::nullopt;
  double const smallest = cholesky.matrixLLT().diagonal().minCoeff();
  if (!(smallest * smallest > singular_fraction * A.trace())) return std::nullopt;
  return cholesky.solve(b);
}

template <int rows>
BlockChoice choice(Eigen::Matrix<double, rows, 1> const& lambda, ContactMode mode) {
  BlockChoice result;
  result.lambda.template head<rows>() = lambda;
  result.mode = mode;
  result.solutions = 1;
  return result;
}

// In the plane there are two generators w = (sigma mu, 1), lambda = w (b . w) / (w' A w) on each. Of the two,
// the one whose eta = kappa (-sigma, mu) has the larger kappa, if that is not negative beyond rounding (a
// singular A may have no solution).
std::optional<Eigen::Vector2d> convex_slip(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double mu) {
  std::optional<Eigen::Vector2d> best;
  double best_kappa = 0;
  for (double const sigma : {1.0, -1.0}) {
    Eigen::Vector2d const w(sigma * mu, 1);
    double const load = b.dot(w);
    double const compliance = w.dot(A * w);
    if (!(load > 0 && compliance > singular_fraction * A.trace())) continue;
    Eigen::Vector2d const lambda = load / compliance * w;
    double const kappa = -sigma * (A.row(0).dot(lambda) - b[0]);
    double const rounding = slip_tolerance * (A.trace() * lambda.lpNorm<1>() + b.lpNorm<1>());
    if (kappa >= -rounding && (!best || kappa > best_kappa)) {
      best = lambda;
      best_kappa = kappa;
    }
  }
  return best;
}

// As refine_slip, with the law's first equation eta . w = eta_n + mu e . eta_t = 0, w = (mu e, 1), in place
// of eta_n = 0.
bool refine_convex_slip(SpatialContact const& k, double mu, Slip& slip) {
  double const size = k.txx + k.tyy + k.n;
  double const load = std::abs(k.bx) + std::abs(k.by) + std::abs(k.bn);
  double ex = slip.ex, ey = slip.ey, lambda_n = slip.lambda_n;
  for (int iteration = 0; iteration < 12; ++iteration) {
    double const tx = k.txx * ex + k.txy * ey, ty = k.tyx * ex + k.tyy * ey;
    double const gx = mu * tx + k.cx, gy = mu * ty + k.cy;
    double const eta_x = lambda_n * gx - k.bx, eta_y = lambda_n * gy - k.by;
    double const n_n = k.n + mu * (k.rx * ex + k.ry * ey);
    double const r = ex * eta_y - ey * eta_x;
    double const along = ex * eta_x + ey * eta_y;
    double const work = n_n * lambda_n - k.bn + mu * along;
    double const tolerance = slip_tolerance * (size * (1 + mu) * lambda_n + load);
    if (std::abs(r) <= tolerance && std::abs(work) <= tolerance * (1 + mu)) {
      if (!(lambda_n > 0 && along <= tolerance)) return false;
      slip = {ex, ey, lambda_n, true};
      return true;
    }
    double const m = mu * lambda_n;
    double const work_n = n_n + mu * (ex * gx + ey * gy);
    double const e_T_perp = ex * (ex * k.txy - ey * k.txx) + ey * (ex * k.tyy - ey * k.tyx);
    double const work_angle = m * (ex * k.ry - ey * k.rx) + mu * (r + m * e_T_perp);
    double const r_n = ex * gy - ey * gx;
    double const r_angle = m * (ey * ey * k.txx - ex * ey * (k.txy + k.tyx) + ex * ex * k.tyy) - along;
    double const inverse = 1 / (work_n * r_angle - r_n * work_angle);
    double const step = (r * work_angle - work * r_angle) * inverse;
    double const angle = (work * r_n - r * work_n) * inverse;
    if (!(std::abs(angle) < 0.5 && lambda_n + step > 0)) return false;
    lambda_n += step;
    turn(ex, ey, angle);
  }
  return false;
}

// The convex problem in space, minimised over lambda_t first and lambda_n then. For a given lambda_n = x the
// tangential force solves the disc problem of radius mu x, T lambda_t - (b_t - a x) = -s lambda_t. What
// remains is convex in x with the slope V'(x) = eta_n - s mu^2 x, which the multiplier of the disc's growing
// radius enters, and on the rim, with w = (mu e, 1),
//   V'' = w' A w - (e_perp . (mu T e + a))^2 / (e_perp . T e_perp + s).
// V'(0) < 0 unless the contact is detached; the zero of V' is bracketed and found by Newton with bisection.
std::optional<Eigen::Vector3d> convex_slip(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu) {
  Eigen::Matrix2d const T = A.topLeftCorner<2, 2>();
  Eigen::Vector2d const a = A.topRightCorner<2, 1>();
  DiscForce disc;
  auto const slope_at = [&](double x) {
    disc = solve_disc(T, b.head<2>() - a * x, mu * x);
    return a.dot(disc.lambda) + A(2, 2) * x - b[2] - disc.s * mu * mu * x;
  };

  double low = 0;
  double high = b.lpNorm<1>() / A.trace();
  // 4^60 = 1e36: a force that large is beyond what the rounding of A defines. A singular A may have none.
  int expansions = 0;
  while (!(slope_at(high) > 0)) {
    if (++expansions > 60) return std::nullopt;
    low = high;
    high *= 4;
  }
  double x = 0.5 * (low + high);
  for (int iteration = 0; iteration < 100; ++iteration) {
    double const slope = slope_at(x);
    if (slope == 0) break;
    (slope > 0 ? high : low) = x;
    double next = 0.5 * (low + high);
    if (!disc.stick && x > 0 && mu > 0) {
      Eigen::Vector2d const e = disc.lambda / (mu * x);
      Eigen::Vector2d const perp(-e[1], e[0]);
      Eigen::Vector2d const g = mu * T * e + a;
      double const curvature = A(2, 2) + 2 * mu * a.dot(e) + mu * mu * e.dot(T * e) -
                               perp.dot(g) * perp.dot(g) / (perp.dot(T * perp) + disc.s);
      double const newton = x - slope / curvature;
      if (newton > low && newton < high) next = newton;
    }
    if (std::abs(next - x) <= 1e-15 * x) break;
    x = next;
  }
  slope_at(x);
  Eigen::Vector3d lambda(disc.lambda[0], disc.lambda[1], x);
  double const tangential = disc.lambda.norm();
  if (!disc.stick && tangential > 0) {
    Slip slip{disc.lambda[0] / tangential, disc.lambda[1] / tangential, x, true};
    if (refine_convex_slip(SpatialContact(A, b), mu, slip)) {
      lambda = slip.lambda_n * Eigen::Vector3d(mu * slip.ex, mu * slip.ey, 1);
    }
  }
  return lambda;
}

}  // namespace

template <int rows>
BlockChoice solve_anitescu_tasora(Eigen::Matrix<double, rows, rows> const& A,
                                  Eigen::Matrix<double, rows, 1> const& b, double mu) {
  using Vector = Eigen::Matrix<double, rows, 1>;
  FrictionCone<rows> const cone(mu);
  if (cone.dual_contains(-b)) return choice<rows>(Vector::Zero(), ContactMode::detached);
  if (auto const lambda = inverse_times<rows>(A, b)) {
    if (cone.contains(*lambda)) return choice<rows>(*lambda, ContactMode::stick);
  } else if (auto const stick = least_norm_stick_in_cone<rows>(A, b, mu); stick.found) {
    return choice<rows>(stick.lambda, ContactMode::stick);
  }
  auto const slip = convex_slip(A, b, mu);
  return slip ? choice<rows>(*slip, ContactMode::slip) : BlockChoice{};
}

template <int rows>
BlockChoice solve_nakaoka(Eigen::Matrix<double, rows, rows> const& A, Eigen::Matrix<double, rows, 1> const& b,
                          double mu) {
  auto const inverse = inverse_times<rows>(A, b);
  Eigen::Matrix<double, rows, 1> lambda = inverse ? *inverse : least_norm_solution<rows>(A, b);
  if (!(lambda[rows - 1] > 0))
    return choice<rows>(Eigen::Matrix<double, rows, 1>::Zero(), ContactMode::detached);
  double const tangential = lambda.template head<rows - 1>().norm();
  double const bound = mu * lambda[rows - 1];
  if (tangential <= bound) return choice<rows>(lambda, ContactMode::stick);
  lambda.template head<rows - 1>() *= bound / tangential;
  return choice<rows>(lambda, ContactMode::slip);
}

BlockChoice solve_nakaoka_disc(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double F) {
  auto const inverse = inverse_times<2>(A, b);
  Eigen::Vector2d const r = inverse ? *inverse : least_norm_solution<2>(A, b);
  double const norm = r.norm();
  return norm <= F ? choice<2>(r, ContactMode::stick) : choice<2>(r * (F / norm), ContactMode::slip);
}

template BlockChoice solve_anitescu_tasora<2>(Eigen::Matrix2d const&, Eigen::Vector2d const&, double);
template BlockChoice solve_anitescu_tasora<3>(Eigen::Matrix3d const&, Eigen::Vector3d const&, double);
template BlockChoice solve_nakaoka<2>(Eigen::Matrix2d const&, Eigen::Vector2d const&, double);
template BlockChoice solve_nakaoka<3>(Eigen::Matrix3d const&, Eigen::Vector3d const&, double);

}  // namespace delassus
