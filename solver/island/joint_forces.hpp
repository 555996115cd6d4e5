// The forces of an island of joints only: A lambda = b, where A = W^T W may be singular. Joints may be redundant, so
// that b decides only a part of the forces; and a mechanism may pass a configuration in which rows become dependent
// (the links of a parallelogram in line), so that eigenvalues s of A go through zero.
//
// Let u be an eigenvector and c = u.b. The force along u is c/s, the acceleration of the masses c/sqrt(s). Where s
// goes through zero, c does not: it contains what is left of gaps and their rates, multiplied by the stiffness of the
// relaxed law. A solver that decides where a direction counts as dependent jumps there, and no step size resolves the
// motion. So the force is a smooth function of s:
//
//   lambda = sum f(s)^2 (c/s) u,   f(s) = 1 - (eps/(s + eps))^k.
//
// Where s is much larger than eps, f = 1 to rounding. Where s vanishes, the force vanishes as k^2 s c/eps^2, so that
// redundant joints get the force of least norm, and the acceleration is at most about c/sqrt(eps).
//
// f is made of one factor of A + eps. The first f of k solves with iterative refinement,
//
//   lambda += (A + eps)^-1 (b - A lambda),
//
// which leaves rounding of the size 1/eps in what A does not decide; the second one takes it away,
// lambda -= (eps (A + eps)^-1)^k lambda. Both end before k solves where more would not change the motion, and so where
// A is regular.
//
// eps, beside the compliance of a block, balances two errors of a mechanism that passes a singular configuration with
// sigma = sqrt(s) going through zero. What f lacks to 1 is a force that is missing while sigma < sqrt(eps), which
// changes velocities by the share eps. And a row that is off by the rounding r of its velocities makes velocities of
// r/sigma in the direction that becomes free, up to r/sqrt(eps). Both are equal at eps = r^(2/3), with r = 1e-15 at
// 1e-10. Where the compliances of blocks differ by more than 1e3, eps is larger for the smallest ones: below 1e-13 of
// the largest, rounding decides the factor.
//
// k: a solve over bodies has the relative error 1e-16/eps, that is 1e-6 to 1e-3, so three to six come to rounding. With
// eight, directions down to s = 100 eps have f = 1 to rounding, too.
#pragma once

#include <vector>

#include "solver/island/body_equations.hpp"

namespace delassus {

class JointForces {
 public:
  // Of an island whose blocks are all free and whose A is there as W.
  void solve(IslandProblem const& island, BlockVector& lambda, BlockVector& eta);
  // Whether what is left of b, in eta after a solve, is in directions that no force moves.
  bool contradicts(IslandProblem const& island, BlockVector const& eta);

 private:
  BodyEquations equations_;
  std::vector<double> n_, x_;
  BlockVector change_;
};

}  // namespace delassus
