// Contact problems that have no solution, each for a reason that can be checked by hand.
#pragma once

#include "tests/support/generated_problem.hpp"

namespace delassus::test {

ContactProblem unsolvable_problem(ProblemFamily family, RandomBlocks& random);

}  // namespace delassus::test
