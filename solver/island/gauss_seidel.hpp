// Projected block Gauss-Seidel around the exact one-block solver. Each sweep solves block k for
//
//   A_kk lambda_k - (b_k - sum_{j != k} A_kj lambda_j) in -lim N_{C_k}^{U_eps}(lambda_k)
//
// with the newest forces of the others. In islands over bodies, where sweeps are many, a block that slid starts from its
// last slip (slip_refinement.hpp), which makes a sweep a quarter shorter. Every rule and every law but Nakaoka's is
// offered. Sweeps approach a solution from anywhere in many problems, and converge slowly in the last digits.
#pragma once

#include <vector>

#include "solver/island/problem.hpp"
#include "solver/problem/solve_settings.hpp"

namespace delassus {

class GaussSeidel {
 public:
  // Begins another island.
  void begin(IslandProblem const& island, SolveSettings const& settings);

  // One sweep, always in the same direction. `previous` is the force that the rule follows.
  void sweep(IslandProblem const& island, SolveSettings const& settings, BlockVector const& previous,
             BlockVector& lambda);
  // The same in an island that has W, where the motion W lambda is known: it is made that of the new forces.
  void sweep(IslandProblem const& island, SolveSettings const& settings, BlockVector const& previous,
             BlockVector& lambda, std::vector<double>& motion);

  // Of each block in the last sweep, for laws other than Coulomb's, whose blocks classification.hpp classifies.
  std::vector<ContactMode> const& modes() const { return modes_; }
  std::vector<int> const& solutions() const { return solutions_; }

 private:
  void solve(IslandProblem const& island, SolveSettings const& settings, BlockVector const& previous,
             std::size_t k, Eigen::Vector3d const& b, BlockVector& lambda);

  struct Known {
    bool unique = false;  // whatever the others do, this cone has one solution
    bool slid = false;    // when it was solved last
    bool inverted = false;
    Eigen::Matrix3d inverse;  // of A_kk, where it is unique and was pressed
  };
  std::vector<Known> known_;
  std::vector<ContactMode> modes_;
  std::vector<int> solutions_;
  std::vector<double> x_;  // W lambda, where the island has W
};

}  // namespace delassus
