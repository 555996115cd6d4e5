// Dry friction of known bound in a plane: |lambda| <= F, A lambda - b in -N_disc(lambda) (Kikuuwe and
// Brogliato 2017, (48)): stick, A lambda = b inside the disc, or slip, (A + s I) lambda = b on its rim with s
// >= 0. A monotone problem: for a positive definite A there is one solution; (65) and (78) coincide here.
#pragma once

#include <Eigen/Core>

namespace delassus {

struct DiscForce {
  Eigen::Vector2d lambda = Eigen::Vector2d::Zero();
  double s = 0;  // A lambda - b = -s lambda
  bool stick = true;
  bool infinitely_many = false;
};

DiscForce solve_disc(Eigen::Matrix2d const& A, Eigen::Vector2d const& b, double F);

}  // namespace delassus
