// Linear equations for a change d of the forces of an island, d_k + N_k deta_k = f_k in all blocks, where deta is the
// change of eta = A lambda - b that d makes. Over bodies where A is there as W (body_equations.hpp), else over
// contacts, with the blocks 1 [k = j] + N_k A_kj.
//
// Where N is large, d has rounding that A would bring into eta. So eta is carried along by its changes, as an unknown
// of its own, and the difference between it and A lambda - b enters the next equations.
#pragma once

#include <span>
#include <vector>

#include "solver/island/body_equations.hpp"
#include "solver/island/contact_equations.hpp"

namespace delassus {

class ForceEquations {
 public:
  // Begins another island, with eta of this force.
  void begin(IslandProblem const& island, BlockVector const& lambda);
  BlockVector const& eta() const { return eta_; }

  // From this force. False where some pivot is zero or no number.
  bool factorise(IslandProblem const& island, std::span<const Eigen::Matrix3d> N, BlockVector const& lambda);
  // From f to d in place, and the change of eta.
  void solve(IslandProblem const& island, std::span<const Eigen::Matrix3d> N, BlockVector& d,
             BlockVector& deta);
  // eta after this share of the last change.
  void advance(IslandProblem const& island, double share);

 private:
  BlockVector eta_, change_, rest_;
  // Over bodies:
  BodyEquations bodies_;
  std::vector<double> x_, rest_x_;
  // Over contacts:
  ContactPattern pattern_;
  BlockFactor contacts_;
  std::vector<int> rows_;
  std::vector<double> right_;
};

}  // namespace delassus
