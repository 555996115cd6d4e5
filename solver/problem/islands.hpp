// Blocks that act on one another, directly or through others, form an island: a connected component of the
// graph of A, which is known from W too: blocks that touch the same mass. Islands are independent problems.
#pragma once

#include <span>
#include <vector>

#include "solver/problem/contact_problem.hpp"

namespace delassus {

class Islands {
 public:
  // Islands come in the order of their first blocks, blocks within an island in rising order. Does not
  // allocate once a problem of this size was seen.
  void find(ContactProblem const& problem);

  std::size_t size() const { return first_.size() - 1; }
  std::span<const int> operator[](std::size_t island) const {
    return std::span(blocks_).subspan(first_[island], first_[island + 1] - first_[island]);
  }

 private:
  int root(int block);
  int join(int one, int other);

  std::vector<int> parent_;   // of the union-find forest; a root is the smallest block of its tree
  std::vector<int> of_mass_;  // a block that touches it, or -1
  std::vector<int> number_;   // of the island, at the root
  std::vector<int> blocks_;
  std::vector<std::size_t> first_ = {0};
};

}  // namespace delassus
