// x = g(x) by Anderson's acceleration: each new guess is made of the last few evaluations such that it would be exact
// where g is affine (Walker and Ni 2011, SIAM J. Numer. Anal. 49(4), algorithm AA). A plain repetition diverges where
// g turns steeper than one; this does not mind.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace delassus {

class FixedPoint {
 public:
  // `scale`: what counts as one in each component; a difference below `tolerance` times it is none.
  FixedPoint(Eigen::VectorXd scale, double tolerance) : scale_(std::move(scale)), tolerance_(tolerance) {}

  // Takes g(x); true where it is x. Otherwise x becomes the next guess.
  bool improve(Eigen::VectorXd& x, Eigen::VectorXd const& g);
  double residual() const { return residual_; }  // of the last evaluation, in units of scale

 private:
  Eigen::VectorXd scale_;
  double tolerance_ = 0, residual_ = 0;
  Eigen::VectorXd last_f_, last_g_;
  std::vector<Eigen::VectorXd> f_changes_, g_changes_;  // scaled, oldest first
};

}  // namespace delassus
