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
// are solved for the change of z, so that rounding is relative to the residual: over the contacts
// (contact_equations.hpp) or over the bodies (body_equations.hpp), depending on the form of A.
#pragma once

#include <span>
#include <vector>

#include "solver/island/body_equations.hpp"
#include "solver/island/contact_equations.hpp"
#include "solver/island/problem.hpp"
#include "solver/problem/block_mode.hpp"

namespace delassus {

class Newton {
 public:
  // Begins another island.
  void begin(IslandProblem const& island);

  // How well the equations are solved: over contacts always as well as rounding allows, over bodies so if asked
  // for, and else once, which leaves about 1e-16 compliance / D of the force.
  enum class Care { once, rounding };

  // One step from lambda, whose eta = A lambda - b is given, to the new lambda and its eta. False where the
  // equations could not be solved; lambda and eta are then as they were.
  bool step(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
            BlockVector& lambda, BlockVector& eta, Care care = Care::rounding);

  // The modes that lambda and its eta suggest, without a step.
  std::span<const BlockMode> choose_modes(IslandProblem const& island, BlockVector const& lambda,
                                          BlockVector const& eta);

  // Another solution of the last step's equations, in its modes and from its force, for this centre; D as it
  // was. lambda may be that force, with its eta. Over bodies once.
  bool solve_again(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
                   BlockVector& lambda, BlockVector& eta);

  // |lambda - its image|^2 over all blocks (block_mode.hpp) at lambda + t (there - lambda), whose eta lies as far
  // between the two.
  double merit(IslandProblem const& island, BlockVector const& lambda, BlockVector const& eta,
               BlockVector const& lambda_there, BlockVector const& eta_there, double t) const;

  // About how many sweeps of Gauss-Seidel take as long as a step.
  double worth_in_sweeps(IslandProblem const& island) const;

  // Whether the last step changed the mode of any block beside the step before.
  bool modes_changed() const { return modes_changed_; }

 private:
  // The residual of the equations of the present modes, into right_ with the other sign; returns its largest component.
  double demand(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
                BlockVector const& lambda, BlockVector const& eta);
  bool factorise_over_bodies(IslandProblem const& island, std::span<const double> D);
  void solve_over_bodies(IslandProblem const& island);
  bool correct(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
               BlockVector& lambda, BlockVector& eta, Care care);
  double demand_rest(IslandProblem const& island, std::span<const double> D, BlockVector const& centre,
                     BlockVector const& lambda, BlockVector const& eta);

  std::vector<BlockScale> rho_;
  std::vector<BlockMode> modes_;
  std::vector<double> right_;
  std::vector<Eigen::Matrix3d> N_;  // over bodies, as G_ and change_
  std::vector<double> n_;           // in place of N_ where nothing slips
  BlockVector G_, change_;
  BlockVector start_;
  ContactEquations contact_equations_;
  BodyEquations body_equations_;
  bool modes_changed_ = false;
  bool nothing_slips_ = false;  // over bodies: every block is at rest or has no unknowns
};

}  // namespace delassus
