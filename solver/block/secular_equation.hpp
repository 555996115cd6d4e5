// The scalar equation that a slipping force solves.
//
// Slip (Kikuuwe and Brogliato 2017, (65)): with T = A_tt, a = A_tn, n = A_nn, the rows are
//
//   (T + s I) lambda_t + a lambda_n = b_t,
//   a . lambda_t + n lambda_n = b_n,
//   |lambda_t| = mu lambda_n,   s >= 0.
//
// The normal row gives lambda_n = (b_n - a . lambda_t) / n, and with the Schur complement S = T - a a^T / n
// and c = b_t - a b_n / n the tangential rows become (S + s I) lambda_t = c. By the adjugate of a 2 x 2
// matrix, adj(S + s I) = adj(S) + s I, lambda_t = (p + s q) / det(S + s I) with p = adj(S) c and q = c.
// Neither an inverse nor an eigenbasis is needed, and S may be singular. Times det(S + s I), |lambda_t| = mu
// lambda_n reads, with beta = mu / n,
//
//   D(s) = L(s) - R(s) = 0,
//   L = beta (b_n det(S + s I) - a . (p + s q)) = l2 s^2 + l1 s + l0,   R = |p + s q|.
//
// The disc |lambda| <= F is the same equation with L = F det(A + s I). More and Sorensen's secular equation
// (1983) is that special case.
//
// How many roots. Let S be positive semidefinite; then p . q >= 0, so that R grows for s >= 0, and
//   D'' = 2 l2 - K / R^3,  K = (p x q)^2.
//  * b_n <= 0: l2 <= 0 and D is concave: at most two roots. D(0) >= 0 (stick is admissible) leaves one.
//  * b_n > 0: D'' grows with s, so D is concave up to the inflection R^3 = K / (2 l2) and convex after it, and
//    D -> +infinity: at most three roots, and one at least where D(0) < 0 (stick is not admissible).
// With detached (b_n <= 0) and stick (D(0) >= 0), a positive definite A has at most three solutions.
#pragma once

#include <array>
#include <cmath>

namespace delassus {

struct SecularRoots {
  std::array<double, 4> s{};
  int count = 0;
};

struct SecularEquation {
  double l2, l1, l0;  // L(s) = l2 s^2 + l1 s + l0
  double pp, pq, qq;  // R(s)^2 = pp + 2 pq s + qq s^2
  double cross;       // p x q; K = cross^2

  double L(double s) const { return (l2 * s + l1) * s + l0; }
  double R_squared(double s) const {
    double const square = (qq * s + 2 * pq) * s + pp;
    return square > 0 ? square : 0;  // std::fmax is a call
  }
  double R(double s) const { return std::sqrt(R_squared(s)); }
  double D(double s) const { return L(s) - R(s); }
  double slope(double s) const {
    double const r = R(s);
    return 2 * l2 * s + l1 - (r > 0 ? (pq + qq * s) / r : std::sqrt(qq));
  }

  // D'' >= 0 from s on: D'' grows with s. Strict, so that underflow of both sides proves nothing.
  bool convex_from(double s) const {
    double const r2 = R_squared(s);
    double const K = cross * cross;
    return l2 > 0 && (K == 0 ? qq > 0 : 4 * l2 * l2 * r2 * r2 * r2 > K * K);
  }

  // D(0) < 0 and b_n > 0 given: certainly one root only? Either D is convex on s >= 0; or it falls at 0,
  // hence it stays negative in its concave part, and its convex part crosses once.
  bool certainly_one_root() const {
    return convex_from(0) || (l2 > 0 && (l1 <= 0 || l1 * l1 * pp < pq * pq));
  }

  // D(0) >= 0 and b_n > 0 given: certainly no root with s > 0? R(s) <= |p| + |q| s, and L stays above that
  // line.
  bool certainly_no_root() const {
    if (!(l2 > 0)) return false;
    double const q = std::sqrt(qq);
    if (l1 >= q) return true;
    double const gap = l0 - std::sqrt(pp);
    return (q - l1) * (q - l1) < 4 * l2 * gap;
  }

  // A step of Halley's method on f = L / R - 1, which is linear in s where S is isotropic or c an
  // eigenvector, and nearly so elsewhere. With rho = R R' = pq + qq s and N = L' R^2 - L rho,
  //   f' = N / R^3,   f'' / f' = N' / N - 3 rho / R^2,   N' = L'' R^2 + L' rho - L qq,
  // so that the step -f / f' / (1 - f f'' / (2 f'^2)) takes one division. The order is three.
  struct Step {
    double length;
    double N;     // D rises through a root where this is positive
    bool useful;  // goes the way that Newton's would
    bool near;    // is about Newton's; a short one that is not has met an extremum of f and no root
  };
  Step halley(double s) const {
    double const r2 = R_squared(s);
    double const r = std::sqrt(r2);
    double const l = L(s);
    double const l_slope = 2 * l2 * s + l1;
    double const rho = pq + qq * s;
    double const gap = r - l;
    double const N = l_slope * r2 - l * rho;
    double const N_slope = 2 * l2 * r2 + l_slope * rho - l * qq;
    double const denominator = N * N + 0.5 * gap * (r2 * N_slope - 3 * rho * N);
    return {gap * r2 * N / denominator, N, denominator > 0, denominator < 2 * N * N};
  }

  // Where the root is if S is isotropic, of the size that it has along c, c . S c / c^2 = trace - pq / qq.
  double root_of_isotropic() const {
    double const s = (std::sqrt(qq) - l1) / l2 + pq / qq;
    return s > 0 ? s : 0;
  }

  // A root, for l2 > 0 and D(0) < 0; the root where there is but one. Two steps of Halley's method do nearly
  // always, and what happens the same way each time costs a processor less than what varies. Six digits at
  // least, which the caller refines. `size` is that of S, beside which a smaller step does not matter.
  // Negative: not found.
  double a_root(double size) const;

  // D(0) < 0, b_n > 0 and a root s at which D rises given: certainly no other? In the two directions:
  //  * R lies above its tangent at s, and where L lies below that tangent from 0 to s, no root does. L is
  //    convex and meets the tangent at s, so it is enough that it lies below it at 0: l0 R < pp + pq s.
  //  * With L = R at s, L^2 - R^2 at s + t is t (c0 + c1 t + c2 t^2 + c3 t^3) with
  //      c0 = 2 (R L' - rho),  c1 = L'^2 + 2 R l2 - qq,  c2 = 2 L' l2,  c3 = l2^2;
  //    all but c1 are positive, because L' > R' >= 0. The cubic has no root t > 0 if c1 >= 0 or if the
  //    quadratic below it has none.
  // The margins are far above the error of s: what is close is left to all_roots.
  bool certainly_alone(double s) const;

  // The smallest root, for l2 > 0 and D(0) < 0. R is convex, so its tangent at s_k lies below it, and
  // Q(s) = L(s) - tangent(s) >= D(s): no root of D lies between s_k and the larger root s_(k+1) of the
  // quadratic Q. The s_k climb to the smallest root without passing it, quadratically. Negative: not found.
  double smallest_root(double size) const;

  // All roots for l2 < 0, found without a bracket. D is concave: a root through which it falls is the last,
  // and there is another exactly where D(0) < 0, between 0 and that one. False: not found, which says nothing.
  bool roots_of_concave(bool stick_admissible, SecularRoots& roots) const;

  // All roots s >= 0, rising. `stick_admissible` is the sign of D(0), which the caller knows better than
  // rounding does. Two roots that fall together within rounding may be reported as two or none.
  SecularRoots all_roots(bool stick_admissible) const;
};

}  // namespace delassus
