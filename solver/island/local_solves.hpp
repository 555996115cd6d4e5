// Solves the clusters of contacts that carry most of the residual of a large island, with all other forces fixed.
//
// After a hundred sweeps most of the residual of a large island is at few of its contacts: of 9,200 in a falling pile,
// half of it at 20 to 60 and 0.9 at 400. Bodies are wedged there, modes hardly change from one sweep to the next, and
// forces grow by the same small amount each time, for thousands of sweeps. So select the worst contacts, add all that
// touch the same bodies, divide them into clusters that have no body in common, and solve each cluster l as an island
// of its own with all other forces o fixed:
//
//   A_ll lambda_l - b'_l,   b'_l = b_l - A_lo lambda_o.
//
// Newton's method mostly takes one or two steps, whose equations are small. Then sweeps over all contacts carry the
// changes to the rest of the island.
#pragma once

#include <span>
#include <vector>

#include "solver/island/problem.hpp"
#include "solver/island/solver.hpp"
#include "solver/problem/block_mode.hpp"

namespace delassus {

struct LocalTask {
  ContactProblem const& problem;  // its W is listed by masses
  std::span<const int> blocks;    // of the island in the problem
  IslandProblem const& island;
  SolveSettings const& settings;
  BlockVector const& previous;  // force of the last step
  double tolerance = 0;         // residual of a cluster, in the scale of the island
  double share = 0;             // of the residual, which the selected contacts carry
};

class LocalSolves {
 public:
  // From lambda to a better one. Returns how many iterations over the whole island were as much work.
  int improve(LocalTask const& task, BlockVector& lambda);

  // Stages that the solver of clusters leaves out, for measurements.
  void leave_out(StageSet const& stages) { solver_.leave_out(stages); }

 private:
  void select_worst(LocalTask const& task, BlockVector const& lambda);
  void find_clusters(IslandProblem const& island);
  int solve_cluster(LocalTask const& task, std::span<const int> members, BlockVector& lambda);
  void gather_cluster(LocalTask const& task, std::span<const int> members, BlockVector const& lambda);

  IslandSolver solver_;
  IslandProblem cluster_;
  std::vector<int> index_of_block_;        // in the island, of each block of the problem; -1: not in it
  std::vector<double> motion_;             // W lambda
  std::vector<double> distance_;           // of each block's force from its projected image, squared
  std::vector<int> worst_;                 // indices in the island
  std::vector<int> members_;               // of all clusters, one after the other
  std::vector<std::size_t> first_member_;  // of each cluster, and one past the last
  std::vector<int> member_blocks_;         // of the present cluster in the problem
  enum class Part : char { none, selected, clustered };
  std::vector<Part> part_;  // of each block of the island
  BlockVector cluster_previous_, cluster_lambda_, cluster_eta_;
  BlockVector product_;  // A_ll lambda_l
};

}  // namespace delassus
