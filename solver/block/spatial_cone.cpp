#include "solver/block/spatial_cone.hpp"

#include <algorithm>
#include <cmath>

#include "model/numbers/elementary.hpp"
#include "solver/block/least_norm_stick.hpp"
#include "solver/block/secular_equation.hpp"
#include "solver/block/slip_refinement.hpp"

namespace delassus {
namespace {

// A friction coefficient below this bends no force by a representable amount (beside |lambda_n| even 1e-16
// would not), and a normal load below this fraction of |b| gives a force as small: both count as zero, and no
// power of them underflows.
constexpr double negligible = 1e-30;

// The contact with its normal row eliminated (see secular_equation.hpp).
struct Reduced {
  double inverse_n;
  double sxx, sxy, syx, syy;
  double cx, cy;
  double trace, determinant;  // of S
  bool singular;              // S is singular up to rounding; the determinant is then zero
  double tangential_size;     // trace of T, to which the rounding of S is relative

  explicit Reduced(SpatialContact const& k) : inverse_n(1 / k.n) {
    double const x = k.cx * inverse_n, y = k.cy * inverse_n;
    sxx = k.txx - x * k.rx;
    sxy = k.txy - x * k.ry;
    syx = k.tyx - y * k.rx;
    syy = k.tyy - y * k.ry;
    cx = k.bx - x * k.bn;
    cy = k.by - y * k.bn;
    trace = sxx + syy;
    determinant = sxx * syy - sxy * syx;
    tangential_size = k.txx + k.tyy;
    // The smaller eigenvalue of S is about determinant / trace where it is much the smaller. Where S is all
    // rounding, its trace may have any sign.
    double const rounding = singular_fraction * tangential_size;
    singular = !(trace > rounding && determinant > rounding * trace && sxx > 0);
    if (singular) determinant = 0;
  }

  SecularEquation secular(SpatialContact const& k, double mu) const {
    double const beta = mu * inverse_n;
    double const px = syy * cx - sxy * cy;
    double const py = sxx * cy - syx * cx;
    return {beta * k.bn,
            beta * (k.bn * trace - (k.rx * cx + k.ry * cy)),
            beta * (k.bn * determinant - (k.rx * px + k.ry * py)),
            px * px + py * py,
            px * cx + py * cy,
            cx * cx + cy * cy,
            px * cy - py * cx};
  }

  // A lambda = b by Gauss elimination, normal row first; stable without pivoting for a positive definite A.
  Eigen::Vector3d stick(SpatialContact const& k) const {
    double const inverse_sxx = 1 / sxx;
    double const l = syx * inverse_sxx;
    double const y = (cy - l * cx) / (syy - l * sxy);
    double const x = (cx - sxy * y) * inverse_sxx;
    return {x, y, (k.bn - k.rx * x - k.ry * y) * inverse_n};
  }

  // The slip that belongs to a root s of the secular equation. R = L there, to as many digits as s has, and
  // two terms of a series give 1 / R the others: quicker than waiting for a square root.
  Slip slip(double s, double L, double mu) const {
    double const x = (syy + s) * cx - sxy * cy;
    double const y = (sxx + s) * cy - syx * cx;
    double const square = x * x + y * y;
    double inverse = 1 / std::abs(L);
    double const error = square * inverse * inverse - 1;
    if (std::abs(error) < 1e-5) {
      inverse -= inverse * error * (0.5 - 0.375 * error);
    } else {
      inverse = 1 / std::sqrt(square);
    }
    double const det = determinant + s * (trace + s);
    return {x * inverse, y * inverse, square * inverse / (mu * det), true};
  }
};

bool in_cone(Eigen::Vector3d const& lambda, double mu) {
  double const bound = mu * lambda[2];
  return lambda[2] >= 0 && lambda[0] * lambda[0] + lambda[1] * lambda[1] <= bound * bound;
}

BlockSolution as_solution(Slip const& slip, double mu) {
  double const tangential = mu * slip.lambda_n;
  return {{tangential * slip.ex, tangential * slip.ey, slip.lambda_n}, ContactMode::slip, slip.stable};
}

// mu = 0: only the normal force; stick where nothing is left to slide.
BlockSolution frictionless(SpatialContact const& k, double mu) {
  double const lambda_n = k.bn / k.n;
  double const x = k.bx - k.cx * lambda_n, y = k.by - k.cy * lambda_n;
  double const norm = elementary::hypot(x, y);
  double const rounding =
      slip_tolerance * (std::abs(k.bx) + std::abs(k.by) + (std::abs(k.cx) + std::abs(k.cy)) * lambda_n);
  if (norm <= rounding) return {{0, 0, lambda_n}, ContactMode::stick, true};
  double const tangential = mu * lambda_n / norm;
  return {{tangential * x, tangential * y, lambda_n}, ContactMode::slip, true};
}

// The coefficient below which sliding cannot jam (Peiret et al. 2019, (36)): mu_jam = n / |a|. Below it n +
// mu a . e > 0 for all e, hence no force with b_n <= 0: detached is then the only solution.
bool below_jamming(SpatialContact const& k, double mu) {
  return mu * mu * (k.rx * k.rx + k.ry * k.ry) < k.n * k.n;
}

// One solution whatever b is. At a root of D, with u = lambda_t and v = (S + s I)^-1 u,
//   d/ds [beta (b_n - a . u) - |u|] = beta a . v + u . v / |u| >= |v| (cos(u, v) - beta |a|),
// and Kantorovich's inequality bounds the angle between a vector and its image under (S + s I)^-1, d1 and d2
// the eigenvalues of S: cos(u, v) >= 2 sqrt((d1 + s)(d2 + s)) / (d1 + d2 + 2 s) >= 2 sqrt(d1 d2) / (d1 + d2).
// Where beta |a| is less, D crosses zero upwards only: at most once, and not at all where D(0) >= 0.
bool certainly_unique(SpatialContact const& k, Reduced const& reduced, double mu) {
  double const beta = mu * reduced.inverse_n;
  return beta * beta * (k.rx * k.rx + k.ry * k.ry) * reduced.trace * reduced.trace < 4 * reduced.determinant;
}

void append(BlockSolutions& solutions, BlockSolution const& solution) {
  if (solutions.count < static_cast<int>(solutions.item.size())) {
    solutions.item[static_cast<std::size_t>(solutions.count++)] = solution;
  }
}

// c is an eigenvector of S for the eigenvalue trace and the other eigenvalue is zero, or S = 0: with lambda_t
// = c / (trace + s) the secular equation is linear, beta b_n (trace + s) = |c| + beta a . c.
void append_slip_of_degenerate(BlockSolutions& solutions, SpatialContact const& k, Reduced const& reduced,
                               double mu) {
  double const norm = elementary::hypot(reduced.cx, reduced.cy);
  double const beta = mu * reduced.inverse_n;
  double const right = norm + beta * (k.rx * reduced.cx + k.ry * reduced.cy);
  double const total = right / (beta * k.bn);
  if (k.bn == 0 && std::abs(right) <= slip_tolerance * norm) solutions.infinitely_many = norm > 0;
  if (norm == 0 || k.bn == 0 || !(total > reduced.trace)) return;
  Slip slip{reduced.cx / norm, reduced.cy / norm, norm / (total * mu), true};
  if (refine_slip(k, mu, slip)) append(solutions, as_solution(slip, mu));
}

// n = 0, hence a = 0: the normal row reads eta_n = -b_n whatever the force is.
BlockSolutions enumerate_without_normal_compliance(SpatialContact const& k, Eigen::Matrix3d const& A,
                                                   Eigen::Vector3d const& b, double mu) {
  BlockSolutions solutions;
  if (k.bn > slip_tolerance * b.cwiseAbs().maxCoeff()) return solutions;
  if (k.bn <= 0) append(solutions, {});
  if (k.bn < 0) return solutions;
  // Any lambda_n >= 0 will do, each with the friction of the disc mu lambda_n.
  solutions.infinitely_many = true;
  Eigen::Vector2d const t = least_norm_solution<2>(A.topLeftCorner<2, 2>(), b.head<2>());
  double const tangential = t.norm();
  bool const consistent = (A.topLeftCorner<2, 2>() * t - b.head<2>()).norm() <=
                          slip_tolerance * std::max(b.norm(), A.trace() * tangential);
  if (mu > 0 && tangential > 0 && consistent)
    append(solutions, {{t[0], t[1], tangential / mu}, ContactMode::stick, true});
  if (solutions.count == 0) append(solutions, {});
  return solutions;
}

}  // namespace

BlockSolutions enumerate_spatial_cone(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu) {
  BlockSolutions solutions;
  SpatialContact k(A, b);
  double const load = std::abs(k.bx) + std::abs(k.by) + std::abs(k.bn);
  if (std::abs(k.bn) <= negligible * load) k.bn = 0;
  if (!(k.n > singular_fraction * (k.txx + k.tyy))) return enumerate_without_normal_compliance(k, A, b, mu);
  if (k.bn <= 0) append(solutions, {});
  if (mu <= negligible) {
    if (k.bn > 0) append(solutions, frictionless(k, mu));
    return solutions;
  }

  Reduced const reduced(k);
  bool stick_admissible = false;
  bool degenerate = false;
  if (reduced.singular) {
    auto const stick = least_norm_stick_in_cone<3>(A, b, mu);
    solutions.infinitely_many = stick.infinitely_many;
    if (stick.found && !(stick.lambda[2] <= 0 && solutions.count > 0))
      append(solutions, {stick.lambda, ContactMode::stick, true});
    // p = adj(S) c = 0 up to rounding.
    double const c_norm = elementary::hypot(reduced.cx, reduced.cy);
    double const p_norm = elementary::hypot(reduced.syy * reduced.cx - reduced.sxy * reduced.cy,
                                            reduced.sxx * reduced.cy - reduced.syx * reduced.cx);
    degenerate = p_norm <= 1e-13 * reduced.tangential_size * std::max(c_norm, load);
    stick_admissible = !degenerate && reduced.secular(k, mu).D(0) >= 0;
  } else {
    Eigen::Vector3d const lambda = reduced.stick(k);
    stick_admissible = in_cone(lambda, mu);
    if (stick_admissible && lambda[2] > 0) append(solutions, {lambda, ContactMode::stick, true});
  }
  if (degenerate) {
    append_slip_of_degenerate(solutions, k, reduced, mu);
    return solutions;
  }

  // Roots rise, and lambda_n = |lambda_t| / mu falls with s: the slips come in the promised order.
  SecularEquation const secular = reduced.secular(k, mu);
  if (secular.qq == 0) return solutions;
  SecularRoots const roots = secular.all_roots(stick_admissible);
  for (int i = 0; i < roots.count; ++i) {
    double const s = roots.s[static_cast<std::size_t>(i)];
    Slip slip = reduced.slip(s, secular.L(s), mu);
    if (refine_slip(k, mu, slip)) append(solutions, as_solution(slip, mu));
  }
  return solutions;
}

BlockChoice lone_solution_of_spatial_cone(Eigen::Matrix3d const& A, Eigen::Vector3d const& b, double mu) {
  BlockChoice const undecided{};
  BlockChoice const detached{Eigen::Vector3d::Zero(), ContactMode::detached, 1};
  SpatialContact const k(A, b);
  if (k.bn <= 0 && below_jamming(k, mu)) return detached;
  if (!(mu > negligible && k.n > singular_fraction * (k.txx + k.tyy))) return undecided;
  Reduced const reduced(k);
  if (reduced.singular) return undecided;
  SecularEquation const secular = reduced.secular(k, mu);
  bool const stick_expected = secular.l0 >= 0 && secular.l0 * secular.l0 >= secular.pp;

  if (k.bn <= negligible * (std::abs(k.bx) + std::abs(k.by))) {
    // Beyond jamming. D is concave: negative and falling at 0, it has no root.
    if (!(k.bn <= 0) || stick_expected) return undecided;
    bool const falls = secular.l1 <= 0 || secular.l1 * secular.l1 * secular.pp < secular.pq * secular.pq;
    return falls && secular.pp > 0 ? detached : undecided;
  }
  if (stick_expected) {
    if (!certainly_unique(k, reduced, mu) && !secular.certainly_no_root()) return undecided;
    Eigen::Vector3d const lambda = reduced.stick(k);
    // Where the cone's boundary is within rounding, enumeration decides.
    if (!in_cone(lambda, mu)) return undecided;
    return {lambda, ContactMode::stick, 1};
  }
  double const s = secular.a_root(reduced.trace);
  if (!(s >= 0)) return undecided;
  if (!certainly_unique(k, reduced, mu) && !secular.certainly_one_root() && !secular.certainly_alone(s))
    return undecided;
  Slip slip = reduced.slip(s, secular.L(s), mu);
  if (!refine_slip(k, mu, slip)) return undecided;
  return {as_solution(slip, mu).lambda, ContactMode::slip, 1};
}

}  // namespace delassus
