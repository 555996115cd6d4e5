// Elimination of the leading rows of one dense matrix, and what solving with them takes: the inner work of
// BlockFactor, whose fronts are such matrices.
//
// A front F is f x f, column by column without gaps, and its first p rows are eliminated. What is left of the others is
// then in their place.
#pragma once

#include <cstddef>

namespace delassus {

// F = L U. Rows are exchanged among the first p; exchange[j] is the one that row j was exchanged with. False where a
// pivot is zero or no number.
bool eliminate_general(double* F, std::ptrdiff_t f, std::ptrdiff_t p, int* exchange);
// Of y, f numbers, the first p are given and the others are zero: then L^-1 of these, and what they add to the others.
void forward_general(double const* F, std::ptrdiff_t f, std::ptrdiff_t p, int const* exchange, double* y);
// The first p of y from all others.
void backward_general(double const* F, std::ptrdiff_t f, std::ptrdiff_t p, double* y);

// The same where F is symmetric and positive definite: F = L L^T in half the work, without exchanges. Above its
// diagonal F is neither read nor kept; on it stands the inverse of that of L. False where a pivot is not positive or no number.
bool eliminate_symmetric(double* F, std::ptrdiff_t f, std::ptrdiff_t p);
void forward_symmetric(double const* F, std::ptrdiff_t f, std::ptrdiff_t p, double* y);
void backward_symmetric(double const* F, std::ptrdiff_t f, std::ptrdiff_t p, double* y);

}  // namespace delassus
