// Where sweeps creep, and what helps there. After a hundred sweeps most of what is wrong in a large island is at a few
// places, where some bodies are wedged: in piles of a thousand boxes nine tenths of it is at ten contacts. Each such
// place, a contact and those around it, is solved as an island of its own while all other forces are held:
//
//   A_ll lambda_l - b'_l,   b'_l = b_l - A_lo lambda_o,
//
// which small islands allow by means that a large one does not (solver/README.md). Then sweeps go on.
#pragma once

#include <span>
#include <vector>

#include "solver/block_mode.hpp"
#include "solver/island_problem.hpp"
#include "solver/island_solver.hpp"

namespace delassus {

class LocalSolves {
 public:
  // From lambda to a better one, at the places that are worst. `blocks` are those of the island in the problem, whose W
  // is listed by masses; a place has `most_blocks` at the most. The residual of the
  // island says how well places are worth solving. Returns how many iterations over the whole island were as much work.
  int improve(ContactProblem const& problem, std::span<const int> blocks, IslandProblem const& island,
              SolveSettings const& settings, double residual, BlockVector const& previous,
              std::size_t most_blocks, BlockVector& lambda);

 private:
  void find_worst(IslandProblem const& island, BlockVector const& lambda);
  void find_place(IslandProblem const& island, std::size_t centre, std::size_t most_blocks);
  int solve_place(ContactProblem const& problem, std::span<const int> blocks, IslandProblem const& island,
                  SolveSettings const& settings, double tolerance, BlockVector const& previous,
                  BlockVector& lambda);

  IslandSolver solver_;
  IslandProblem place_;
  std::vector<int> index_of_block_;  // in the island, of each block of the problem; -1: not in it
  std::vector<double> x_;            // W lambda
  std::vector<double> distance_;
  std::vector<int> worst_;          // indices in the island
  std::vector<int> members_;        // of the present place
  std::vector<int> member_blocks_;  // the same in the problem
  std::vector<char> taken_;         // 1: in some place, 2: in the present one
  BlockVector place_previous_, place_lambda_, place_eta_, product_;
};

}  // namespace delassus
