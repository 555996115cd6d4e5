// A quick sufficient condition for a contact in space to have one solution of (65), whatever b is.
//
// For given lambda_n >= 0 the tangential force is the unique solution of a convex problem (A_tt > 0 on the
// disc of radius mu lambda_n). Put into the normal row it leaves one equation F(lambda_n) = eta_n, and where F
// rises everywhere there is one solution: zero where F(0) >= 0, else the root. Where the contact sticks, dF is
// the Schur complement of A, which is positive. Where it slips along -e, differentiating its equations gives
// lambda_t' = mu e + x e' (e' orthogonal to e) with |x| <= |mu a_e'e + a_ne'| / a_e'e', and
//
//   dF = a_n + mu a_nt.e + x a_ne' >= a_n - mu g - g (mu (l_2 - l_1)/2 + g) / l_1
//
// with g = |a_nt| and l_1 <= l_2 the eigenvalues of A_tt, because |e'.A_tt e| <= (l_2 - l_1)/2.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace delassus {

inline bool surely_unique(double mu, Eigen::Matrix3d const& A) {
  double const mean = (A(0, 0) + A(1, 1)) / 2, difference = (A(0, 0) - A(1, 1)) / 2;
  double const spread = std::sqrt(difference * difference + A(0, 1) * A(0, 1));
  double const lowest = mean - spread;
  double const g = std::sqrt(A(2, 0) * A(2, 0) + A(2, 1) * A(2, 1));
  // A tenth is left for rounding and for a matrix that is a little nonsymmetric.
  return lowest > 1e-6 * mean && 0.9 * A(2, 2) * lowest > mu * g * lowest + g * (mu * spread + g);
}

}  // namespace delassus
