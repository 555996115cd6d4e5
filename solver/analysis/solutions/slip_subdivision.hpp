// All ways in which k blocks can slip in space at once.
//
// What does not slip is eliminated. With y the tangential forces (two for each block), S the Schur complement over all
// rows in which eta vanishes, the normal rows of the slipping blocks among them, and c its right-hand side, the rows of
// a slip (Kikuuwe and Brogliato 2017, (65)) say, as in secular_equation.hpp for one block,
//
//   (S + diag(s_i I)) y = c,   |y_i| = |r_i|,   r_i = rho_i + g_i . y,   s_i >= 0,
//
// where r_i is mu_i lambda_n of a cone, which must be positive, or the bound of a disc. S is symmetric and positive
// semidefinite, so y is a smooth function of s on the positive orthant, and what remains are k equations
// F_i = r_i^2 - |y_i|^2 = 0 in k unknowns. In x_i = s_i / (1 + s_i), with each block in units in which A_ii is near one,
// the orthant is the cube [0, 1]^k, and with y_i = (1 - x_i) u_i
//
//   (S + (I - S) X) u = c,   X = diag(x_i I),
//
// which is linear in x and well behaved up to x_i = 1, a block that carries no tangential force.
//
// The cube is subdivided. In a cell with centre x and half widths w, K = P^-1 (I - S) with P = S + (I - S) X gives
//   u(x + d) = u - K d u(x + d),   hence   |u(x + d) - u| <= |K| w |u|_max,
// so that u, y, r and F are known up to a quadratic remainder E, and
//   * a cell holds no slip where r_i < 0, or where |F_i| > |grad F_i| w + E_i for some i;
//   * its slips lie where d = -J^-1 F +- |J^-1| E: the cell shrinks to that part, and near a simple solution it does so
//     quadratically; what has shrunk to a point is polished by Newton's method and is one solution;
//   * else it is halved.
// A cell that is left at the smallest width counts as undecided. Where S is singular (redundant contacts), u has no
// limit at the corners of the cube in which the slips vanish; there cells end at x = 1e-8 and count as stick.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace delassus {

struct SlipSystem {
  Eigen::MatrixXd S;  // 2k x 2k
  Eigen::VectorXd c;
  Eigen::MatrixXd g;  // k x 2k
  Eigen::VectorXd rho;
  std::vector<bool> either_sign;  // r_i may be negative: a bilateral contact
  Eigen::VectorXd scale;          // of each block: a mean of A's tangential diagonal, not below that of S
};

struct Slips {
  std::vector<Eigen::VectorXd> y;
  std::size_t cells = 0;      // that were examined
  std::size_t undecided = 0;  // that were left
  bool complete = true;       // nothing was left, and the limit was not reached
};

// k is at most 3.
Slips find_slips(SlipSystem const& system, std::size_t cell_limit);

}  // namespace delassus
