// Forces of an island by way of friction bounds.
//
// With the bound r_k of |lambda_t| given for each contact instead of mu lambda_n (Tresca's friction), the problem
// is convex: it has solutions wherever some motion has eta_n >= 0, and all of them have the same eta (Panagiotopoulos
// 1975; Haslinger 1983). Coulomb's solutions are those bounds with r = mu lambda_n.
//
// Where A is singular, eta may lie where more contacts are closed than there are freedoms. Then a whole range
// of bounds has the same eta, but the normal forces that go with it are not the ones that r came from, and no
// step in the forces gets from the ones to the others. So solve for them anew: with eta given, the force of
// each contact lies in a convex cone (nothing where eta_n > 0, the ray against the sliding, the friction cone
// where eta = 0), and a force of these cones that has A lambda = A lambda_r is a solution. The nearest to it, in
// the measure of A, gives the next bounds r = mu lambda_n where it is none.
//
// Two convex problems in each round, both by sweeps, Newton's method and the proximal loop.
#pragma once

#include <vector>

#include "solver/island/gauss_seidel.hpp"
#include "solver/island/newton.hpp"
#include "solver/island/problem.hpp"
#include "solver/problem/contact_problem.hpp"

namespace delassus {

class FrictionBounds {
 public:
  // False where the island has sets that are not offered: double cones and directed frictions.
  bool begin(IslandProblem const& island);
  // From these bounds, one for each block, to a force and the next bounds. False where one of the two convex
  // problems was not solved.
  bool round(std::vector<double>& bounds, BlockVector& lambda);
  // Sweeps and Newton steps since `begin`.
  int iterations() const { return iterations_; }

 private:
  // A block of a problem that is derived from the island's: what it adds to the force of the parent is B x.
  struct Part {
    std::size_t parent = 0;
    ForceSet set;
    Eigen::Matrix3d B = Eigen::Matrix3d::Zero();
  };

  void derive(BlockVector const& b);
  bool solve_derived();
  void add_forces(BlockVector& lambda) const;

  IslandProblem const* island_ = nullptr;
  std::vector<Part> parts_;
  std::vector<std::size_t> first_part_;  // of each parent, and one past the last
  ContactProblem problem_;
  IslandProblem derived_;
  std::vector<int> all_;
  GaussSeidel sweeps_;
  Newton newton_;
  SolveSettings settings_;
  BlockVector x_, eta_, centre_, shifted_, zero_;
  BlockVector with_bounds_, with_bounds_eta_, right_;
  std::vector<double> D_;
  int iterations_ = 0;
};

}  // namespace delassus
