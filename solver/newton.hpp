// Several blocks at once: steps of a semismooth Newton (active-set) method for one island, on the problem
// (A + D, b + D c) with a diagonal matrix D and a centre c. D > 0 makes the equations regular where A is
// singular: with c the present force a step is one of the proximal-point method, with c = 0 it tends to the
// force of least norm as D does to zero.
//
// Each step chooses the modes of all blocks from lambda and eta (block_mode.hpp), which leaves none, one, two
// or three unknowns of each: lambda = T z + t. Their equations
//
//   C_k (eta_k + D_k (lambda_k - c_k)) + D'_k z_k = 0,   eta = A lambda - b,
//
// are solved for the change of z, so that rounding is relative to what is still wrong.
#pragma once

#include <span>
#include <vector>

#include "solver/block_factor.hpp"
#include "solver/block_mode.hpp"
#include "solver/island_problem.hpp"

namespace delassus {

class Newton {
 public:
  // Forgets the last island.
  void begin(IslandProblem const& island);

  // One step from lambda, whose eta = A lambda - b is given, to the new lambda and its eta. False where the
  // equations could not be solved; lambda and eta are then as they were.
  bool step(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
            BlockVector& lambda, BlockVector& eta);

  // The modes that lambda and its eta suggest, without a step.
  std::span<const BlockMode> choose_modes(IslandProblem const& island, BlockVector const& lambda,
                                          BlockVector const& eta);

  // Another solution of the last step's equations, in its modes and from its force, for this centre; D as it
  // was.
  bool solve_again(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
                   BlockVector& lambda, BlockVector& eta);

  // |lambda - its image|^2 over all blocks (block_mode.hpp) at lambda + t (there - lambda), whose eta lies as far
  // between the two.
  double merit(IslandProblem const& island, BlockVector const& lambda, BlockVector const& eta,
               BlockVector const& lambda_there, BlockVector const& eta_there, double t) const;

  // Whether the last step changed the mode of any block beside the step before.
  bool modes_changed() const { return modes_changed_; }

 private:
  void assemble(IslandProblem const& island, std::span<const double> D);
  void correct(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
               BlockVector& lambda, BlockVector& eta);

  std::vector<BlockScale> rho_;
  std::vector<BlockMode> modes_;
  std::vector<int> unknowns_;
  std::vector<double> right_;
  std::vector<std::size_t> full_first_;
  std::vector<int> full_columns_;
  BlockVector start_;
  BlockFactor factor_;
  bool analysed_ = false, modes_changed_ = false;
};

}  // namespace delassus
