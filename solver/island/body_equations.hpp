// Linear equations over the bodies of an island whose A is there as W^T W: for a change d of the forces with
//
//   d_k + N_k (A d)_k = f_k
//
// in all blocks, N_k 3 x 3, as both Newton's and the interior-point method ask for. With x = W d, the velocities that
// d makes in units of the square root of mass,
//
//   S x = W f,   S = 1 + sum_k W_k N_k W_k^T,   d_k = f_k - N_k W_k^T x.
//
// S has a block for each pair of bodies that touch, however many contacts they have: beside the equations over
// contacts a pile of a thousand spheres takes half the work, one of boxes a twentieth.
//
// The price: where N is large, it multiplies the rounding of x. Iterative refinement, a second solve for the
// remainder, gains as many digits as N A is away from 1e16.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solver/island/problem.hpp"
#include "solver/linear/block_factor.hpp"

namespace delassus {

class BodyEquations {
 public:
  BodyEquations() = default;
  BodyEquations(BodyEquations const&) = delete;  // place_ is in factor_
  BodyEquations& operator=(BodyEquations const&) = delete;

  // Finds which bodies of another island touch. The order of elimination is kept where the pattern is as it was.
  void begin(IslandProblem const& island);
  // Approximate multiplications and additions of a factorisation.
  double work() const { return factor_.work(size_); }
  // False where some pivot is zero or no number.
  bool factorise(IslandProblem const& island, std::span<const Eigen::Matrix3d> N);
  // The same where every N_k is a number n_k >= 0 times the identity, as where nothing slips: S is then symmetric, which
  // takes half the work.
  bool factorise(IslandProblem const& island, std::span<const double> n);
  // From f to d in place, with the N of the factorisation. `rest`, where it is given, is added to x = W d.
  void solve(IslandProblem const& island, std::span<const Eigen::Matrix3d> N, BlockVector& d,
             std::vector<double> const* rest = nullptr);
  void solve(IslandProblem const& island, std::span<const double> n, BlockVector& d);
  // x of the last solve, as in IslandProblem::motion.
  std::vector<double> const& motion() const { return x_; }

 private:
  bool touches_the_same(IslandProblem const& island) const;
  void find_neighbours(IslandProblem const& island);
  void find_pairs(IslandProblem const& island);
  void begin_matrix(BlockFactor::Form form);
  void add_block(IslandProblem const& island, std::size_t k, Eigen::Matrix3d const& N);
  void add_block(IslandProblem const& island, std::size_t k, double n);
  void solve_for_motion(IslandProblem const& island);

  BlockFactor factor_;
  // Masses that the blocks touch, and their columns, block by block: where they are as they were, so is all that
  // follows from them.
  std::vector<std::array<int, 2>> touched_;
  std::vector<int> node_of_mass_;
  std::vector<int> size_;  // of each node
  // Node i touches neighbour_[first_[i]] ..., itself first. Each of these pairs has a block in S.
  std::vector<std::size_t> first_, new_first_, filled_;
  std::vector<int> neighbour_, new_neighbour_, mark_;
  std::vector<BlockFactor::Place> place_;
  std::vector<char> needed_;  // of a symmetric S, each of these
  bool placed_ = false;
  std::vector<std::size_t> first_pair_;  // of each block in pair_
  std::vector<int> pair_;                // of each two terms of a block, in place_
  std::vector<double> Q_;
  std::vector<double> x_, nodes_;  // the latter: velocities of the nodes without gaps
};

}  // namespace delassus
