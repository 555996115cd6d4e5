// One block of the contact problem, solved exactly: all solutions, or the one that a rule takes.
//
// Every function takes a 3 x 3 matrix and 3-vectors of which the leading rows_of(set.kind) rows count; the
// rest may hold anything (tests set it to NaN). Order of components: tangential first, normal last. A is
// symmetric and positive semidefinite up to rounding. With eta = A lambda - b, the solutions of the Coulomb
// law (65) are
//
//   detached  lambda = 0, eta_n >= 0
//   stick     lambda in the cone, eta = 0
//   slip      eta_n = 0, |lambda_t| = mu lambda_n > 0, eta_t = -s lambda_t with s >= 0
//
// What the other sets demand: free.hpp, double_cone.hpp, directed.hpp, planar.hpp,
// disc.hpp.
#pragma once

#include <Eigen/Core>
#include <array>

#include "model/equations/force_set.hpp"
#include "model/scene/enumeration.hpp"

namespace delassus {

struct BlockSolution {
  Eigen::Vector3d lambda = Eigen::Vector3d::Zero();
  ContactMode mode = ContactMode::detached;
  // Would a stiff, damped contact stay at this solution? A slip with d eta_n / d lambda_n < 0 along the
  // branch would not (Song et al. 2001, Table 1; the middle solution of Kikuuwe and Brogliato 2017, Fig. 7).
  bool stable = true;
};

// The solutions in the order detached, stick, slip (slips by falling lambda_n). At most four slips exist in
// 3D.
struct BlockSolutions {
  std::array<BlockSolution, 6> item;
  int count = 0;
  bool infinitely_many =
      false;  // a singular A leaves a continuum; item then holds representatives of least norm
};

BlockSolutions enumerate_block(ForceSet const& set, Eigen::Matrix3d const& A, Eigen::Vector3d const& b);

struct BlockChoice {
  Eigen::Vector3d lambda = Eigen::Vector3d::Zero();
  ContactMode mode = ContactMode::detached;
  int solutions = 0;  // how many there are; 0: none, and lambda is then the least bad force that was found
};

// `previous` is the force of the last step. Where there are several solutions, the rule says which of them to
// prefer, and of these the one nearest to `previous` (Euclidean distance of the forces; equally near: the
// first in the order above) is taken; where there is none of the preferred kind, the nearest of all.
// `continuous` prefers none, and is the default: along a branch of solutions the right-hand side of the
// relaxed ODE (64) then stays continuous, and a free body, whose last force is zero, is not caught by a stick
// far away before it touches.
//
// No solution: the choice says solutions = 0, and lambda is the force of the contact with a little
// compliance, A + epsilon I, epsilon = 1.5e-8 of A's largest entry; zero where A is zero. Of a free block it
// is the least-squares force; of a directed one see there. Many (infinitely_many): as many as there are
// representatives.
//
// The law matters for cones only: the other sets have the same force under all three (a disc's is that of A
// and b or, by Nakaoka, the clamped bilateral one).
// Neither function allocates; neither yields NaN for finite input; problems in units that differ by powers of
// two get the same bits.
BlockChoice solve_block(ForceSet const& set, ContactLaw law, SolutionRule rule, Eigen::Matrix3d const& A,
                        Eigen::Vector3d const& b, Eigen::Vector3d const& previous);

}  // namespace delassus
