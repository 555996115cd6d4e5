// The equations of Newton's method for one block, in the mode that its force and motion suggest.
//
// With y = lambda - rho eta (rho of each block from its own diagonal, one for the tangential rows, one for
// the normal), the function of Alart and Curnier 1991 has a block
//   detached  where y_n <= 0:           lambda = 0
//   stick     where |y_t| <= r or free: eta = 0
//   slip      else:                     eta_n = 0, lambda_t = r e with e = y_t / |y_t|
// where the radius r is mu y_n of a cone, mu |y_n| of a double cone, the bound of an interval or disc. In the
// equations of a slip stands mu lambda_n for mu y_n, which is the same where eta_n = 0. Their derivative, with
// e' orthogonal to e and k = r / |y_t|, leaves of the tangential equations
//
//   along e:   lambda_e = r                                    and
//   along e':  (1 - k) lambda_e' + k rho eta_e' = 0,
//
// so that the force has fewer unknowns than rows: lambda = T z + t with
//   stick  z = lambda;   slip in space  z = (lambda_n, lambda_e');   slip in the plane  z = lambda_n;
//   detached, a slip of an interval     none;   directed  z = lambda_n.
// The equations of z are C eta + D z = 0.
#pragma once

#include <Eigen/Core>

#include "model/equations/force_set.hpp"
#include "model/scene/enumeration.hpp"

namespace delassus {

struct BlockMode {
  ContactMode mode = ContactMode::detached;
  int unknowns = 0;
  bool at_rest = false;                         // eta = 0 in every row: C is diagonal and T the identity
  Eigen::Matrix3d C = Eigen::Matrix3d::Zero();  // the leading rows, as many as there are unknowns
  Eigen::Matrix3d T = Eigen::Matrix3d::Zero();  // the leading columns
  double D = 0;                                 // on the last unknown, the only one that may have it
  Eigen::Vector3d z = Eigen::Vector3d::Zero();  // of the present lambda
  Eigen::Vector3d t = Eigen::Vector3d::Zero();

  Eigen::Vector3d lambda() const { return T * z + t; }
};

struct BlockScale {
  double t = 1, n = 1;  // rho of the tangential rows and of the normal one
};

// From the diagonal block of A.
BlockScale scale_of(ForceSet const& set, Eigen::Matrix3d const& A, double compliance);

// Rows that the block does not have are zero in lambda and eta.
void choose_mode(ForceSet const& set, BlockScale const& rho, Eigen::Vector3d const& lambda,
                 Eigen::Vector3d const& eta, BlockMode& mode);

// |lambda - its image|^2 in the function of Alart and Curnier, whose zeros are the solutions.
double squared_distance(ForceSet const& set, BlockScale const& rho, Eigen::Vector3d const& lambda,
                        Eigen::Vector3d const& eta);

}  // namespace delassus
