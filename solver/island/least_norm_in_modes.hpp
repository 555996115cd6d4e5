// The force of least norm that the equations of Newton's method allow in given modes, by a dense
// decomposition: exact where rows are redundant, whatever rounding is in their b. For small islands.
//
// With lambda = T z + t (block_mode.hpp) the equations are linear, G z = r. The columns of T are orthogonal to
// one another and to t, so that |lambda|^2 is a sum of (s_i z_i)^2, and the least-norm solution for the
// unknowns s_i z_i is what is asked for.
#pragma once

#include <span>

#include "solver/island/problem.hpp"
#include "solver/linear/growing.hpp"
#include "solver/linear/least_norm.hpp"
#include "solver/problem/block_mode.hpp"

namespace delassus {

class LeastNormInModes {
 public:
  // Memory only grows.
  void solve(IslandProblem const& island, std::span<const BlockMode> modes, BlockVector& lambda);

 private:
  GrowingMatrix G_;
  GrowingVector r_, z_;
  std::vector<int> first_;  // unknown of each block
  BlockVector shift_;       // b - A t
  LeastNorm least_norm_;
};

}  // namespace delassus
