// The last digits of a slipping force.
//
// A slip lies on the cone: lambda = lambda_n (mu e, 1) with a unit vector e. Newton's method on the two
// unknowns lambda_n and the angle of e, for the two equations
//
//   eta_n = 0,   e_perp . eta_t = 0      with eta = A lambda - b on the raw data
//
// makes both vanish to rounding whatever the conditioning of A, because neither S nor any inverse enters; the
// third unknown can be read off: s = -e . eta_t / |lambda_t|, and its sign is what matters. The Jacobian,
// with T = A_tt, a = A_nt, g = mu T e + A_tn:
//
//   d eta_n / d lambda_n = n + mu a . e        d eta_n / d angle = mu lambda_n a . e_perp
//   d r / d lambda_n = e_perp . g              d r / d angle = mu lambda_n (e_perp . T e_perp + s),   r =
//   e_perp . eta_t
//
// Stability: pressing harder by d lambda_n with the tangential force following the sliding law (r = 0 is
// kept) changes
//   d eta_n / d lambda_n = n + mu a . e - (mu lambda_n a . e_perp) (e_perp . g) / (d r / d angle)
//                        = determinant / (d r / d angle).
// A stiff, damped contact pushed a little deeper (eta_n falls) must answer with a force that pushes back out
// (eta_n rises): the slip is stable where this is positive (in the plane: n +- mu a_tn > 0; Song et al. 2001,
// Table 1, A > 0).
#pragma once

#include <cmath>

#include "solver/block/spatial_contact.hpp"

namespace delassus {

struct Slip {
  double ex = 1, ey = 0;  // unit vector along lambda_t
  double lambda_n = 0;
  bool stable = true;
};

// 45 units of rounding: about ten come from evaluating eta, and 1e-14 of |A| |lambda| + |b| leaves the
// scale-free residual below 1e-12 for mu up to 10, which enters it as a factor 1 + mu.
constexpr double slip_tolerance = 1e-14;

// Turns the unit vector (ex, ey) by a small angle. (1 + x^2)^(-1/2) by its series where that is exact to
// rounding.
inline void turn(double& ex, double& ey, double angle) {
  double const square = angle * angle;
  double const shrink =
      square < 1e-5 ? 1 - square * (0.5 - square * (0.375 - 0.3125 * square)) : 1 / std::sqrt(1 + square);
  double const x = ex;
  ex = shrink * (ex - angle * ey);
  ey = shrink * (ey + angle * x);
}

// A step this small (in radians, and as a fraction of lambda_n) leaves an error of its square, which is below
// rounding: the residual need not be computed again.
constexpr double last_slip_step = 1e-8;

// Refines a slip in place. False: it is no solution (did not converge, lambda_n <= 0 or s < 0 beyond
// rounding).
inline bool refine_slip(SpatialContact const& contact, double mu, Slip& slip) {
  SpatialContact const& k = contact;
  double const size = k.txx + k.tyy + k.n;
  double const load = std::abs(k.bx) + std::abs(k.by) + std::abs(k.bn);
  double ex = slip.ex, ey = slip.ey, lambda_n = slip.lambda_n;
  // Quadratic convergence from eight digits takes one step; more where roots nearly coincide.
  for (int iteration = 0; iteration < 12; ++iteration) {
    double const gx = mu * (k.txx * ex + k.txy * ey) + k.cx;
    double const gy = mu * (k.tyx * ex + k.tyy * ey) + k.cy;
    double const eta_x = lambda_n * gx - k.bx;
    double const eta_y = lambda_n * gy - k.by;
    double const n_n = k.n + mu * (k.rx * ex + k.ry * ey);
    double const eta_n = n_n * lambda_n - k.bn;
    double const r = ex * eta_y - ey * eta_x;
    double const along = ex * eta_x + ey * eta_y;
    double const scale = size * (1 + mu) * lambda_n + load;
    double const m = mu * lambda_n;
    double const n_angle = m * (ex * k.ry - ey * k.rx);
    double const r_n = ex * gy - ey * gx;
    double const r_angle = m * (ey * ey * k.txx - ex * ey * (k.txy + k.tyx) + ex * ex * k.tyy) - along;
    double const diagonal = n_n * r_angle;
    double const determinant = diagonal - r_n * n_angle;
    double const inverse = 1 / determinant;
    double const step = (r * n_angle - eta_n * r_angle) * inverse;
    double const angle = (eta_n * r_n - r * n_n) * inverse;
    // Where the determinant cancels, the step has few digits; where s is near zero, its sign must be seen
    // after the step.
    if (std::abs(angle) <= last_slip_step && std::abs(step) <= last_slip_step * lambda_n &&
        along < -10 * last_slip_step * scale && std::abs(determinant) > 1e-6 * std::abs(diagonal)) {
      slip = {ex - angle * ey, ey + angle * ex, lambda_n + step, determinant > 0};
      return true;
    }
    double const tolerance = slip_tolerance * scale;
    if (std::abs(r) <= tolerance && std::abs(eta_n) <= tolerance) {
      slip = {ex, ey, lambda_n, determinant > 0};
      if (lambda_n > 0 && along <= tolerance) return true;
      // The sign of s may hang on digits of lambda_n that eta_n <= tolerance leaves open, where |a| > n.
      double const from_normal_row = k.bn / n_n;
      if (!(from_normal_row > 0) || from_normal_row == lambda_n) return false;
      lambda_n = from_normal_row;
      continue;
    }
    // A long step means that this is not the neighbourhood of a solution; NaN fails here, too.
    if (!(std::abs(angle) < 0.5 && lambda_n + step > 0)) return false;
    lambda_n += step;
    turn(ex, ey, angle);
  }
  return false;
}

}  // namespace delassus
