// Some blocks of a contact problem by themselves, dense, for analysis: A and b of their rows, the others' forces
// zero.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "solver/problem/contact_problem.hpp"

namespace delassus {

struct SubProblem {
  std::vector<int> origin;           // block k is block origin[k] of the whole problem
  std::vector<ProblemBlock> blocks;  // their rows follow one another
  Eigen::MatrixXd A;
  Eigen::VectorXd b;

  ContactProblem as_problem() const { return ContactProblem::from_dense(A, b, blocks); }
};

// Whether A is there or only W; only the rows that are asked for are formed. The order of `chosen` is kept.
SubProblem sub_problem(ContactProblem const& problem, std::span<const int> chosen);

// The bilateral blocks (joints, rolling, knife edges) that act on this block, directly or through one another;
// rising. Those beyond another contact are left out: without its force, nothing passes there.
std::vector<int> bilateral_neighbours(ContactProblem const& problem, int block);

}  // namespace delassus
