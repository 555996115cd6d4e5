// Which constraints are one too many. Rows of J that depend on the others leave directions of lambda that
// move nothing: the null space of A. A block with a part in it is redundant: its force is not determined by
// the motion (Blumentals et al. 2016, section 3: acceleration and J^T lambda are, lambda is not).
#pragma once

#include <span>
#include <vector>

#include "solver/problem/contact_problem.hpp"

namespace delassus {

struct Redundancy {
  int deficiency = 0;       // rows less the rank of A
  std::vector<int> blocks;  // with a part in the null space, rising
};

// Of A restricted to the given blocks. For reports: allocates.
Redundancy find_redundancy(ContactProblem const& problem, std::span<const int> blocks);
Redundancy find_redundancy(ContactProblem const& problem);

}  // namespace delassus
