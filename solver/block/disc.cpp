#include "solver/block/disc.hpp"

#include <algorithm>
#include <cmath>

#include "model/numbers/elementary.hpp"
#include "solver/block/least_norm_stick.hpp"
#include "solver/block/secular_equation.hpp"
#include "solver/block/slip_refinement.hpp"

namespace delassus {
namespace {

// Newton on the angle of lambda = F e for r = e_perp . (A lambda - b) = 0; d r / d angle = F (e_perp . A
// e_perp + s) > 0.
double refine_on_rim(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double F, double& ex, double& ey) {
  double const tolerance = slip_tolerance * (A.trace() * F + std::abs(b[0]) + std::abs(b[1]));
  double along = 0;
  for (int iteration = 0; iteration < 12; ++iteration) {
    double const eta_x = F * (A(0, 0) * ex + A(0, 1) * ey) - b[0];
    double const eta_y = F * (A(1, 0) * ex + A(1, 1) * ey) - b[1];
    double const r = ex * eta_y - ey * eta_x;
    along = ex * eta_x + ey * eta_y;
    if (std::abs(r) <= tolerance) break;
    double const slope =
        F * (ey * ey * A(0, 0) - ex * ey * (A(0, 1) + A(1, 0)) + ex * ex * A(1, 1)) + std::abs(along);
    double const angle = -r / slope;
    if (!(std::abs(angle) < 0.5)) break;
    turn(ex, ey, angle);
  }
  return along;
}

}  // namespace

DiscForce solve_disc(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double F) {
  DiscForce force;
  double const trace = A(0, 0) + A(1, 1);
  double const l = A(0, 0) > 0 ? A(1, 0) / A(0, 0) : 0;
  double const pivot = A(1, 1) - l * A(0, 1);
  bool const singular = !(A(0, 0) > singular_fraction * trace && pivot > singular_fraction * trace);
  if (singular) {
    auto const stick = least_norm_stick_in_disc(A, b, F);
    if (stick.found) {
      force.lambda = stick.lambda;
      force.infinitely_many = stick.infinitely_many;
      return force;
    }
  } else {
    double const y = (b[1] - l * b[0]) / pivot;
    double const x = (b[0] - A(0, 1) * y) / A(0, 0);
    // A bound so large that its square overflows holds every force.
    if (x * x + y * y <= F * F) {
      force.lambda = {x, y};
      return force;
    }
  }
  force.stick = false;
  double const load = elementary::hypot(b[0], b[1]);
  double ex = b[0] / load, ey = b[1] / load;
  if (load == 0) ex = 1, ey = 0;
  // A bound below 1e-30 of the load / |A| leaves s = |b| / F and lambda along b to all digits.
  if (F * trace > 1e-30 * load) {
    double const determinant = singular ? 0 : std::max(0.0, A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0));
    double const px = A(1, 1) * b[0] - A(0, 1) * b[1];
    double const py = A(0, 0) * b[1] - A(1, 0) * b[0];
    SecularEquation const secular{F,
                                  F * trace,
                                  F * determinant,
                                  px * px + py * py,
                                  px * b[0] + py * b[1],
                                  b[0] * b[0] + b[1] * b[1],
                                  px * b[1] - py * b[0]};
    double const s = std::max(0.0, secular.a_root(trace));
    double const x = px + s * b[0], y = py + s * b[1];
    double const norm = elementary::hypot(x, y);
    if (norm > 0) ex = x / norm, ey = y / norm;
    double const along = refine_on_rim(A, b, F, ex, ey);
    force.s = F > 0 ? std::max(0.0, -along / F) : 0;
  } else {
    force.s = F > 0 ? load / F : 0;
  }
  force.lambda = {F * ex, F * ey};
  return force;
}

}  // namespace delassus
