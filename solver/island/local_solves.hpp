// Where sweeps creep, and what helps there. After a hundred sweeps most of what is wrong in a large island is at few of
// its contacts: of 9,200 in a falling pile, half of it at 20 to 60 and 0.9 at 400. There bodies are wedged, modes hardly
// change from one sweep to the next, and forces grow by the same little amount each time, for thousands of sweeps. The
// worst contacts and all that touch the same bodies, divided into places that have no body in common, are solved as islands
// of their own while all other forces are held:
//
//   A_ll lambda_l - b'_l,   b'_l = b_l - A_lo lambda_o.
//
// Newton's method mostly does so in one or two steps, whose equations are small. Then sweeps go on over all contacts: what
// the places have changed is felt far away.
#pragma once

#include <span>
#include <vector>

#include "solver/island/problem.hpp"
#include "solver/island/solver.hpp"
#include "solver/problem/block_mode.hpp"

namespace delassus {

class LocalSolves {
 public:
  // From lambda to a better one, at the contacts that make up this share of what is wrong. `blocks` are those of the
  // island in the problem, whose W is listed by masses. Places are solved to this
  // residual, in the scale of the island. Returns how many iterations over the whole island were as much work.
  int improve(ContactProblem const& problem, std::span<const int> blocks, IslandProblem const& island,
              SolveSettings const& settings, double tolerance, BlockVector const& previous, double share,
              BlockVector& lambda);

 private:
  void find_worst(IslandProblem const& island, double share, BlockVector const& lambda);
  void find_places(IslandProblem const& island);
  int solve_place(ContactProblem const& problem, std::span<const int> blocks, IslandProblem const& island,
                  SolveSettings const& settings, double tolerance, BlockVector const& previous,
                  std::span<const int> members, BlockVector& lambda);

  IslandSolver solver_;
  IslandProblem place_;
  std::vector<int> index_of_block_;  // in the island, of each block of the problem; -1: not in it
  std::vector<double> x_;            // W lambda
  std::vector<double> distance_;
  std::vector<int> worst_;                 // indices in the island
  std::vector<int> members_;               // of all places, one after the other
  std::vector<std::size_t> first_member_;  // of each place, and one past the last
  std::vector<int> member_blocks_;         // the same in the problem
  enum class Part : char { none, chosen, placed };
  std::vector<Part> part_;  // of each block of the island
  BlockVector place_previous_, place_lambda_, place_eta_, product_;
};

}  // namespace delassus
