// The modes of one block that leave linear equations: its force is T z + t, what is demanded is that eta vanishes in
// some rows, and then conditions decide whether it is a solution. A block that slips in space has a further mode, in
// which the direction is unknown: `slips_in_space`.
//
// `options_of` lists (rows of z and eta; the conditions):
//   half-line    detached (eta >= 0); contact (lambda >= 0)
//   interval     stick (|lambda| <= F); slip to either side (eta against it)
//   disc         stick (|lambda| <= F)
//   cone         detached (eta_n >= 0); stick (|lambda_t| <= mu lambda_n); in the plane slip sigma: lambda = lambda_n
//                (sigma mu, 1), eta_n = 0 (lambda_n >= 0, sigma eta_t <= 0)
//   double cone  stick (|lambda_t| <= mu |lambda_n|); in the plane slips to either side and pressing on either
//   directed     detached (eta_n >= 0); contact: lambda = lambda_n (direction, 1), eta_n = 0 (lambda_n >= 0)
// With mu = 0 or F = 0 the tangential force is zero and nothing is demanded of the tangential rows.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "model/equations/force_set.hpp"
#include "model/scene/enumeration.hpp"

namespace delassus {

struct BlockOption {
  ContactMode mode = ContactMode::detached;
  int unknowns = 0;
  Eigen::Matrix3d T = Eigen::Matrix3d::Zero();  // the leading columns
  Eigen::Vector3d t = Eigen::Vector3d::Zero();
  std::array<int, 3> vanishing = {};  // rows of eta, as many as there are unknowns
  bool symmetric = true;              // T picks the rows that vanish
  bool slips_in_space = false;        // another kind of mode: the direction is unknown
  int press = 1;                      // sign of lambda_n that is asked for, where there is a normal row
  int side = 0;                       // of a slip in the plane: the sign of lambda_t
};

// `sliding`: the contact slides along this unit vector already.
std::vector<BlockOption> options_of(ForceSet const& set, std::optional<Eigen::Vector2d> const& sliding);

// By how much a condition of the mode is violated, each in its scale; 0 or less: met. The force solves the equations of
// the mode already.
double violation(ForceSet const& set, BlockOption const& option, Eigen::Ref<const Eigen::VectorXd> lambda,
                 Eigen::Ref<const Eigen::VectorXd> eta, double force_scale, double motion_scale);

}  // namespace delassus
