// The equations of Newton's method (newton.hpp) over the contacts of an island whose A is there as blocks: for
// the changes of the unknowns z of all blocks,
//
//   C_k sum_j (A_kj + D_k [j = k]) T_j z_j + D'_k z_k = right_k.
#pragma once

#include <span>
#include <vector>

#include "solver/island/problem.hpp"
#include "solver/linear/block_factor.hpp"
#include "solver/problem/block_mode.hpp"

namespace delassus {

// Which contacts act on one another: the pattern of A, or all pairs where that is not symmetric.
class ContactPattern {
 public:
  void analyse(IslandProblem const& island, BlockFactor& factor);

 private:
  std::vector<std::size_t> full_first_;
  std::vector<int> full_columns_;
};

class ContactEquations {
 public:
  // Forgets the last island.
  void begin() { analysed_ = false; }
  // False where some pivot is zero or no number.
  bool factorise(IslandProblem const& island, std::span<const BlockMode> modes, std::span<const double> D);
  // In place: unknowns in the order of the blocks.
  void solve(double* z) { factor_.solve(z); }

 private:
  ContactPattern pattern_;
  BlockFactor factor_;
  std::vector<int> unknowns_;
  bool analysed_ = false;
};

}  // namespace delassus
