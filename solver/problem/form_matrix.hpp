// A = W^T W of a contact problem as a block matrix, for those parts of a solver that need A itself.
#pragma once

#include <span>

#include "solver/problem/contact_problem.hpp"

namespace delassus {

// Fills problem.A from problem.W. The sum of W_i^T W_j over the pairs of terms on the same mass block:
// symmetric to the bit, and the work grows with these pairs only. Does not allocate once it has seen as many.
void form_matrix(ContactProblem& problem);

// The rows of an island only; block j is in column column_of[j]. W is listed by mass.
void form_matrix(FactorTerms const& W, std::span<const int> island, std::span<const int> column_of,
                 BlockMatrix& A);

// A_kk.
Eigen::Matrix3d form_diagonal(FactorTerms const& W, std::size_t k);

}  // namespace delassus
